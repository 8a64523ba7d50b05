/** The dialogs of rings and checkpoints. */
import { type Checkpoint, createCheckpointEndpoint } from '@patch/contract/checkpoint-endpoints.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  changeRingEndpoint,
  createRingEndpoint,
  type Ring,
} from '@patch/contract/ring-endpoints.ts';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { Form, Modal } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { RuleForm } from '../../forms/rule-form.tsx';
import { FormButtons, SelectField, TextField } from '../../resources/form-fields.tsx';
import { Loaded } from '../../resources/loaded.tsx';
import { useLastShown } from '../../resources/side-drawer.tsx';
import { CatalogueDifference } from './catalogue-difference.tsx';
import { useCheckpoints, useClientChoices } from './use-rings.ts';

export type RingAction =
  | { readonly kind: 'new checkpoint' }
  | { readonly kind: 'compare'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'new ring' }
  | { readonly kind: 'edit ring' | 'promote'; readonly ring: Ring };

function toTitle(action: RingAction): string {
  switch (action.kind) {
    case 'new checkpoint':
      return 'New checkpoint';
    case 'compare':
      return `${action.checkpoint.name} compared with now`;
    case 'new ring':
      return 'New ring';
    case 'edit ring':
      return 'Edit ring';
    case 'promote':
      return `Promote ${action.ring.name}`;
  }
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
      {shown !== null && <RingDialogContent action={shown} onClose={onClose} />}
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
  return <RingForms action={action} onClose={onClose} />;
}

/** Returns a function that reports what was saved, fetches it again and closes the dialog. */
function useSaved(onClose: () => void) {
  const queries = useQueryClient();
  return async (words: string, queryKey: QueryKey) => {
    toast.success(words);
    await queries.invalidateQueries({ queryKey });
    onClose();
  };
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
  readonly action: Exclude<RingAction, { readonly kind: 'compare' | 'new checkpoint' }>;
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

const toOptions = (items: readonly { readonly id: number; readonly name: string }[]) =>
  items.map(({ id, name }) => ({ value: id, label: name }));

interface RingInput {
  readonly name: string;
  readonly checkpoint: number;
  readonly clients: readonly number[];
}

/** The name and the clients of a ring; of a new one also its checkpoint. */
function RingForm({ ring, checkpoints, onClose }: RingFormProps<Ring | null>) {
  const saved = useSaved(onClose);
  const choices = useClientChoices();
  const members = ring?.clients ?? [];
  const known = new Set(members.map(({ id }) => id));
  const others = (choices.data ?? []).filter(({ id }) => !known.has(id));
  return (
    <RuleForm<RingInput>
      initialValues={{
        name: ring?.name ?? '',
        clients: [...known],
        ...(checkpoints[0] !== undefined && { checkpoint: checkpoints[0].id }),
      }}
      fieldErrors={{ name_taken: 'name' }}
      onSubmit={async ({ name, checkpoint, clients }) => {
        const body = { name, clients: [...clients] };
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
      <SelectField
        name="clients"
        label="Licensed clients"
        extra="A client of another ring moves to this one."
        options={toOptions([...members, ...others])}
        select={{
          mode: 'multiple',
          optionFilterProp: 'label',
          loading: choices.isPending,
          placeholder: 'Choose clients',
        }}
      />
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
      <PromotedDifference from={ring.checkpoint.id} newest={newest.id} />
      <FormButtons submit="Promote" onCancel={onClose} />
    </RuleForm>
  );
}

function PromotedDifference({ from, newest }: { readonly from: number; readonly newest: number }) {
  const to = Form.useWatch<number | undefined>('checkpoint') ?? newest;
  return (
    <>
      {to < from && <p>This checkpoint is older: the ring moves back.</p>}
      <CatalogueDifference from={from} to={to} />
    </>
  );
}
