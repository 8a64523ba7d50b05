/** "Notes and assignee" of a record, or of what one machine misses: who deals with it, and what people say about it. */
import { mayDecide } from '@patch/contract/fleet/exception-kinds.ts';
import {
  type Assignee,
  type RecordNote,
  type RecordNotes as Reply,
  removeNoteEndpoint,
} from '@patch/contract/records/note-endpoints.ts';
import { useId, useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useIsLimited, useMay, useSession } from '../api/session.ts';
import { toast } from '../api/toast.ts';
import { ResourceRows, RowButton } from '../resources/resource-list.tsx';
import { Button } from '../widgets/button.tsx';
import { lazyAntd } from '../widgets/lazy-antd.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import rows from '../widgets/row-list.module.css';
import { TimeAgo } from '../widgets/time-ago.tsx';
import { useConfirmedAction } from '../widgets/use-confirmed-action.ts';
import styles from './fleet.module.css';
import { type Finding, useAssign, useRecordNotes } from './use-notes.ts';

const NoteForm = lazyAntd(() => import('./note-form.tsx'), 'NoteForm');
const AssigneeForm = lazyAntd(() => import('./assignee-form.tsx'), 'AssigneeForm');

interface RecordNotesProps {
  readonly list: string;
  readonly id: number;
  /** The heading level below that of the record. */
  readonly Heading: 'h2' | 'h3';
}

export function RecordNotes({ list, id, Heading }: RecordNotesProps) {
  const titleId = useId();
  return (
    <section className="grid grid-cols-1 gap-3 min-w-0" aria-labelledby={titleId}>
      <Heading id={titleId} className="text-body font-600">
        Notes and assignee
      </Heading>
      <FindingNotes finding={{ list, recordId: id }} />
    </section>
  );
}

export function FindingNotes({ finding }: { readonly finding: Finding }) {
  const { data, error, refetch } = useRecordNotes(finding);
  // Users of some groups decide for their machines alone.
  const isOfAll = finding.machineId === undefined;
  const isLimited = useIsLimited();
  const mayWrite = useMay('operator') && !(isOfAll && isLimited);
  if (error !== null)
    return <LoadFailure what="notes" failure={error} onReload={() => void refetch()} />;
  if (data === undefined) return null;
  const hasMachine = finding.machineId !== undefined;
  return (
    <>
      <div>
        {hasMachine && <AssigneeLine where="On this machine" assignee={data.machineAssignee} />}
        <AssigneeLine where={hasMachine ? 'On all machines' : null} assignee={data.assignee} />
      </div>
      {mayWrite && <NoteActions finding={finding} notes={data} />}
      {data.objList.length > 0 && <NoteRows notes={data.objList} hasMachine={hasMachine} />}
    </>
  );
}

interface AssigneeLineProps {
  readonly where: string | null;
  readonly assignee: Assignee | null;
}

function AssigneeLine({ where, assignee }: AssigneeLineProps) {
  return (
    <p>
      {where !== null && <>{where}: </>}
      {assignee === null ? (
        <span className="text-quiet">Nobody is assigned</span>
      ) : (
        <>
          Assigned to <strong className="break-anywhere">{assignee.name}</strong>{' '}
          <span className="text-quiet">
            by {assignee.by}, <TimeAgo value={assignee.time} />
          </span>
        </>
      )}
    </p>
  );
}

function NoteActions({ finding, notes }: { readonly finding: Finding; readonly notes: Reply }) {
  const { user } = useSession();
  const [form, setForm] = useState<'note' | 'assignee' | null>(null);
  const assign = useAssign(finding);
  const assignee = finding.machineId === undefined ? notes.assignee : notes.machineAssignee;
  const close = () => setForm(null);
  if (form === 'note') return <NoteForm finding={finding} onClose={close} />;
  if (form === 'assignee')
    return <AssigneeForm finding={finding} assignee={assignee} onClose={close} />;
  return (
    <div className="flex flex-wrap gap-2">
      {user !== null && assignee?.userId !== user.id && (
        <Button
          small
          loading={assign.isPending}
          onClick={() =>
            assign.mutate({ userId: user.id }, { onError: (failure) => toast.failure(failure) })
          }
        >
          Assign to me
        </Button>
      )}
      <Button small onClick={() => setForm('assignee')}>
        {assignee === null ? 'Assign' : 'Change assignee'}
      </Button>
      <Button small onClick={() => setForm('note')}>
        Add note
      </Button>
    </div>
  );
}

interface NoteRowsProps {
  readonly notes: readonly RecordNote[];
  readonly hasMachine: boolean;
}

function NoteRows({ notes, hasMachine }: NoteRowsProps) {
  const { user } = useSession();
  const isLimited = useIsLimited();
  const remove = useConfirmedAction({
    question: ({ by }: RecordNote) => ({
      title: `Remove the note of ${by}?`,
      body: 'The audit log keeps its text.',
      danger: true,
      yes: 'Remove note',
    }),
    run: ({ id }) => callApi(removeNoteEndpoint, { params: { noteId: String(id) } as never }),
    success: () => 'The note has been removed.',
    invalidates: [queryKeys.notes.all(), queryKeys.lists.all('machines')],
  });
  return (
    <ResourceRows
      label="Notes"
      items={notes}
      action={(note) =>
        mayDecide(user, { userId: note.byUserId }) &&
        !(isLimited && note.machineId === null) && (
          <RowButton
            label="Remove"
            object={`the note of ${note.by}`}
            onClick={() => void remove(note)}
          />
        )
      }
    >
      {({ text, by, time, machineId }) => (
        <>
          <p className={styles['note']}>{text}</p>
          <p className={rows['quiet']}>
            {by}, <TimeAgo value={time} />
            {hasMachine && machineId === null && ', on all machines'}
          </p>
        </>
      )}
    </ResourceRows>
  );
}
