/** The dialogs of rings, rules and checkpoints. */

import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type Checkpoint,
  createCheckpointEndpoint,
} from '@patch/contract/licensing/checkpoint-endpoints.ts';
import type { CheckpointRule } from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';
import {
  changeRingEndpoint,
  createRingEndpoint,
  type Ring,
} from '@patch/contract/licensing/ring-endpoints.ts';
import { Form, Modal } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { RuleForm } from '../../forms/rule-form.tsx';
import { CheckField, FormButtons, SelectField, TextField } from '../../resources/form-fields.tsx';
import { Loaded } from '../../resources/loaded.tsx';
import { useLastShown } from '../../resources/side-drawer.tsx';
import { CatalogueDifference } from './catalogue-difference.tsx';
import { CheckpointRuleForm } from './checkpoint-rule-form.tsx';
import { FollowFields, type FollowInput, toFollowInput, toFollows } from './follow-fields.tsx';
import { MemberFields, toIds, toOptions } from './member-fields.tsx';
import { RingDecisions } from './ring-decisions.tsx';
import { useCheckpoints, useRules } from './use-rings.ts';
import { useSaved } from './use-saved.ts';

export type RingAction =
  | { readonly kind: 'new checkpoint' }
  | { readonly kind: 'compare'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'new rule' }
  | { readonly kind: 'edit rule'; readonly rule: CheckpointRule }
  | { readonly kind: 'new ring' }
  | { readonly kind: 'edit ring' | 'promote'; readonly ring: Ring }
  | { readonly kind: 'decisions'; readonly ring: Ring };

function toTitle(action: RingAction): string {
  switch (action.kind) {
    case 'new checkpoint':
      return 'New checkpoint';
    case 'compare':
      return `${action.checkpoint.name} compared with now`;
    case 'new rule':
      return 'New rule';
    case 'edit rule':
      return 'Edit rule';
    case 'new ring':
      return 'New ring';
    case 'edit ring':
      return 'Edit ring';
    case 'promote':
      return `Promote ${action.ring.name}`;
    case 'decisions':
      return `Approved and declined for ${action.ring.name}`;
  }
}

/** A form that is still closing is not reused for another ring or rule. */
function toKey(action: RingAction): string {
  if ('ring' in action) return `${action.kind} ${action.ring.id}`;
  return 'rule' in action ? `${action.kind} ${action.rule.id}` : action.kind;
}

interface RingDialogProps {
  /** Null: closed. */
  readonly action: RingAction | null;
  readonly onClose: () => void;
}

export function RingDialog({ action, onClose }: RingDialogProps) {
  const shown = useLastShown(action);
  return (
    <Modal
      open={action !== null}
      title={shown === null ? '' : toTitle(shown)}
      mask={{ closable: false }}
      footer={null}
      onCancel={onClose}
      destroyOnHidden
    >
      {shown !== null && <RingDialogContent key={toKey(shown)} action={shown} onClose={onClose} />}
    </Modal>
  );
}

interface ContentProps {
  readonly action: RingAction;
  readonly onClose: () => void;
}

function RingDialogContent({ action, onClose }: ContentProps) {
  if (action.kind === 'compare')
    return <CatalogueDifference from={action.checkpoint.id} to={null} />;
  if (action.kind === 'new checkpoint') return <CheckpointForm onClose={onClose} />;
  if (action.kind === 'new rule') return <CheckpointRuleForm rule={null} onClose={onClose} />;
  if (action.kind === 'edit rule')
    return <CheckpointRuleForm rule={action.rule} onClose={onClose} />;
  if (action.kind === 'decisions') return <RingDecisions ring={action.ring} />;
  return <RingForms action={action} onClose={onClose} />;
}

const nameField = (
  <TextField name="name" label="Name" rules={[required, shortText]} input={{ maxLength: 100 }} />
);

function CheckpointForm({ onClose }: Pick<ContentProps, 'onClose'>) {
  const saved = useSaved(onClose);
  return (
    <RuleForm<{ readonly name: string }>
      fieldErrors={{ name_taken: 'name' }}
      onSubmit={async ({ name }) => {
        await callApi(createCheckpointEndpoint, { body: { name } });
        await saved(`Checkpoint ${name} created.`, queryKeys.checkpoints.all());
      }}
    >
      {nameField}
      <p className="text-quiet">It has the catalogue as it is now.</p>
      <FormButtons submit="Create checkpoint" onCancel={onClose} />
    </RuleForm>
  );
}

