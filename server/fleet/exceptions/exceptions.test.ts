/** Exceptions of each kind and scope in the complete service: where they hold, how they end, and who is told. */
import type { UserType } from '@patch/contract/base/user-types.ts';
import { beforeEach, expect, test } from 'vitest';
import { day } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { buildUser } from '../../testing/factories.ts';
import { storedEvents } from '../../testing/stored-events.ts';
import { old, patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';

describeWithDatabase('exceptions', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;
  /** Events but those of overdue machines, which also follow from the time. */
  const otherEvents = async () =>
    (await storedEvents(service.database)).filter(([type]) => type !== 'machine.overdue');
  const start = service.now;
  beforeEach(() => {
    service.now = start;
    return service.database.script(
      'delete from missing_exception; delete from machine_group; delete from event; delete from outbox',
    );
  });

  const page = async (query = '') => await stan.get(`/machines/exceptions${query}`).json;
  const acceptedOn = async () =>
    (await fleet.machinesMissing('ALSA-2024:2')).objList
      .filter(({ accepted }) => accepted === true)
      .map(({ name }) => String(name))
      .toSorted();
  const newGroup = async (name: string, criteria: string) =>
    Number((await operator.post('/machines/groups', { name, criteria, owner: null }).json)['id']);
  const configureMail = () =>
    service.database.script(
      `insert into settings (name, value) values ('email_config', '{}') on conflict (name) do update set value = excluded.value`,
    );

  test('requires an end for all kinds but not_applicable, and allows at most 366 days', async () => {
    const id = await fleet.add('a');
    const status = async (more: object) => (await fleet.accept(id, more)).status;
    expect(await status({ until: null })).toBe(422);
    expect(await status({ kind: 'waiting', until: null })).toBe(422);
    expect(await status({ until: service.now + 367 * day })).toBe(422);
    expect(await status({ until: service.now + 366 * day })).toBe(201);
    expect(await status({ reason: ' ' })).toBe(422);
    expect(await status({ scope: 'group' })).toBe(422);
    expect(await status({ groupId: 1 })).toBe(422);
    expect(await status({ scope: 'group', groupId: 4_999_999 })).toBe(404);
    expect(await status({ kind: 'not_applicable', until: null })).toBe(201);
    expect(await page()).toMatchObject({ objList: [{ kind: 'not_applicable', until: null }] });
  });

  test('holds on a machine, a client, the machines that a group had, or all', async () => {
    const id = await fleet.add('a');
    await fleet.add('b');
    await fleet.add('s', undefined, fleet.south);
    const groupId = await newGroup('Two', 'machineKey.in.b*.s');
    await fleet.judge();
    const within = async (more: object) => {
      const { exceptionId } = (await fleet.accept(id, more)).json;
      await fleet.judge();
      const names = await acceptedOn();
      expect(
        (await fleet.search()).objList
          .filter((row) => row['accepted'] === 1)
          .map((row) => String(row['name']))
          .toSorted(),
      ).toEqual(names);
      return [Number(exceptionId), names] as const;
    };
    const remove = (exception: number) => operator.delete(`/machines/exceptions/${exception}`).json;
    const expected = {
      machine: ['host-a'],
      client: ['host-a', 'host-b'],
      all: ['host-a', 'host-b', 'host-s'],
    };
    for (const [scope, names] of Object.entries(expected)) {
      const [exception, found] = await within({ scope });
      expect([scope, found]).toEqual([scope, names]);
      await remove(exception);
    }
    const [exception, found] = await within({ scope: 'group', groupId });
    expect(found).toEqual(['host-b', 'host-s']);
    // A machine that joins the group later was not part of the decision; one that leaves it was.
    await operator.put(`/machines/groups/${groupId}`, { criteria: 'machineKey.in.a*.b' }).json;
    expect(await acceptedOn()).toEqual(['host-b', 'host-s']);
    expect(await page()).toMatchObject({ objList: [{ scope: 'group', name: 'Two', machines: 2 }] });
    // The same decision again has the machines that the group has now.
    expect((await within({ scope: 'group', groupId }))[1]).toEqual(['host-a', 'host-b']);
    await operator.delete(`/machines/groups/${groupId}`).json;
    expect(await page()).toMatchObject({ objList: [{ exceptionId: exception, name: null }] });
    expect(await acceptedOn()).toEqual(['host-a', 'host-b']);
  });

  test('lists what ends first in front, by kind, end, owner, group and client, in pages', async () => {
    const a = await fleet.add('a');
    const s = await fleet.add('s', undefined, fleet.south);
    await newGroup('Southern', 'client.equal.South');
    await newGroup('Nobody', 'machineKey.equal.none');
    const [first, second] = [
      await fleet.recordId('ALSA-2024:1'),
      await fleet.recordId('ALSA-2024:3'),
    ];
    const ends = (days: number) => ({ until: service.now + days * day });
    await fleet.accept(a, ends(30));
    await fleet.accept(s, { ...ends(5), kind: 'waiting', owner: { address: 'Ops@example.org' } });
    await fleet.accept(a, { recordId: first, kind: 'not_applicable', until: null, scope: 'all' });
    await fleet.accept(s, { recordId: second, ...ends(90), scope: 'client' });
    await service.rows('update missing_exception set owner_id = null where record_id = $1', [
      second,
    ]);
    const words = async (query: string) => {
      const { objList } = await page(query);
      return (objList as Record<string, unknown>[]).map(
        ({ identifier, kind }) => `${String(identifier)} ${String(kind)}`,
      );
    };
    const [soon, later, last, never] = [
      'ALSA-2024:2 waiting',
      'ALSA-2024:2 accepted',
      'ALSA-2024:3 accepted',
      'ALSA-2024:1 not_applicable',
    ];
    expect(await words('')).toEqual([soon, later, last, never]);
    expect(await words('?offset=1&size=2')).toEqual([later, last]);
    expect(await words('?kind=accepted')).toEqual([later, last]);
    expect(await words('?endsWithin=30')).toEqual([soon, later]);
    expect(await words('?owner=ops@EXAMPLE.org')).toEqual([soon]);
    const [{ id: operatorId } = {}] = await service.rows(
      "select id from users where name = 'Operator'",
    );
    expect(await words(`?owner=${Number(operatorId)}`)).toEqual([later, never]);
    expect(await words('?owner=operator@example.org')).toEqual([later, never]);
    expect(await words('?owner=none')).toEqual([last]);
    expect(await words('?group=southern')).toEqual([soon, last, never]);
    expect(await words('?group=nobody')).toEqual([]);
    expect(await stan.get('/machines/exceptions?group=x').outcome).toBe('404 no_such_group');
    expect(await words(`?client=${fleet.northId}`)).toEqual([later, never]);
    const counts = { accepted: 2, not_applicable: 1, waiting: 1, endSoon: 1 };
    expect(await page('?kind=accepted&size=1')).toMatchObject({ totalCount: 2, counts });
    expect(await page('?group=southern')).toMatchObject({
      totalCount: 3,
      counts: { ...counts, accepted: 1 },
    });
  });

  test('is prolonged with an entry in the audit log, also after its end', async () => {
    const id = await fleet.add('a');
    await fleet.judge();
    const { exceptionId } = (await fleet.accept(id)).json;
    const path = `/machines/exceptions/${Number(exceptionId)}`;
    service.now += 2 * day;
    await fleet.judge();
    expect(await acceptedOn()).toEqual([]);
    const until = service.now + 40 * day;
    const change = { kind: 'waiting', until, reason: 'The vendor has no fix yet' };
    await operator.put(path, change).json;
    await fleet.judge();
    expect(await acceptedOn()).toEqual(['host-a']);
    expect(await page()).toMatchObject({ objList: [{ ...change, owner: { name: 'Operator' } }] });
    const [entry] = await operator.get('/audit?size=1&action=change_missing_exception').list;
    expect(entry).toMatchObject({
      subject: 'exception on host-a',
      before: { kind: 'accepted', reason: 'Behind a firewall' },
      after: { ...change, identifier: 'ALSA-2024:2' },
    });
    expect(await operator.put(path, { ...change, until: null }).status).toBe(422);
    expect(await operator.put(path, { ...change, owner: { userId: 999_999 } }).outcome).toBe(
      '404 no_such_user',
    );
    expect(await operator.put('/machines/exceptions/999999', change).outcome).toBe('404 not_found');
    expect(await stan.put(path, change).status).toBe(403);
  });

  test('is decided by an operator for the own ones, and by an approver for those of all', async () => {
    const as = async (name: string, userType: UserType) => {
      const id = await buildUser(service.database, { name, userType });
      return [id, service.as(await service.createToken(name))] as const;
    };
    const [plannerId, planner] = await as('Planner', 'Operator');
    const [, otherPlanner] = await as('Other planner', 'Operator');
    const [, approver] = await as('Approver', 'Approver');
    const id = await fleet.add('a');
    const body = {
      list: 'almalinux_patch',
      recordId: await fleet.recordId('ALSA-2024:2'),
      until: service.now + day,
      reason: 'Behind a firewall',
    };
    const path = `/machines/${id}/exceptions`;
    const change = { kind: 'waiting', until: service.now + 2 * day, reason: 'Longer' };
    const refused = '403 not_allowed';
    const made = await planner.post(path, body);
    const own = `/machines/exceptions/${Number(made.json['exceptionId'])}`;
    expect(made.json).toMatchObject({ owner: { userId: plannerId } });
    expect(await planner.put(own, change).status).toBe(200);

    const others = { address: 'somebody@example.org' };
    expect(await planner.post(path, { ...body, owner: others }).outcome).toBe(refused);
    expect(await planner.put(own, { ...change, owner: others }).outcome).toBe(refused);
    // A new exception for the same machine would replace the one of the other operator.
    expect(await otherPlanner.post(path, body).outcome).toBe(refused);
    expect(await otherPlanner.put(own, change).outcome).toBe(refused);
    expect(await otherPlanner.delete(own).outcome).toBe(refused);
    expect(await stan.post(path, body).outcome).toBe(refused);
    expect(await page()).toMatchObject({ objList: [{ ...change, owner: { userId: plannerId } }] });

    expect(await approver.put(own, { ...change, owner: others }).status).toBe(200);
    expect(await planner.delete(own).outcome).toBe(refused);
    service.now += 3 * day;
    // It has ended, and protects nothing any more.
    const again = { ...body, until: service.now + day };
    const asPlanner = service.as(await service.createToken('Planner'));
    expect(await asPlanner.post(path, again).status).toBe(201);
    const asApprover = service.as(await service.createToken('Approver'));
    expect(await asApprover.delete(own).status).toBe(200);
  });

  test('counts as missing again at its end without a judgement in between', async () => {
    const id = await fleet.add('a');
    await fleet.judge();
    const { until } = (await fleet.accept(id)).json as { until: number };
    const missing = async () =>
      (await stan.post('/machines/search', { filter: "misses = 'ALSA-2024:2'" }).json)[
        'totalCount'
      ];
    const overdue = async () => (await stan.get(`/machines/${id}/missing`).json)['overdueCount'];
    service.now = until - 1;
    expect([await missing(), await overdue(), await acceptedOn()]).toEqual([0, 2, ['host-a']]);
    service.now = until;
    expect([await missing(), await overdue(), await acceptedOn()]).toEqual([1, 3, []]);
  });

  test('says once that it ends within 7 days and that it has ended, to readers of events and to its owner', async () => {
    await configureMail();
    const [a, b] = [await fleet.add('a'), await fleet.add('b', patched)];
    await fleet.judge();
    const until = service.now + 30 * day;
    await fleet.accept(a, { until });
    const other = await fleet.recordId('ALSA-2024:3');
    await fleet.accept(b, { until, recordId: other, owner: { address: 'ops@example.org' } });
    await fleet.accept(a, {
      until,
      recordId: other,
      scope: 'all',
      owner: { address: 'ops@example.org' },
    });
    const mails = async () =>
      (
        await service.rows(
          "select recipient, subject from outbox where kind = 'Exception' order by id",
        )
      )
        .map(({ recipient, subject }) => `${String(recipient)}: ${String(subject)}`)
        .toSorted();
    service.now = until - 7 * day - 1;
    await fleet.judge();
    expect([await otherEvents(), await mails()]).toEqual([[], []]);
    for (const at of [until - 7 * day, until - day]) {
      service.now = at;
      await fleet.judge();
      expect(await otherEvents()).toEqual([
        [
          'exception.ending',
          '3 exceptions end soon',
          [
            expect.stringMatching(
              /^ALSA-2024:2 on host-a: Accepted risk, ends on .* UTC, owner Operator, Behind a firewall$/,
            ),
            expect.stringMatching(/^ALSA-2024:3 on host-b: .* owner ops@example\.org/),
            expect.stringMatching(/^ALSA-2024:3 on all machines: /),
          ],
        ],
      ]);
    }
    const iso = new Date(until).toISOString();
    const date = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
    expect(await mails()).toEqual([
      `Operator@Example.org: The exception for ALSA-2024:2 on host-a ends on ${date}`,
      'ops@example.org: 2 exceptions end soon',
    ]);
    await service.database.script('delete from event; delete from outbox');
    for (const at of [until, until + day]) {
      service.now = at;
      await fleet.judge();
      // The record is critical, which the machine begins to miss again.
      expect((await otherEvents()).map(([type, title]) => [type, title])).toEqual([
        ['exception.ended', '3 exceptions have ended: their records count as missing again'],
        ['machine.critical', 'host-a of North misses critical records now'],
      ]);
    }
    expect(await mails()).toEqual([
      'Operator@Example.org: The exception for ALSA-2024:2 on host-a has ended: it counts as missing again',
      'ops@example.org: 2 exceptions have ended: their records count as missing again',
    ]);
  });

  test('lists ended exceptions for auditors, by date or by hand, and tells nobody of the latter', async () => {
    const id = await fleet.add('a');
    const end = async (reason: string) =>
      Number((await fleet.accept(id, { reason })).json['exceptionId']);
    const first = await end('Ends by its date');
    await operator.put(`/machines/exceptions/${first}`, {
      kind: 'accepted',
      until: service.now + day,
      reason: 'Ends by its date',
    }).json;
    const other = (await fleet.accept(id, { reason: 'Ends by hand', scope: 'client' })).json;
    const path = `/machines/exceptions/${Number(other['exceptionId'])}`;
    service.now += 3600_000;
    expect(await operator.delete(path).status).toBe(200);
    await fleet.judge();
    expect(await page()).toMatchObject({ totalCount: 1, objList: [{ exceptionId: first }] });
    expect(await operator.delete(path).outcome).toBe('404 not_found');
    expect(await otherEvents()).toEqual([]);

    service.now += 2 * day;
    await fleet.judge();
    expect(await page()).toMatchObject({ totalCount: 0, counts: { endSoon: 0 } });
    expect(await page('?endedWithin=30')).toMatchObject({
      totalCount: 2,
      objList: [
        { exceptionId: first, until: start + day, reason: 'Ends by its date' },
        { exceptionId: other['exceptionId'], until: start + 3600_000, reason: 'Ends by hand' },
      ],
      counts: { accepted: 2, endSoon: 0 },
    });
    expect(await page('?endedWithin=1')).toMatchObject({ totalCount: 0 });
    expect(await stan.get('/machines/exceptions?endedWithin=367').status).toBe(422);
    // One that was ended by hand is made anew in its place.
    expect((await fleet.accept(id, { scope: 'client' })).json).toMatchObject({
      exceptionId: other['exceptionId'],
    });
    expect(await page()).toMatchObject({ totalCount: 1 });
  });

  test('sends no email about machines that do not exist for the owner', async () => {
    await configureMail();
    const until = service.now + day;
    const body = { name: 'North', criteria: 'client.equal.North', owner: null };
    const { id: north } = await operator.post('/machines/groups', body).json;
    const ids = [await fleet.add('a'), await fleet.add('s', old, fleet.south)];
    const owner = { userId: await buildUser(service.database, { name: 'Owner' }) };
    for (const id of ids) await fleet.accept(id, { until, owner });
    await operator.put(`/user/${owner.userId}`, { machineGroups: [Number(north)] }).json;
    service.now = until;
    await fleet.judge();
    const subjects = await service.rows("select subject from outbox where kind = 'Exception'");
    expect(subjects.map(({ subject }) => String(subject))).toEqual([
      expect.stringMatching(/^The exception for ALSA-2024:2 on host-a has ended/),
    ]);
  });

  test('sends no email while email is not configured', async () => {
    await service.database.script("delete from settings where name = 'email_config'");
    const id = await fleet.add('a');
    await fleet.accept(id);
    service.now += 2 * day;
    await fleet.judge();
    expect(await otherEvents()).toHaveLength(1);
    expect(await service.rows("select id from outbox where kind = 'Exception'")).toEqual([]);
  });

  test('lists one of a machine with a new name under the old one, not as valid', async () => {
    await configureMail();
    const id = await fleet.add('a');
    const other = await fleet.add('b');
    const groupId = await newGroup('Both', 'machineKey.in.a*.b');
    const until = service.now + 6 * day;
    await fleet.accept(id, { until });
    const ofGroup = { recordId: await fleet.recordId('ALSA-2024:1'), scope: 'group', groupId };
    await fleet.accept(id, { ...ofGroup, until });
    const report = () => stan.get('/dashboard/machines/report?days=7').json;
    const rename = (key: string, name: string) =>
      fleet.outcomes(fleet.north, { key, name, text: old });
    const valid = async (query = '') =>
      ((await page(query))['objList'] as Record<string, unknown>[]).map(
        ({ identifier, name, holds }) => [identifier, name, holds],
      );
    const both = [
      ['ALSA-2024:2', 'host-a', true],
      ['ALSA-2024:1', 'Both', true],
    ];
    expect(await valid()).toEqual(both);
    expect(await report()).toMatchObject({ exceptionCount: 2 });

    await rename('a', 'db-7');
    await fleet.judge();
    expect(await fleet.missing(id)).toMatchObject({ acceptedCount: 0 });
    expect(await fleet.missing(other)).toMatchObject({ acceptedCount: 1 });
    expect(await valid()).toEqual([['ALSA-2024:1', 'Both', true]]);
    expect(await page()).toMatchObject({ totalCount: 1, counts: { accepted: 1, endSoon: 1 } });
    expect(await report()).toMatchObject({ exceptionCount: 1 });
    await newGroup('Renamed', 'name.equal.db-7');
    expect(await valid('?group=Renamed')).toEqual([]);
    expect(await valid('?endedWithin=1')).toEqual([['ALSA-2024:2', 'host-a', false]]);

    await rename('b', 'db-8');
    expect(await valid()).toEqual([]);
    expect(await valid('?endedWithin=1')).toEqual([
      ['ALSA-2024:1', 'Both', false],
      ['ALSA-2024:2', 'host-a', false],
    ]);
    // The old name comes back, as the other machine of a shared key does.
    await rename('a', 'host-a');
    expect(await valid()).toEqual(both);
    await rename('a', 'db-7');

    await service.database.script('delete from event');
    service.now = until;
    await fleet.judge();
    expect((await otherEvents()).filter(([type]) => type !== 'machine.critical')).toEqual([]);
    expect(await service.rows("select id from outbox where kind = 'Exception'")).toEqual([]);
    expect(await valid('?endedWithin=1')).toHaveLength(2);
  });

  test('reads an exception of before, which had neither kind nor owner', async () => {
    const id = await fleet.add('a');
    await fleet.judge();
    const until = service.now + 700 * day;
    await service.rows(
      `insert into missing_exception (client_id, machine_id, identity, list, record_id, until, reason, created_by, created_time)
       select client_id, id, identity, 'almalinux_patch', $2, $3, 'Old', 'Somebody', 1 from machine_standing where id = $1`,
      [id, await fleet.recordId('ALSA-2024:2'), until],
    );
    const stated = {
      kind: 'accepted',
      until,
      reason: 'Old',
      by: 'Somebody',
      owner: null,
      scope: 'machine',
    };
    expect(await page()).toMatchObject({ objList: [stated] });
    expect((await fleet.missing(id)).objList.at(-1)).toMatchObject({ accepted: stated });
    expect(await acceptedOn()).toEqual(['host-a']);
  });
});
