/** Lists the decisions for a ring, with the form that approves or declines the records of a name. */
import { catalogueLists, getList, type ListKey } from '@patch/catalogue/lists.ts';
import { maxReasonLength } from '@patch/contract/fleet/exception-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import {
  decideEndpoint,
  type Ring,
  type RingDecision,
  takeBackDecisionEndpoint,
} from '@patch/contract/licensing/ring-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useMay } from '../../api/session.ts';
import { RuleForm } from '../../forms/rule-form.tsx';
import { FormButtons, SelectField, TextField, toOptions } from '../../resources/form-fields.tsx';
import { ResourceList, RowButton } from '../../resources/resource-list.tsx';
import { formatCount } from '../../widgets/format-number.ts';
import { recordPath } from '../../widgets/list-paths.ts';
import rows from '../../widgets/row-list.module.css';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import { useDecisions } from './use-rings.ts';
import { useSaved } from './use-saved.ts';

interface RingProps {
  readonly ring: Pick<Ring, 'id' | 'name'>;
}

export function RingDecisions({ ring }: RingProps) {
  const mayAct = useMay('approver');
  const [saved, setSaved] = useState(0);
  const query = useDecisions(ring.id);
  const takeBack = useConfirmedAction({
    question: ({ name }: RingDecision) => ({
      title: `Take the decision about ${name} back?`,
      body: 'The clients of the ring get its records as the checkpoint has them.',
      yes: 'Take back',
    }),
    run: ({ id }) => callApi(takeBackDecisionEndpoint, { params: { id: String(id) } }),
    success: ({ name }) => `The decision about ${name} is taken back.`,
    invalidates: [queryKeys.rings.all()],
  });
  return (
    <>
      <ResourceList
        query={query}
        what="decisions"
        label="Decisions"
        empty="Nothing is approved or declined. The clients get all records as the checkpoint has them."
        action={(decision) =>
          mayAct && (
            <RowButton
              label="Take back"
              object={`the decision about ${decision.name}`}
              onClick={() => void takeBack(decision)}
            />
          )
        }
      >
        {(decision) => <DecisionRow decision={decision} />}
      </ResourceList>
      {/* The list above would move a form that is already used. */}
      {mayAct && !query.isPending && (
        <DecisionForm key={saved} ring={ring} onSaved={() => setSaved(saved + 1)} />
      )}
    </>
  );
}

const decisionLabels = { approved: 'Approved', declined: 'Declined' } as const;

function DecisionRow({ decision }: { readonly decision: RingDecision }) {
  const { list, label, name, records, firstRecord, isCaughtUp, reason } = decision;
  return (
    <>
      {firstRecord === null ? (
        <strong>{name}</strong>
      ) : (
        <Link to={recordPath(getList(list as ListKey), firstRecord)}>
          <strong>{name}</strong>
        </Link>
      )}{' '}
      <em className={rows['mark']}>{decisionLabels[decision.decision]}</em>
      <p>
        {label}, {formatCount(records, ['record', 'records'])}
        {isCaughtUp && ', which the checkpoint has as they are now'}
      </p>
      <p>{reason}</p>
      <p className={rows['quiet']}>
        <TimeAgo value={decision.decidedTime} /> by {decision.decidedBy}
      </p>
    </>
  );
}

const listOptions = catalogueLists
  .filter(({ source }) => source !== null)
  .map(({ key, label }) => ({ value: key, label }));

type DecisionInput = Pick<RingDecision, 'list' | 'name' | 'decision' | 'reason'>;

function DecisionForm({ ring, onSaved }: RingProps & { readonly onSaved: () => void }) {
  const saved = useSaved(onSaved);
  return (
    <RuleForm<DecisionInput>
      initialValues={{ decision: 'approved' }}
      fieldErrors={{ not_found: 'name' }}
      onSubmit={async (body) => {
        await callApi(decideEndpoint, { params: { id: String(ring.id) }, body });
        await saved(`${body.name} is ${body.decision} for ${ring.name}.`, queryKeys.rings.all());
      }}
    >
      <SelectField
        name="decision"
        label="Decision"
        options={toOptions(decisionLabels)}
        extra="Approved: the clients get the records as they are now. Declined: they do not get them."
      />
      <SelectField
        name="list"
        label="List"
        rules={[required as never]}
        options={listOptions}
        select={{ showSearch: true, optionFilterProp: 'label', placeholder: 'Choose a list' }}
      />
      <TextField
        name="name"
        label="KB, advisory or other name"
        rules={[required]}
        input={{ maxLength: 200 }}
      />
      <TextField
        name="reason"
        label="Reason"
        rules={[required]}
        input={{ maxLength: maxReasonLength }}
      />
      <FormButtons submit="Save decision" />
    </RuleForm>
  );
}
