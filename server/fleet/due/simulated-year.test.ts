/**
 * Walks a year day by day, in which clocks, policies, groups, tags, exploitation, exceptions and records change, and compares what every
 * reader says of due dates with the rules, written again here in calendar days.
 */

import { getList } from '@patch/catalogue/lists.ts';
import { startOfDay } from '@patch/contract/dates/zoned-day.ts';
import { expect, test } from 'vitest';
import { day } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import type { Caller } from '../../testing/caller.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { type Found, withMachinesOfClients } from '../testing/machines-of-clients.ts';

interface Policy {
  readonly cisa: boolean;
  readonly exploited: number;
  readonly serious: number;
  readonly others: number;
}
const byDefault: Policy = { cisa: true, exploited: 14, serious: 30, others: 90 };

/** A record as the rules know it. Days are written as 2027-03-28. */
interface Known {
  readonly severity: string;
  readonly released: string | null;
  readonly cve: string;
  /** CISA's words about the CVE. */
  kev: { readonly since: string; readonly due: string | null } | null;
  isListed: boolean;
}
interface Group {
  policy: Policy | null;
  readonly has: (machine: string) => boolean;
}
interface Exception {
  readonly id: number;
  readonly record: string;
  readonly machines: readonly string[];
  /** Infinite: without end. */
  until: number;
}
interface Decision {
  readonly kind?: 'accepted' | 'not_applicable' | 'waiting';
  readonly scope?: 'machine' | 'client' | 'all';
  /** The name of a group, instead of a scope. */
  readonly group?: string;
}

/** Returns the calendar day that many days later, counted by the calendar and not in milliseconds. */
function addDays(date: string, days: number): string {
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, dayOfMonth + days)).toISOString().slice(0, 10);
}

function daysBetween(from: string, to: string): number {
  let days = 0;
  for (let date = from; date < to; date = addDays(date, 1)) days += 1;
  return days;
}

/** Returns the due date by the rules: the earliest that the words of any policy yield. */
function expectDueDate({ severity, released, kev }: Known, policies: readonly Policy[]) {
  const dates: string[] = [];
  for (const { cisa, exploited, serious, others } of policies) {
    const isSerious = ['Critical', 'Important'].includes(severity);
    if (released !== null) dates.push(addDays(released, isSerious ? serious : others));
    if (kev === null) continue;
    if (cisa && kev.due !== null) dates.push(kev.due);
    else dates.push(addDays([kev.since, released ?? ''].toSorted().at(-1) ?? '', exploited));
  }
  return dates.toSorted()[0] ?? null;
}

/** Days at whose local midnight and last moment is looked too: around changes of the clock, due dates, and an exception that ends at noon. */
const endsWithin = /2027-(?:01-04|02-10|03-2[789]|09-29|10-3[01])/;
const machines = ['web', 'db'] as const;
const packages = ['gawk', 'vim', 'zlib', 'gzip', 'tar', 'sed', 'grep', 'less'];
const inventory = `NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\n${packages.map((name) => `${name}-1-1.el8.x86_64\n`).join('')}`;

