/** Whether the daily summary of all syncs comes to the administrator who reads this, and when: a section of the own account. */

import {
  type SyncSummaryReply,
  saveSyncSummaryEndpoint,
  syncSummaryEndpoint,
} from '@patch/contract/sync-summary-endpoints.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Form, Select } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone, useSession } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { Notice } from '../../widgets/notice.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import styles from './summary-switch.module.css';

type Entered = Pick<SyncSummaryReply, 'enabled' | 'hour'>;

const queryKey = queryKeys.syncSummary.all();
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: hour,
  label: `${String(hour).padStart(2, '0')}:00`,
}));

/** Renders nothing for users who are not administrators. */
export function SummarySwitch() {
  const { user } = useSession();
  const isAdmin = user?.userType === 'Admin';
  const standing = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(syncSummaryEndpoint, { signal }),
    enabled: isAdmin,
  });
  if (!isAdmin) return null;
  if (standing.data !== undefined)
    return <SummaryForm standing={standing.data} email={user.email} />;
  if (standing.isPending) return <Skeleton rows={2} />;
  return (
    <LoadFailure
      what="daily summary"
      failure={standing.error}
      onReload={() => void standing.refetch()}
    />
  );
}

function SummaryForm({
  standing,
  email,
}: {
  readonly standing: SyncSummaryReply;
  readonly email: string;
}) {
  const queries = useQueryClient();
  const [form] = Form.useForm<Entered>();
  const enabled = Form.useWatch('enabled', form) ?? standing.enabled;

  async function save({ enabled: wanted, hour }: Entered): Promise<void> {
    const saved = await callApi(saveSyncSummaryEndpoint, {
      body: { enabled: wanted, hour, timeZone: timeZone() },
    });
    queries.setQueryData(queryKey, saved);
    toast.success(saved.enabled ? 'The daily summary is on.' : 'The daily summary is off.');
  }
  return (
    <div className={styles['summary']}>
      <p className={styles['about']}>
        One email a day about all syncs: the state of each source, its changes in the last 24 hours,
        failures with their reasons, and pending decisions. Sent even if nothing ran.
      </p>
      {standing.mailConfigured ? null : (
        <Notice kind="warning" title="No email is sent until the mail server is configured." />
      )}
      <RuleForm<Entered>
        form={form}
        initialValues={{ enabled: standing.enabled, hour: standing.hour }}
        fieldErrors={{ no_address: 'enabled' }}
        onSubmit={save}
      >
        <RuleField name="enabled" valuePropName="checked" chosen>
          <CheckBox>
            {email === '' ? 'Daily summary of syncs' : `Daily summary of syncs to ${email}`}
          </CheckBox>
        </RuleField>
        <div hidden={!enabled}>
          <RuleField name="hour" label="At" chosen extra={`${timeZone()} time`}>
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
