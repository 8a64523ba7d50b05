/** Enables the daily email about all syncs for the current administrator, and sets its hour. A section of the account screen. */
import {
  type SyncSummaryReply,
  saveSyncSummaryEndpoint,
  syncSummaryEndpoint,
} from '@patch/contract/reports/sync-summary-endpoints.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Form } from 'antd';
import { apiQuery } from '../../api/api-query.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone, useSession } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { RuleForm } from '../../forms/rule-form.tsx';
import { CheckField, FormButtons, HourField } from '../../resources/form-fields.tsx';
import { Loaded } from '../../resources/loaded.tsx';
import { Notice } from '../../widgets/notice.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import styles from './summary-switch.module.css';

type SummaryInput = Pick<SyncSummaryReply, 'enabled' | 'hour'>;

const queryKey = queryKeys.syncSummary.all();

/** Renders nothing for users who are not administrators. */
export function SummarySwitch() {
  const { user } = useSession();
  const isAdmin = user?.userType === 'Admin';
  const current = useQuery({ ...apiQuery(queryKey, syncSummaryEndpoint), enabled: isAdmin });
  if (!isAdmin) return null;
  return (
    <Loaded query={current} what="daily summary" rows={2}>
      {(data) => <SummaryForm current={data} email={user.email} />}
    </Loaded>
  );
}

interface SummaryFormProps {
  readonly current: SyncSummaryReply;
  readonly email: string;
}

function SummaryForm({ current, email }: SummaryFormProps) {
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
        <CheckField name="enabled">
          {email === '' ? 'Daily summary of syncs' : `Daily summary of syncs to ${email}`}
        </CheckField>
        <HourField hidden={!enabled} />
        <FormButtons submit="Save" whenChanged>
          {current.nextAt === null ? null : (
            <span className={styles['next']}>
              Next: <ExactTime value={current.nextAt} />
            </span>
          )}
        </FormButtons>
      </RuleForm>
    </div>
  );
}
