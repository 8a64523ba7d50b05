/** Makes a plan of the fewest updates for the machines of a search, or for those that miss a record, and opens it. */

import { requestCriteria } from '@patch/contract/base/requested-criteria.ts';
import {
  createPlanEndpoint,
  type PlanChoice,
} from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Modal } from 'antd';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useMay } from '../api/session.ts';
import { RuleForm } from '../forms/rule-form.tsx';
import { FormButtons, SelectField, TextField } from '../resources/form-fields.tsx';
import { Button } from '../widgets/button.tsx';
import { planPath } from '../widgets/list-paths.ts';
import { choiceWords, offeredChoices } from './plan-words.ts';

interface PlanUpdatesProps {
  /** Criteria of the machines, as in the address of their list. */
  readonly criteria: string;
  /** Names of records to close, as in the criterion misses; absent: the person chooses. */
  readonly records?: readonly string[];
  readonly small?: boolean;
}

interface PlanInput {
  readonly name: string;
  readonly choice: PlanChoice;
}

export function PlanUpdates({ criteria, records, small = false }: PlanUpdatesProps) {
  const mayAct = useMay('operator');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  if (!mayAct) return null;

  async function create({ name, choice }: PlanInput): Promise<void> {
    const closed =
      records === undefined ? { choice } : { choice: 'records' as const, records: [...records] };
    const body = { name, criteria: requestCriteria(criteria), ...closed };
    const { id } = await callApi(createPlanEndpoint, { body });
    await queries.invalidateQueries({ queryKey: queryKeys.plans.all() });
    setOpen(false);
    void navigate({ to: planPath(id) });
  }
  return (
    <>
      <Button small={small} onClick={() => setOpen(true)}>
        Plan updates
      </Button>
      <Modal
        open={open}
        title="Plan updates"
        mask={{ closable: false }}
        footer={null}
        onCancel={() => setOpen(false)}
        destroyOnHidden
      >
        <p>
          The fewest updates for {describeMachines(criteria, records)}, by what is run. Nothing is
          executed here.
        </p>
        <RuleForm<PlanInput>
          initialValues={{ name: nameOf(records), choice: 'exploited' }}
          onSubmit={create}
        >
          <TextField
            name="name"
            label="Name"
            rules={[required, shortText]}
            input={{ maxLength: 100 }}
          />
          {records === undefined && (
            <SelectField
              name="choice"
              label="What to close"
              options={offeredChoices.map((value) => ({ value, label: choiceWords[value] }))}
            />
          )}
          <FormButtons submit="Make plan" onCancel={() => setOpen(false)} />
        </RuleForm>
      </Modal>
    </>
  );
}

function describeMachines(criteria: string, records: readonly string[] | undefined): string {
  if (records !== undefined) return `all machines that miss ${records.join(', ')}`;
  return criteria === '' ? 'all machines' : 'the machines that meet the criteria of the list';
}

const nameOf = (records: readonly string[] | undefined): string =>
  `${records?.join(', ').slice(0, 80) ?? 'Updates'} ${new Date().toISOString().slice(0, 10)}`;
