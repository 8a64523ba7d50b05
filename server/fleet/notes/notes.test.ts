/** Notes and assignees in the complete service: a random sequence against a plain model, who may do what, and limits. */
import { seeds } from '@patch/catalogue/testing/rounds.ts';
import type { UserType } from '@patch/contract/base/user-types.ts';
import {
  maxNoteLength,
  maxNotes,
  type RecordNotes,
} from '@patch/contract/records/note-endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { buildUser } from '../../testing/factories.ts';
import { withMachinesOfClients } from '../testing/machines-of-clients.ts';
import { Random } from '../testing/random-fleet.ts';

const identifiers = ['ALSA-2024:1', 'ALSA-2024:2', 'ALSA-2024:3'];

interface Note {
  readonly id: number;
  readonly record: string;
  readonly machine: number | null;
  readonly text: string;
  readonly by: string;
  byUserId: number | null;
}

interface Assigned {
  readonly record: string;
  readonly machine: number | null;
  readonly name: string;
  readonly userId: number | null;
  readonly by: string;
}

const nameOf = (assignee: unknown) => (assignee as { readonly name: string } | null)?.name ?? null;

describeWithDatabase('notes and assignees', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator: admin, stan } = service;
  beforeEach(() =>
    service.database.script(
      "delete from record_note; delete from record_assignment; delete from users where name not in ('Operator', 'Stan')",
    ),
  );

  const pathOf = async (identifier: string) =>
    `/records/almalinux_patch/${await fleet.recordId(identifier)}`;
  const add = async (name: string, userType: UserType = 'Operator') => {
    const id = await buildUser(service.database, { name, userType });
    return { id, name, userType, caller: service.as(await service.createToken(name)) };
  };
  const assignments = async (to = '') =>
    (await stan.get(`/records/assignments${to === '' ? '' : `?to=${to}`}`).json) as {
      readonly objList: readonly Readonly<Record<string, unknown>>[];
      readonly totalCount: number;
    };

  test.each(seeds(2))('equal a plain model after each of random actions: seed %i', async (seed) => {
    const random = new Random(seed);
    const paths = new Map<string, string>();
    for (const identifier of identifiers) paths.set(identifier, await pathOf(identifier));
    const machines = [await fleet.add('a'), await fleet.add('b')];
    const people = [await add('Planner'), await add('Other'), await add('Chief', 'Approver')];
    let notes: Note[] = [];
    let assigned: Assigned[] = [];
    const isSame = (a: Pick<Note, 'record' | 'machine'>, b: Pick<Note, 'record' | 'machine'>) =>
      a.record === b.record && a.machine === b.machine;

    const addNote = async () => {
      const [person, record] = [random.of(people), random.of(identifiers)];
      const machine = random.of([null, ...machines]);
      const text = `Text ${random.below(1000)}`;
      const body = { text, ...(machine !== null && { machineId: machine }) };
      const { json } = await person.caller.post(`${paths.get(record)}/notes`, body);
      const { id, name: by } = person;
      notes.unshift({ id: Number(json['id']), record, machine, text, by, byUserId: id });
    };
    const removeNote = async () => {
      if (notes.length === 0) return;
      const [note, person] = [random.of(notes), random.of(people)];
      const may = person.userType === 'Approver' || note.byUserId === person.id;
      expect(await person.caller.delete(`/records/notes/${note.id}`).outcome).toBe(
        may ? '200' : '403 not_allowed',
      );
      if (may) notes = notes.filter((one) => one !== note);
    };
    const assign = async () => {
      const [person, record] = [random.of(people), random.of(identifiers)];
      const machine = random.of([null, ...machines]);
      const user = random.of([...people, null, null]);
      const assignee =
        user === null ? random.of([null, { address: 'ops@example.org' }]) : { userId: user.id };
      const body = { assignee, ...(machine !== null && { machineId: machine }) };
      expect(await person.caller.put(`${paths.get(record)}/assignee`, body).status).toBe(200);
      assigned = assigned.filter((one) => !isSame(one, { record, machine }));
      if (assignee === null) return;
      const name = user?.name ?? 'ops@example.org';
      assigned.unshift({ record, machine, name, userId: user?.id ?? null, by: person.name });
    };
    const removeMachine = async () => {
      const index = random.below(machines.length);
      const [gone] = machines.splice(index, 1, await fleet.add(`new-${service.now}`));
      expect(await admin.delete(`/machines/${gone}`).status).toBe(200);
      notes = notes.filter(({ machine }) => machine !== gone);
      assigned = assigned.filter(({ machine }) => machine !== gone);
    };
    const removeUser = async () => {
      const gone = random.of(people);
      const { id, userType } = gone;
      expect(await admin.delete(`/user/${id}`).status).toBe(200);
      people.splice(people.indexOf(gone), 1, await add(`Person ${service.now}`, userType));
      for (const note of notes) if (note.byUserId === id) note.byUserId = null;
      assigned = assigned.filter(({ userId }) => userId !== id);
    };

    async function compare(): Promise<void> {
      for (const [record, path] of paths)
        for (const machine of [null, ...machines]) {
          const query = machine === null ? '' : `?machineId=${machine}`;
          const own = (one: Pick<Note, 'record' | 'machine'>) =>
            isSame(one, { record, machine: null }) || isSame(one, { record, machine });
          const find = (wanted: number | null) =>
            assigned.find((one) => isSame(one, { record, machine: wanted }))?.name ?? null;
          const { objList, totalCount, assignee, machineAssignee } = (await stan.get(
            `${path}/notes${query}`,
          ).json) as unknown as RecordNotes;
          const expected = notes.filter(own);
          expect([totalCount, nameOf(assignee), nameOf(machineAssignee)]).toEqual([
            expected.length,
            find(null),
            machine === null ? null : find(machine),
          ]);
          expect(
            objList.map(({ id, machineId, text, by, byUserId }) => ({
              id,
              record,
              machine: machineId,
              text,
              by,
              byUserId,
            })),
          ).toEqual(expected);
        }
      const all = await assignments();
      expect([
        all.totalCount,
        all.objList.map(({ identifier, machineId, name, userId, by }) => ({
          record: identifier,
          machine: machineId,
          name,
          userId,
          by,
        })),
      ]).toEqual([assigned.length, assigned]);
      for (const machine of machines)
        for (const row of (await fleet.missing(machine)).objList) {
          const record = String(row['identifier']);
          const dealsWith =
            assigned.find((one) => isSame(one, { record, machine })) ??
            assigned.find((one) => isSame(one, { record, machine: null }));
          const count = notes.filter(
            (note) => note.record === record && (note.machine ?? machine) === machine,
          ).length;
          expect([row['notes'], nameOf(row['assignee'])]).toEqual([count, dealsWith?.name ?? null]);
        }
    }

    const often = [addNote, addNote, addNote, removeNote, removeNote, assign, assign, assign];
    const done = new Set<string>();
    for (let step = 0; step < 40; step += 1) {
      service.now += 1000;
      const action = random.of([...often, removeMachine, removeUser]);
      done.add(action.name);
      await action();
      await compare();
    }
    expect([...done].toSorted()).toEqual([
      'addNote',
      'assign',
      'removeMachine',
      'removeNote',
      'removeUser',
    ]);
  });

  test('are read by everybody, written by operators, and removed by their author or an approver', async () => {
    const machineId = await fleet.add('a');
    const [planner, other, chief] = [
      await add('Planner'),
      await add('Other'),
      await add('Chief', 'Approver'),
    ];
    const path = await pathOf('ALSA-2024:2');
    const refused = '403 not_allowed';
    expect(await stan.post(`${path}/notes`, { text: 'No' }).outcome).toBe(refused);
    expect(await stan.put(`${path}/assignee`, { assignee: null }).outcome).toBe(refused);
    const write = async () =>
      Number((await planner.caller.post(`${path}/notes`, { text: 'Ask', machineId }).json)['id']);
    const [first, second] = [await write(), await write()];
    for (const caller of [stan, other.caller])
      expect(await caller.delete(`/records/notes/${first}`).outcome).toBe(refused);
    expect(await planner.caller.delete(`/records/notes/${first}`).status).toBe(200);
    expect(await chief.caller.delete(`/records/notes/${second}`).status).toBe(200);
    expect(await chief.caller.delete(`/records/notes/${second}`).outcome).toBe('404 not_found');

    const third = await write();
    await admin.delete(`/user/${planner.id}`).json;
    expect(await other.caller.delete(`/records/notes/${third}`).outcome).toBe(refused);
    expect(await stan.get(`${path}/notes?machineId=${machineId}`).list).toMatchObject([
      { id: third, by: 'Planner', byUserId: null },
    ]);
    expect(await chief.caller.delete(`/records/notes/${third}`).status).toBe(200);
  });

  test('are in the audit log with what was before', async () => {
    const machineId = await fleet.add('a');
    const planner = await add('Planner');
    const path = await pathOf('ALSA-2024:2');
    const { id } = await planner.caller.post(`${path}/notes`, { text: 'Ask', machineId }).json;
    await planner.caller.delete(`/records/notes/${Number(id)}`).json;
    const assign = (assignee: object | null) =>
      planner.caller.put(`${path}/assignee`, { machineId, assignee }).json;
    await assign({ userId: planner.id });
    await assign({ address: 'ops@example.org' });
    await assign(null);
    const entries = await admin.get('/audit?size=5&user=Planner').list;
    const onHost = 'ALSA-2024:2 on host-a';
    const subject = `assignee of ${onHost}`;
    expect(entries).toMatchObject([
      { subject, before: { assignee: 'ops@example.org' }, after: { assignee: null } },
      { subject, before: { assignee: 'Planner' }, after: { assignee: 'ops@example.org' } },
      { subject, before: { assignee: null }, after: { assignee: 'Planner' } },
      { action: 'remove_record_note', subject: `note on ${onHost}`, before: { text: 'Ask' } },
      { action: 'add_record_note', subject: `note on ${onHost}`, after: { text: 'Ask' } },
    ]);
  });

  test('are at most 100 on a record, and as many on a machine that misses it', async () => {
    const machineId = await fleet.add('a');
    const path = `${await pathOf('ALSA-2024:2')}/notes`;
    const write = (more: object = {}) => admin.post(path, { text: 'Again', ...more });
    const ids: number[] = [];
    for (let count = 0; count < maxNotes; count += 1) ids.push(Number((await write().json)['id']));
    expect(await write().outcome).toBe('409 too_many_notes');
    expect(await write({ machineId }).status).toBe(201);
    expect(await admin.post(`${await pathOf('ALSA-2024:1')}/notes`, { text: 'x' }).status).toBe(
      201,
    );
    expect((await stan.get(`${path}?machineId=${machineId}`).json)['totalCount']).toBe(101);
    expect(await admin.delete(`/records/notes/${ids[50]}`).status).toBe(200);
    // One of several concurrent writes fits into the limit.
    const outcomes = await Promise.all([write().outcome, write().outcome, write().outcome]);
    expect(outcomes.toSorted()).toEqual(['201', '409 too_many_notes', '409 too_many_notes']);
  });

  test('have plain text, an existing record and machine, and a user or an address', async () => {
    const path = await pathOf('ALSA-2024:2');
    const write = (text: string, more: object = {}, to = path) =>
      admin.post(`${to}/notes`, { text, ...more }).outcome;
    expect(await write('x'.repeat(maxNoteLength))).toBe('201');
    expect(await write('Two lines:\nsecond\tcolumn')).toBe('201');
    for (const text of ['', '  ', 'x'.repeat(maxNoteLength + 1), 'a\0b', 'a\u202eb'])
      expect([text.slice(0, 9), await write(text)]).toEqual([
        text.slice(0, 9),
        '422 invalid_input',
      ]);
    const noRecord = '404 not_found';
    expect(await write('x', {}, '/records/almalinux_patch/999999')).toBe(noRecord);
    expect(await write('x', {}, path.replace('almalinux', 'rockylinux'))).toBe(noRecord);
    expect(await write('x', {}, path.replace('almalinux_patch', 'machines'))).toBe(noRecord);
    expect(await write('x', { machineId: 999_999_999 })).toBe(noRecord);
    const assign = (assignee: unknown, more: object = {}) =>
      admin.put(`${path}/assignee`, { assignee, ...more }).outcome;
    expect(await assign({ userId: 999_999 })).toBe('404 no_such_user');
    expect(await assign({ address: 'nobody' })).toBe('422 invalid_input');
    expect(await assign(undefined)).toBe('422 invalid_input');
    expect(await assign({ address: 'a@example.org' }, { machineId: 999_999_999 })).toBe(noRecord);
    expect((await assignments()).totalCount).toBe(0);
  });

  test('list what is assigned to somebody, in pages, with the names that things have now', async () => {
    const machineId = await fleet.add('a');
    const planner = await add('Planner');
    const assign = async (identifier: string, assignee: object, more: object = {}) => {
      service.now += 1000;
      await planner.caller.put(`${await pathOf(identifier)}/assignee`, { assignee, ...more }).json;
    };
    await assign('ALSA-2024:1', { userId: planner.id });
    await assign('ALSA-2024:2', { address: 'PLANNER@example.org' }, { machineId });
    await assign('ALSA-2024:3', { address: 'ops@example.org' });
    const found = async (to: string, caller = stan) =>
      (await caller.get(`/records/assignments?to=${to}`).list).map(({ identifier }) => identifier);
    const own = ['ALSA-2024:2', 'ALSA-2024:1'];
    expect(await found('me', planner.caller)).toEqual(own);
    expect(await found('me')).toEqual([]);
    expect(await found('planner@EXAMPLE.org')).toEqual(own);
    expect(await found(String(planner.id))).toEqual(['ALSA-2024:1']);
    expect(await found('OPS@example.org')).toEqual(['ALSA-2024:3']);
    expect(await stan.get('/records/assignments?offset=1&size=1').json).toMatchObject({
      totalCount: 3,
      objList: [{ identifier: 'ALSA-2024:2', machineId, machine: 'host-a', by: 'Planner' }],
    });
    // A machine with another name is the same machine, and a withdrawn record keeps its name.
    await fleet.outcomes(fleet.north, {
      key: 'a',
      name: 'renamed',
      text: 'ID=almalinux\nVERSION_ID=8.9\nbash-4.4.20-4.el8.x86_64',
    });
    await service.rows(
      "update stored_record set withdrawn_time = 1 where identifier = 'ALSA-2024:2'",
    );
    try {
      expect((await assignments()).objList[1]).toMatchObject({
        identifier: 'ALSA-2024:2',
        machine: 'renamed',
      });
      const path = await service.rows(
        "select id from stored_record where identifier = 'ALSA-2024:2'",
      );
      expect(
        await stan.get(
          `/records/almalinux_patch/${Number(path[0]?.['id'])}/notes?machineId=${machineId}`,
        ).json,
      ).toMatchObject({ machineAssignee: { name: 'PLANNER@example.org' } });
    } finally {
      await service.rows('update stored_record set withdrawn_time = null');
    }
  });

  test('of a machine end with it, also when it is silent for long', async () => {
    const machineId = await fleet.add('a');
    const path = await pathOf('ALSA-2024:2');
    for (const more of [{}, { machineId }]) {
      await admin.post(`${path}/notes`, { text: 'Kept', ...more }).json;
      await admin.put(`${path}/assignee`, { assignee: { address: 'a@example.org' }, ...more }).json;
    }
    await fleet.maintain(1, service.now + 100 * 24 * 3_600_000);
    expect(await stan.get(`${path}/notes?machineId=${machineId}`).outcome).toBe('404 not_found');
    expect(await stan.get(`${path}/notes`).json).toMatchObject({ totalCount: 1 });
    expect((await assignments()).objList).toMatchObject([{ machineId: null }]);
    expect(await service.rows('select machine_id from record_note')).toEqual([
      { machine_id: null },
    ]);
  });
});
