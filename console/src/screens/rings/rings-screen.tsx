/** Rings with their checkpoints, clients and groups, the rules that make checkpoints, and the checkpoints of the catalogue. */
import {
  type Checkpoint,
  removeCheckpointEndpoint,
} from '@patch/contract/licensing/checkpoint-endpoints.ts';
import { type Ring, removeRingEndpoint } from '@patch/contract/licensing/ring-endpoints.ts';
import { type ReactNode, useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useMay } from '../../api/session.ts';
import { ResourceList, RowButton } from '../../resources/resource-list.tsx';
import { Button } from '../../widgets/button.tsx';
import { formatCount, formatNumber } from '../../widgets/format-number.ts';
import { PageHeader } from '../../widgets/page-header.tsx';
import rows from '../../widgets/row-list.module.css';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import { type RingAction, RingDialog } from './ring-dialog.tsx';
import styles from './rings-screen.module.css';
import { RuleList } from './rule-list.tsx';
import { followWords } from './rule-words.ts';
import { useCheckpoints, useRings } from './use-rings.ts';

const ringsKey = queryKeys.rings.all();
const checkpointsKey = queryKeys.checkpoints.all();

export function RingsScreen() {
  const mayAct = useMay('approver');
  const [action, setAction] = useState<RingAction | null>(null);
  return (
    <>
      <PageHeader
        title="Rings"
        actions={
          mayAct && (
            <>
              <Button onClick={() => setAction({ kind: 'new ring' })}>New ring</Button>
              <Button onClick={() => setAction({ kind: 'new rule' })}>New rule</Button>
              <Button look="primary" onClick={() => setAction({ kind: 'new checkpoint' })}>
                New checkpoint
              </Button>
            </>
          )
        }
      />
      <div className={`${styles['screen']} mt-4`}>
        <p className="text-quiet">
          A checkpoint is the catalogue as it was at a moment. The licensed clients of a ring get
          the catalogue as it was at the checkpoint of the ring, until the ring is promoted or the
          rule that it follows moves it. Its machines, which these clients or its groups report, are
          patched by it: commands and plans leave out what the ring does not have.
        </p>
        <RingList mayAct={mayAct} onAct={setAction} />
        <RuleList mayAct={mayAct} onEdit={(rule) => setAction({ kind: 'edit rule', rule })} />
        <CheckpointList mayAct={mayAct} onAct={setAction} />
      </div>
      <RingDialog action={action} onClose={() => setAction(null)} />
    </>
  );
}

interface ListProps {
  readonly mayAct: boolean;
  readonly onAct: (action: RingAction) => void;
}

const Buttons = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['buttons']}>{children}</div>
);

function RingList({ mayAct, onAct }: ListProps) {
  const remove = useConfirmedAction({
    question: ({ name }: Ring) => ({
      title: `Remove the ring ${name}?`,
      body: 'Its clients get the catalogue as it is again, with their next call. Nothing is held back on its machines.',
      danger: true,
      yes: 'Remove',
    }),
    run: ({ id }) => callApi(removeRingEndpoint, { params: { id: String(id) } }),
    success: ({ name }) => `Ring ${name} removed.`,
    invalidates: [ringsKey],
  });
  return (
    <ResourceList
      query={useRings()}
      what="rings"
      label="Rings"
      empty="No rings yet. All clients get the catalogue as it is."
      action={(ring) => (
        <Buttons>
          {mayAct && (
            <RowButton
              label="Promote"
              object={`the ring ${ring.name}`}
              onClick={() => onAct({ kind: 'promote', ring })}
            />
          )}
          <RowButton
            label="Decisions"
            object={`for the ring ${ring.name}`}
            onClick={() => onAct({ kind: 'decisions', ring })}
          />
          {mayAct && (
            <>
              <RowButton
                label="Edit"
                object={`the ring ${ring.name}`}
                onClick={() => onAct({ kind: 'edit ring', ring })}
              />
              <RowButton
                label="Remove"
                object={`the ring ${ring.name}`}
                onClick={() => void remove(ring)}
              />
            </>
          )}
        </Buttons>
      )}
    >
      {({ name, checkpoint, promotedTime, promotedBy, clients, groups, follows, ...ring }) => (
        <>
          <strong>{name}</strong>
          <p>
            On {checkpoint.name}, {formatCount(clients.length, ['client', 'clients'])}
            {groups.length > 0 &&
              `, ${formatCount(groups.length, ['group', 'groups'])} of machines`}
          </p>
          {follows !== null && <p>{followWords(follows)}</p>}
          {ring.passesExploited && <p>Known exploited CVEs pass</p>}
          {ring.approved + ring.declined > 0 && (
            <p>
              {formatNumber(ring.approved)} approved, {formatNumber(ring.declined)} declined
            </p>
          )}
          <p className={rows['quiet']}>
            Moved there <TimeAgo value={promotedTime} /> by {promotedBy}
          </p>
        </>
      )}
    </ResourceList>
  );
}

function CheckpointList({ mayAct, onAct }: ListProps) {
  const remove = useConfirmedAction({
    question: ({ name }: Checkpoint) => ({
      title: `Remove the checkpoint ${name}?`,
      body: 'Former versions of records that only this checkpoint has are removed too.',
      danger: true,
      yes: 'Remove',
    }),
    run: ({ id }) => callApi(removeCheckpointEndpoint, { params: { id: String(id) } }),
    success: ({ name }) => `Checkpoint ${name} removed.`,
    invalidates: [checkpointsKey],
  });
  return (
    <section aria-labelledby="checkpoints">
      <h2 id="checkpoints" className={styles['heading']}>
        Checkpoints
      </h2>
      <ResourceList
        query={useCheckpoints()}
        what="checkpoints"
        label="Checkpoints"
        empty="No checkpoints yet."
        action={(checkpoint) => (
          <Buttons>
            <RowButton
              label="Compare"
              object={`${checkpoint.name} with now`}
              onClick={() => onAct({ kind: 'compare', checkpoint })}
            />
            {mayAct && (
              <RowButton
                label="Remove"
                object={`the checkpoint ${checkpoint.name}`}
                onClick={() => void remove(checkpoint)}
              />
            )}
          </Buttons>
        )}
      >
        {({ name, createdTime, createdBy }) => (
          <>
            <strong>{name}</strong>
            <p className={rows['quiet']}>
              Created <TimeAgo value={createdTime} /> by {createdBy}
            </p>
          </>
        )}
      </ResourceList>
    </section>
  );
}
