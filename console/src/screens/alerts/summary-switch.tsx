/** Enables the daily email about all syncs for the current administrator, and sets its hour. A section of the account screen. */

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

type SummaryInput = Pick<SyncSummaryReply, 'enabled' | 'hour'>;

const queryKey = queryKeys.syncSummary.all();
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: hour,
  label: `${String(hour).padStart(2, '0')}:00`,
}));

/** Renders nothing for users who are not administrators. */
export function SummarySwitch() {
  const { user } = useSession();
  const isAdmin = user?.userType === 'Admin';
  const current = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(syncSummaryEndpoint, { signal }),
    enabled: isAdmin,
  });
  if (!isAdmin) return null;
  if (current.data !== undefined) return <SummaryForm current={current.data} email={user.email} />;
  if (current.isPending) return <Skeleton rows={2} />;
  return (
    <LoadFailure
      what="daily summary"
      failure={current.error}
      onReload={() => void current.refetch()}
    />
  );
}

function SummaryForm({
  current,
  email,
}: {
  readonly current: SyncSummaryReply;
  readonly email: string;
}) {
  const queries = useQueryClient();
  const [form] = Form.useForm<SummaryInput>();
  const enabled = Form.useWatch('enabled', form) ?? current.enabled;

  async function save({ enabled: isWanted, hour }: SummaryInput): Promise<void> {
    const saved = await callApi(saveSyncSummaryEndpoint, {
      body: { enabled: isWanted, hour, timeZone: timeZone() },
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
      {current.mailConfigured ? null : (
        <Notice kind="warning" title="No email is sent until the mail server is configured." />
      )}
      <RuleForm<SummaryInput>
        form={form}
        initialValues={{ enabled: current.enabled, hour: current.hour }}
        fieldErrors={{ no_address: 'enabled' }}
        onSubmit={save}
      >
        <RuleField name="enabled" valuePropName="checked" isChoice>
          <CheckBox>
            {email === '' ? 'Daily summary of syncs' : `Daily summary of syncs to ${email}`}
          </CheckBox>
        </RuleField>
        <div hidden={!enabled}>
          <RuleField name="hour" label="At" isChoice extra={`${timeZone()} time`}>
            <Select options={hours} className={styles['hour'] ?? ''} />
          </RuleField>
        </div>
        <div className={styles['foot']}>
          <SubmitButton whenChanged>Save</SubmitButton>
          {current.nextAt === null ? null : (
            <span className={styles['next']}>
              Next: <ExactTime value={current.nextAt} />
            </span>
          )}
        </div>
      </RuleForm>
    </div>
  );
}
