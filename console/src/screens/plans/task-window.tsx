/** The window in which a task is to be installed. Administrators set it and take it back. */

import {
  type PlanTask,
  type PlanWindow,
  schedulePlanTaskEndpoint,
} from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { dateRequired } from '@patch/contract/form-rules/required-rules.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useMay } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { FormButtons } from '../../resources/form-fields.tsx';
import { ZonedDatePicker } from '../../values/zoned-date-picker.tsx';
import { Button } from '../../widgets/button.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import styles from './plans.module.css';

interface TaskWindowProps {
  readonly planId: number;
  readonly task: Pick<PlanTask, 'position' | 'window'>;
}

export function TaskWindow({ planId, task: { position, window } }: TaskWindowProps) {
  const mayAct = useMay('operator');
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const schedule = useMutation({
    mutationFn: (next: PlanWindow | null) =>
      callApi(schedulePlanTaskEndpoint, {
        params: { id: String(planId), position: String(position) },
        body: { window: next },
      }),
    onSuccess: (plan) => queries.setQueryData(queryKeys.plans.one(planId), plan),
  });
  const takeBack = () => schedule.mutate(null, { onError: (failure) => toast.failure(failure) });
  const named = <span className="visually-hidden"> task {position + 1}</span>;
  return (
    <div className={styles['window']}>
      {window !== null && (
        <p>
          Scheduled from <ExactTime value={window.from} /> until <ExactTime value={window.until} />
        </p>
      )}
      {mayAct && !editing && (
        <>
          <Button small onClick={() => setEditing(true)}>
            {window === null ? 'Schedule' : 'Reschedule'}
            {named}
          </Button>
          {window !== null && (
            <Button small look="quiet" loading={schedule.isPending} onClick={takeBack}>
              Take back
              {named}
            </Button>
          )}
        </>
      )}
      {editing && (
        <RuleForm<PlanWindow>
          initialValues={window ?? { from: 0, until: 0 }}
          onSubmit={async (next) => {
            await schedule.mutateAsync(next);
            setEditing(false);
          }}
        >
          <RuleField name="from" label="From" rules={[dateRequired]}>
            <ZonedDatePicker />
          </RuleField>
          <RuleField name="until" label="Until" rules={[dateRequired]}>
            <ZonedDatePicker />
          </RuleField>
          <FormButtons submit="Schedule" onCancel={() => setEditing(false)} />
        </RuleForm>
      )}
    </div>
  );
}
