/** Routes of notes and assignees: those of a record, and what is assigned to whom. */
import { mayDecide } from '@patch/contract/fleet/exception-kinds.ts';
import {
  addNoteEndpoint,
  assignEndpoint,
  assignmentsEndpoint,
  recordNotesEndpoint,
  removeNoteEndpoint,
} from '@patch/contract/records/note-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Sight } from '../../platform/http/sight.ts';
import type { SearchStore } from '../../records/search/search-store.ts';
import { assertSeen, findSeenMachines } from '../../records/search/seen-machines.ts';
import { readOwner } from '../groups/read-owner.ts';
import { readAssignees, readAssignments, writeAssignee } from './assignment-store.ts';
import { describeFinding, nameFinding } from './finding-store.ts';
import { addNote, lockNote, readNotes, removeNote } from './note-store.ts';

interface NoteRoutes {
  readonly database: Database;
  readonly clock: () => number;
  readonly store: Pick<SearchStore, 'findIds'>;
}

/** A caller of some groups decides for their machines alone. @throws AppError `limited_to_groups` */
function assertDecidable(machineId: number | null, { groups }: Sight): void {
  if (machineId === null && groups !== null)
    throw new AppError(
      'limited_to_groups',
      'You may write and assign about what machines miss that you see, not about records on all machines.',
    );
}

export function noteRoutes(route: RouteRegistrar, { database, clock, store }: NoteRoutes): void {
  const assertKnown = async (machineId: number | null, sight: Sight) => {
    if (machineId !== null) await assertSeen(store, sight, machineId);
  };

  route(recordNotesEndpoint, async ({ params, query: { machineId = null }, sight }) => {
    await assertKnown(machineId, sight);
    const finding = await nameFinding(database, { ...params, machineId });
    const objList = await readNotes(database, finding);
    const assignees = await readAssignees(database, finding);
    return { objList: [...objList], totalCount: objList.length, ...assignees };
  });

  route(addNoteEndpoint, async ({ params, body, changed, ...request }) => {
    const { text, machineId = null } = body;
    await assertKnown(machineId, request.sight);
    assertDecidable(machineId, request.sight);
    const user = requireUser(request);
    const [note, finding] = await database.transaction(async (tx) => {
      const named = await nameFinding(tx, { ...params, machineId }, true);
      return [await addNote(tx, named, text, user, clock()), named] as const;
    });
    changed({ subject: `note on ${describeFinding(finding)}`, after: { ...finding, text } });
    return note;
  });

  route(removeNoteEndpoint, async ({ params: { noteId }, changed, ...request }) => {
    const user = requireUser(request);
    const seen = await findSeenMachines(store, request.sight);
    const note = await database.transaction(async (tx) => {
      const stored = await lockNote(tx, noteId);
      const isKnown = stored?.machineId === null || seen?.has(stored?.machineId ?? 0) !== false;
      if (stored === null || !isKnown)
        throw new AppError('not_found', `Note ${noteId} does not exist.`);
      assertDecidable(stored.machineId, request.sight);
      if (!mayDecide(user, { userId: stored.byUserId }))
        throw new AppError(
          'not_allowed',
          'Only an approver or an administrator may remove notes of others. An operator removes own ones.',
        );
      await removeNote(tx, noteId);
      return stored;
    });
    changed({ subject: `note on ${describeFinding(note)}`, before: note });
    return {};
  });

  route(assignEndpoint, async ({ params, body, changed, ...request }) => {
    const { assignee, machineId = null } = body;
    await assertKnown(machineId, request.sight);
    assertDecidable(machineId, request.sight);
    const { name } = requireUser(request);
    const [finding, before, after] = await database.transaction(async (tx) => {
      const named = await nameFinding(tx, { ...params, machineId }, true);
      const read = async () => {
        const found = await readAssignees(tx, named);
        return machineId === null ? found.assignee : found.machineAssignee;
      };
      const previous = await read();
      await writeAssignee(tx, named, await readOwner(tx, assignee), name, clock());
      return [named, previous, await read()] as const;
    });
    changed({
      subject: `assignee of ${describeFinding(finding)}`,
      before: { ...finding, assignee: before?.name ?? null },
      after: { ...finding, assignee: after?.name ?? null },
    });
    return {};
  });

  route(assignmentsEndpoint, async ({ query, ...request }) => {
    const seen = await findSeenMachines(store, request.sight);
    const machines = seen === null ? 'all' : [...seen];
    return readAssignments(database, { ...query, me: requireUser(request), machines });
  });
}
