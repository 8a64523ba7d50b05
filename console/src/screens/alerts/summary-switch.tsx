/** Whether the daily summary of all syncs comes to the administrator who reads this, and when: a section of the own account. */
import { type SyncSummaryReply, saveSyncSummaryCall, syncSummaryCall } from '@patch/contract/sync-summary-calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Form, Select, Skeleton } from 'antd';
import { makeCall } from '../../api/make-call.ts';
import { timeZone, useSession } from '../../api/session.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import { toast } from '../../widgets/toast.tsx';
import styles from './summary-switch.module.css';

type Entered = Pick<SyncSummaryReply, 'enabled' | 'hour'>;

const queryKey = ['sync summary'];
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` }));

/** Nothing for whoever is no administrator. */
export function SummarySwitch() {
  const { user } = useSession();
  const isAdmin = user?.userType === 'Admin';
  const standing = useQuery({ queryKey, queryFn: ({ signal }) => makeCall(syncSummaryCall, { signal }), enabled: isAdmin });
  if (!isAdmin) return null;
  if (standing.data !== undefined) return <SummaryForm standing={standing.data} email={user.email} />;
  if (standing.isPending) return <Skeleton active title={false} paragraph={{ rows: 2 }} />;
  return <LoadFailure what="daily summary" failure={standing.error} onReload={() => void standing.refetch()} />;
}

function SummaryForm({ standing, email }: { readonly standing: SyncSummaryReply; readonly email: string }) {
  const queries = useQueryClient();
  const [form] = Form.useForm<Entered>();
  const enabled = Form.useWatch('enabled', form) ?? standing.enabled;

  async function save({ enabled: wanted, hour }: Entered): Promise<void> {
    const saved = await makeCall(saveSyncSummaryCall, { body: { enabled: wanted, hour, timeZone: timeZone() } });
    queries.setQueryData(queryKey, saved);
    toast.success(saved.enabled ? 'The daily summary is on.' : 'The daily summary is off.');
  }
  return (
    <div className={styles['summary']}>
      <p className={styles['about']}>
        Each day one mail about all syncs: how each source stands, what it brought in 24 hours, what failed and why, what waits for a
        decision. It comes also when nothing ran.
      </p>
      {standing.mailConfigured ? null : <Alert type="warning" showIcon title="No mail is sent until e-mail is configured." />}
      <RuleForm<Entered>
        form={form}
        initialValues={{ enabled: standing.enabled, hour: standing.hour }}
        refusedAt={{ no_address: 'enabled' }}
        onSubmit={save}
      >
        <RuleField name="enabled" valuePropName="checked" chosen>
          <CheckBox>{email === '' ? 'Daily summary of syncs' : `Daily summary of syncs to ${email}`}</CheckBox>
        </RuleField>
        <div hidden={!enabled}>
          <RuleField name="hour" label="At" chosen extra={`On the clock of ${timeZone()}`}>
            <Select options={hours} className={styles['hour'] ?? ''} />
          </RuleField>
        </div>
        <div className={styles['foot']}>
          <SubmitButton whenChanged>Save</SubmitButton>
          {standing.nextAt === null ? null : (
            <span className={styles['next']}>
              Next: <ExactTime value={standing.nextAt} />
            </span>
          )}
        </div>
      </RuleForm>
    </div>
  );
}