describeWithDatabase('a simulated year of due dates', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  /** A key of an administrator: sessions end within a year. */
  let caller: Caller;
  const known = new Map<string, Known>();
  const groups = new Map<string, Group>();
  const exceptions: Exception[] = [];
  const tagged = new Set<string>();
  const ids = new Map<string, number>();
  const groupIds = new Map<string, number>();

  /** Lists a record, of the package with its number. */
  const release = async (number: number, severity: string, released: string | null, time = '') => {
    const name = `ALSA-2027:${number}`;
    const cve = `CVE-2027-000${number}`;
    const fix = [[packages[number - 1] ?? '', '1-2.el8']] as const;
    const { row, ...rest } = erratum(name, severity, fix, { detail: { cve: [cve] } });
    const releaseDate = released === null ? null : Date.parse(`${released}${time}`);
    const record = { ...rest, row: { ...row, releaseDate } };
    await writeRecords(service.database, 'almalinux_patch', [record]);
    known.set(name, { severity, released, cve, kev: null, isListed: true });
  };
  const exploit = async (number: number, since: string, due: string | null) => {
    const record = known.get(`ALSA-2027:${number}`);
    if (record === undefined) throw new Error('Not released yet');
    const dates = { dateAdded: Date.parse(since), dueDate: due === null ? null : Date.parse(due) };
    await writeCveFacts(service.database, buildKevFacts(record.cve, dates));
    await refreshStaleCves(service.database);
    record.kev = { since, due };
  };
  const withdraw = async (number: number) => {
    const name = `ALSA-2027:${number}`;
    const list = getList('almalinux_patch');
    await withdrawRecords(service.database, list, [await fleet.recordId(name)], service.now);
    const record = known.get(name);
    if (record !== undefined) record.isListed = false;
  };
  const group = async (
    name: string,
    criteria: string,
    policy: Policy | null,
    has: Group['has'],
  ) => {
    const body = { name, criteria, owner: null, duePolicy: policy };
    groupIds.set(name, Number((await caller.post('/machines/groups', body).json)['id']));
    groups.set(name, { policy, has });
  };
  const setPolicy = async (name: string, policy: Policy | null) => {
    await caller.put(`/machines/groups/${groupIds.get(name)}`, { duePolicy: policy }).json;
    const changed = groups.get(name);
    if (changed !== undefined) changed.policy = policy;
  };
  const removeGroup = async (name: string) => {
    expect((await caller.delete(`/machines/groups/${groupIds.get(name)}`)).status).toBe(200);
    groups.delete(name);
  };
  /** Each client has one machine. A group has its machines of the day of the decision. */
  const accept = async (
    number: number,
    machine: string,
    until: string | null,
    { kind = 'accepted', scope = 'machine', group: name }: Decision = {},
  ) => {
    const record = `ALSA-2027:${number}`;
    const body = {
      list: 'almalinux_patch',
      recordId: await fleet.recordId(record),
      kind,
      until: until === null ? null : Date.parse(until),
      reason: 'Later',
      scope,
      ...(name !== undefined && { scope: 'group', groupId: groupIds.get(name) }),
    };
    const reply = await caller.post(`/machines/${ids.get(machine)}/exceptions`, body);
    expect(reply.status).toBe(201);
    const has = groups.get(name ?? '')?.has ?? ((one) => scope === 'all' || one === machine);
    exceptions.push({
      id: Number(reply.json['exceptionId']),
      record,
      machines: machines.filter(has),
      until: body.until ?? Number.POSITIVE_INFINITY,
    });
  };
  const exceptionOf = (number: number) => {
    const found = exceptions.findLast(({ record }) => record === `ALSA-2027:${number}`);
    if (found === undefined) throw new Error('Not accepted yet');
    return found;
  };
  const prolong = async (number: number, until: string) => {
    const exception = exceptionOf(number);
    exception.until = Date.parse(until);
    const body = { kind: 'waiting', until: exception.until, reason: 'Later still' };
    await caller.put(`/machines/exceptions/${exception.id}`, body).json;
  };
  const endException = async (number: number) => {
    const exception = exceptionOf(number);
    exception.until = service.now;
    expect((await caller.delete(`/machines/exceptions/${exception.id}`)).status).toBe(200);
  };
  const tag = async (machine: string, isTagged: boolean) => {
    const change = { [isTagged ? 'add' : 'remove']: ['critical'] };
    await caller.post('/machines/tags', { machines: [ids.get(machine)], ...change }).json;
    if (isTagged) tagged.add(machine);
    else tagged.delete(machine);
  };

  const strict = { cisa: true, exploited: 7, serious: 14, others: 45 };
  const lax = { cisa: false, exploited: 30, serious: 60, others: 365 };
  const events: Readonly<Record<string, () => Promise<unknown>>> = {
    '2026-12-05': () => release(1, 'Critical', '2026-12-05'),
    // Due on the day on which clocks of Europe change.
    '2026-12-28': () => release(2, 'Low', '2026-12-28'),
    '2027-01-10': () => release(3, 'Moderate', '2027-01-10'),
    '2027-01-15': () => release(5, 'Important', null),
    '2027-01-20': () => accept(1, 'web', '2027-02-10T12:00:00Z'),
    '2027-02-01': () => group('Web', 'client.equal.North', strict, (one) => one === 'web'),
    // The CVE becomes known exploited while the record is accepted.
    '2027-02-15': () => accept(3, 'web', '2027-03-20T00:00:00Z'),
    '2027-02-20': () => exploit(3, '2027-02-20', '2027-03-13'),
    // Ends with the local day on which clocks of Europe change.
    '2027-03-05': () => accept(1, 'web', '2027-03-28T22:00:00Z', { kind: 'waiting' }),
    '2027-03-15': () => setPolicy('Web', lax),
    '2027-04-01': () => release(4, 'Low', '2027-04-01'),
    '2027-04-05': () => accept(2, 'db', '2027-05-01T00:00:00Z', { scope: 'client' }),
    '2027-04-20': () => exploit(4, '2027-04-20', null),
    '2027-05-10': () =>
      group('Tagged', 'tags.in.critical', { ...strict, exploited: 3, serious: 10 }, (one) =>
        tagged.has(one),
      ),
    '2027-05-15': () => accept(2, 'db', null, { kind: 'not_applicable', scope: 'all' }),
    '2027-05-20': () => tag('web', true),
    '2027-06-01': () => exploit(5, '2027-06-01', '2027-06-22'),
    // The machine leaves the group before the exception ends.
    '2027-06-10': () =>
      accept(3, 'db', '2027-06-30T00:00:00Z', { kind: 'waiting', group: 'Tagged' }),
    '2027-06-20': () => tag('web', false),
    '2027-06-25': () => prolong(3, '2027-07-20T12:00:00Z'),
    '2027-07-01': () => release(6, 'Low', '2027-07-01', 'T18:30:00Z'),
    '2027-07-05': () => endException(2),
    // Overdue since long ago: CISA's later date gives no more time.
    '2027-08-01': () => release(7, 'Critical', '2025-03-01'),
    '2027-08-10': () => exploit(7, '2027-08-10', '2027-08-31'),
    '2027-08-15': () => release(8, 'Low', '2027-08-15', 'T23:59:59Z'),
    // Known exploited before its fix was released.
    '2027-08-16': () => exploit(8, '2027-05-01', null),
    '2027-09-01': () => group('Everything', '', null, () => true),
    '2027-09-10': () => accept(7, 'web', '2027-10-31T23:00:00Z', { scope: 'client' }),
    '2027-09-15': () => accept(7, 'db', null, { kind: 'not_applicable' }),
    '2027-10-01': () => removeGroup('Everything'),
    '2027-10-31': () => withdraw(6),
    '2027-11-01': () => setPolicy('Web', null),
  };

  function expected(machine: string, now: number) {
    const today = new Date(now).toISOString().slice(0, 10);
    const own = [...groups.values()].filter(({ has }) => has(machine));
    const policies = own.length === 0 ? [byDefault] : own.map(({ policy }) => policy ?? byDefault);
    return new Map(
      [...known].flatMap(([name, record]) => {
        if (!record.isListed) return [];
        const dueDate = expectDueDate(record, policies);
        const isAccepted = exceptions.some(
          (one) => one.record === name && one.machines.includes(machine) && now < one.until,
        );
        const late = dueDate === null || isAccepted ? 0 : daysBetween(dueDate, today);
        return [[name, { dueDate, overdueDays: late }] as const];
      }),
    );
  }

  const identifiersOf = async (list: string, filter: string, field: string) =>
    ((await caller.post(`/${list}/search`, { filter }).json) as unknown as Found).objList
      .map((row) => String(row[field]))
      .toSorted();

  /** Compares what each machine misses. Returns the names of overdue records by machine. */
  async function look() {
    const overdue = new Map<string, readonly string[]>();
    for (const machine of machines) {
      const rules = expected(machine, service.now);
      const { objList, ...reply } = (await caller.get(`/machines/${ids.get(machine)}/missing`)
        .json) as unknown as Found & { readonly overdueCount: number };
      const said = objList.map(({ identifier, due }) => {
        const { dueDate, overdueDays } = due as { dueDate: number | null; overdueDays: number };
        const date = dueDate === null ? null : new Date(dueDate).toISOString().slice(0, 10);
        return [String(identifier), { dueDate: date, overdueDays }] as const;
      });
      const when = `${machine} ${new Date(service.now).toISOString()}`;
      expect({ when, due: new Map(said) }).toEqual({ when, due: rules });
      const late = [...rules].filter(([, { overdueDays }]) => overdueDays > 0);
      overdue.set(machine, late.map(([name]) => name).toSorted());
      expect({ when, overdue: reply.overdueCount }).toEqual({ when, overdue: late.length });
    }
    const valid = exceptions.filter(({ until }) => service.now < until);
    const { totalCount } = await caller.get('/machines/exceptions?size=1').json;
    expect(totalCount).toBe(valid.length);
    return overdue;
  }

  /** Compares the numbers, the criteria by name, and the plan. */
  async function lookCloser(overdue: ReadonlyMap<string, readonly string[]>) {
    const late = machines.filter((machine) => overdue.get(machine)?.length !== 0).toSorted();
    expect(await identifiersOf('machines', 'overdue is not null', 'machineKey')).toEqual(late);
    const facet = late.length === 0 ? [] : [{ value: true, count: late.length }];
    for (const filter of ['', 'overdue is not null', 'overdue is null']) {
      const asked = caller.post('/machines/search/summary', { filter, facets: ['overdue'] });
      expect((await asked.json)['facets']).toEqual({ overdue: facet });
    }
    expect(await caller.get('/dashboard/machines').json).toMatchObject({
      machinesOverdue: late.length,
    });
    const counted = await caller.get('/machines/groups').list;
    expect(Object.fromEntries(counted.map((one) => [String(one['name']), one['overdue']]))).toEqual(
      Object.fromEntries(Array.from(groups, ([name, { has }]) => [name, late.filter(has).length])),
    );
    for (const machine of machines)
      expect(
        await identifiersOf('records', `overdueOn = '#${ids.get(machine)}'`, 'identifier'),
      ).toEqual(overdue.get(machine));
    for (const name of known.keys()) {
      const own = machines.filter((machine) => overdue.get(machine)?.includes(name)).toSorted();
      expect(await identifiersOf('machines', `overdue = '${name}'`, 'machineKey')).toEqual(own);
      const path = `/machines/exposure?misses=${name}`;
      expect(await caller.get(path).json).toMatchObject({ overdue: own.length });
    }
    const plan = await caller.post('/machines/plans', {
      name: 'Overdue',
      criteria: '',
      choice: 'overdue',
    }).json;
    const tasks = plan['tasks'] as readonly {
      readonly updates: readonly { readonly identifier: string; readonly due: object }[];
      readonly machines: readonly { readonly id: number }[];
    }[];
    const planned = tasks.flatMap(({ updates, machines: on }) =>
      updates.flatMap(({ identifier }) => on.map(({ id }) => `${identifier} on ${id}`)),
    );
    const wanted = [...overdue].flatMap(([machine, names]) =>
      names.map((name) => `${name} on ${ids.get(machine)}`),
    );
    expect(planned.toSorted()).toEqual(wanted.toSorted());
    for (const { updates, machines: on } of tasks)
      for (const { identifier, due } of updates) {
        const rules = machines
          .filter((machine) => on.some(({ id }) => id === ids.get(machine)))
          .map((machine) => expected(machine, service.now).get(identifier)?.dueDate ?? '');
        const earliest = Date.parse(rules.toSorted()[0] ?? '');
        expect(due).toMatchObject({ dueDate: earliest });
      }
    await caller.delete(`/machines/plans/${Number(plan['id'])}`).json;
  }

  test('are right on each day', { timeout: 300_000 }, async () => {
    const first = Date.UTC(2026, 11, 1);
    service.now = first;
    const key = { name: 'Year', scopes: ['read', 'clients'], expiresAt: first + 365 * day };
    caller = service.as((await service.operator.post('/me/apikeys', key).json)['key']);
    ids.set('web', await fleet.add('web', inventory));
    ids.set('db', await fleet.add('db', inventory, fleet.south));
    const turns = new Set<string>();
    let before = '';
    for (let days = 0; days < 365; days += 1) {
      const date = addDays('2026-12-01', days);
      service.now = first + days * day;
      const event = events[date];
      if (event !== undefined) {
        await event();
        await fleet.judge();
      }
      const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
      const overdue = await look();
      const words = JSON.stringify([...overdue]);
      if (words !== before || event !== undefined) await lookCloser(overdue);
      if (words !== before) turns.add(date);
      before = words;
      if (!endsWithin.test(date)) continue;
      // Local midnights change with the clocks, and days of UTC do not.
      service.now = startOfDay({ year, month, day: dayOfMonth + 1 }, 'Europe/Berlin');
      await look();
      service.now = first + (days + 1) * day - 1;
      await look();
    }
    expect(turns.size).toBeGreaterThan(15);
  });
});