interface RingFormsProps extends Pick<ContentProps, 'onClose'> {
  readonly action: Extract<RingAction, { readonly kind: 'new ring' | 'edit ring' | 'promote' }>;
}

function RingForms({ action, onClose }: RingFormsProps) {
  return (
    <Loaded query={useCheckpoints()} what="checkpoints" rows={3}>
      {(checkpoints) =>
        action.kind === 'promote' ? (
          <PromoteForm ring={action.ring} checkpoints={checkpoints} onClose={onClose} />
        ) : (
          <RingForm
            ring={action.kind === 'edit ring' ? action.ring : null}
            checkpoints={checkpoints}
            onClose={onClose}
          />
        )
      }
    </Loaded>
  );
}

interface RingFormProps<Edited extends Ring | null> extends Pick<ContentProps, 'onClose'> {
  readonly ring: Edited;
  /** Newest first. */
  readonly checkpoints: readonly Checkpoint[];
}

interface RingInput extends Partial<FollowInput> {
  readonly name: string;
  readonly checkpoint: number;
  readonly clients: readonly number[];
  readonly groups: readonly number[];
  readonly passesExploited: boolean;
}

/** The name of a ring, its clients and groups and the rule that it follows; of a new one also its checkpoint. */
function RingForm({ ring, checkpoints, onClose }: RingFormProps<Ring | null>) {
  const saved = useSaved(onClose);
  const rules = useRules().data ?? [];
  return (
    <RuleForm<RingInput>
      initialValues={{
        name: ring?.name ?? '',
        clients: toIds(ring?.clients),
        groups: toIds(ring?.groups),
        passesExploited: ring?.passesExploited ?? false,
        ...toFollowInput(ring?.follows ?? null),
        ...(checkpoints[0] !== undefined && { checkpoint: checkpoints[0].id }),
      }}
      fieldErrors={{ name_taken: 'name', rule_keeps_too_few: 'afterDays' }}
      onSubmit={async ({ name, checkpoint, clients, groups, passesExploited, ...follow }) => {
        const members = { clients: [...clients], groups: [...groups] };
        const body = { name, ...members, passesExploited, ...toFollows(follow) };
        await (ring === null
          ? callApi(createRingEndpoint, { body: { ...body, checkpoint } })
          : callApi(changeRingEndpoint, { params: { id: String(ring.id) }, body }));
        await saved(`Ring ${name} is saved.`, queryKeys.rings.all());
      }}
    >
      {nameField}
      {ring === null && (
        <SelectField
          name="checkpoint"
          label="Checkpoint"
          rules={[required as never]}
          options={toOptions(checkpoints)}
          select={{ placeholder: 'Create a checkpoint first' }}
        />
      )}
      <MemberFields ring={ring} />
      {rules.length > 0 && <FollowFields rules={rules} />}
      <CheckField
        name="passesExploited"
        extra="Its clients get records of known exploited CVEs as they are now, before the ring is promoted."
      >
        Known exploited CVEs pass
      </CheckField>
      <FormButtons submit="Save ring" onCancel={onClose} />
    </RuleForm>
  );
}

/** Shows what its clients get before the ring moves. */
function PromoteForm({ ring, checkpoints, onClose }: RingFormProps<Ring>) {
  const saved = useSaved(onClose);
  const others = checkpoints.filter(({ id }) => id !== ring.checkpoint.id);
  const [newest] = others;
  if (newest === undefined) return <p>There is no other checkpoint. Create one first.</p>;
  return (
    <RuleForm<Pick<RingInput, 'checkpoint'>>
      initialValues={{ checkpoint: newest.id }}
      onSubmit={async ({ checkpoint }) => {
        const params = { id: String(ring.id) };
        const changed = await callApi(changeRingEndpoint, { params, body: { checkpoint } });
        await saved(`${ring.name} is on ${changed.checkpoint.name}.`, queryKeys.rings.all());
      }}
    >
      <SelectField
        name="checkpoint"
        label={`From ${ring.checkpoint.name} to`}
        options={toOptions(others)}
      />
      <PromotedDifference ring={ring} newest={newest.id} />
      <FormButtons submit="Promote" onCancel={onClose} />
    </RuleForm>
  );
}

function PromotedDifference({ ring, newest }: { readonly ring: Ring; readonly newest: number }) {
  const to = Form.useWatch<number | undefined>('checkpoint') ?? newest;
  const from = ring.checkpoint.id;
  return (
    <>
      {to < from && <p>This checkpoint is older: the ring moves back.</p>}
      <CatalogueDifference from={from} to={to} ring={ring.id} />
    </>
  );
}
