/** What is kept of each day, by fleet and by group. */
import { expect, test } from 'vitest';
import { day, hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { FleetJudge } from '../fleet-judge.ts';
import { readGroup } from '../groups/machine-group-store.ts';
import { old, patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';
import { readKeptDays, toDay } from './fleet-day-store.ts';

describeWithDatabase('daily counts of machines', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator } = service;

  const newGroup = async (name: string, criteria: string) =>
    Number((await operator.post('/machines/groups', { name, criteria, owner: null }).json)['id']);
  const daysOf = async (id: number | null, from = toDay(service.now)) =>
    readKeptDays(
      service.database,
      id === null ? null : await readGroup(service.database, id),
      from,
    );
  /** Runs the rounds that are due, as the thread does. */
  const followClock = async () => {
    const judge = new FleetJudge({ database: service.database, clock: () => service.now });
    const rounds: boolean[] = [];
    while (rounds.length < 5) {
      const { judged } = await judge.round(new AbortController().signal);
      if (!judged) break;
      rounds.push(judged);
    }
    return rounds.length;
  };

  test('counts a machine in each of its groups, and once among all machines', async () => {
    await fleet.add('a');
    await fleet.add('b', patched, fleet.south);
    const all = await newGroup('Counted all', '');
    const south = await newGroup('Counted south', 'client.equal.South');
    await fleet.judge();
    const both = { machines: 2, machinesMissing: 2, machinesExploited: 0, machinesUnjudged: 0 };
    expect(await daysOf(all)).toMatchObject([{ day: toDay(service.now), ...both, present: true }]);
    expect(await daysOf(south)).toMatchObject([{ machines: 1, machinesMissing: 1 }]);
    expect(await daysOf(null)).toMatchObject([both]);
    const { trend } = (await operator.get('/dashboard/machines').json) as unknown as {
      readonly trend: readonly object[];
    };
    expect(trend.at(-1)).toMatchObject({ machines: 2, machinesMissing: 2, missingCritical: 1 });
  });

  test('counts each day once more although nothing changes, and leaves a gap where nothing ran', async () => {
    const first = toDay(service.now);
    await fleet.add('quiet');
    await fleet.judge();
    const id = await newGroup('Quiet', 'machineKey.equal.quiet');
    service.now = first + day + hour;
    expect(await followClock()).toBe(1);
    service.now = first + day + 2 * hour;
    expect(await followClock()).toBe(0);
    service.now = first + 4 * day;
    expect(await followClock()).toBe(1);
    expect((await daysOf(id, first)).map((one) => one.day)).toEqual([first + day, first + 4 * day]);
  });

  test('says which days are of the criteria that the group has now', async () => {
    const first = toDay(service.now);
    await fleet.add('north');
    await fleet.add('south', old, fleet.south);
    const id = await newGroup('Moved', 'client.equal.South');
    await fleet.judge();
    service.now += day;
    await operator.put(`/machines/groups/${id}`, { criteria: '' }).json;
    expect(await daysOf(id, first)).toMatchObject([{ machines: 1, present: false }]);
    await fleet.judge();
    expect(await daysOf(id, first)).toMatchObject([
      { machines: 1, present: false },
      { machines: 2, present: true },
    ]);
  });

  test('counts overdue machines, and those that nothing is known of apart', async () => {
    await fleet.add('late');
    await fleet.add('strange', `NAME="Alpine"\nID="alpine"\nVERSION_ID="3.20"\nbash-1-1.x86_64\n`);
    const id = await newGroup('Known and unknown', '');
    await fleet.judge();
    const [known] = await daysOf(id);
    const late = (await fleet.search({ filter: 'overdue is not null' })).totalCount;
    expect(late).toBeGreaterThan(0);
    expect(known).toMatchObject({
      machines: 2,
      machinesMissing: 1,
      machinesUnjudged: 1,
      machinesOverdue: late,
    });
  });

  test('counts a fleet whose last machine was removed as empty, not as it was', async () => {
    const id = await fleet.add('leaving');
    await fleet.judge();
    expect(await daysOf(null)).toMatchObject([{ machines: 1, machinesMissing: 1 }]);
    const isDue = () => service.rows('select tally_due from fleet_worker');
    expect(await isDue()).toEqual([{ tally_due: false }]);
    expect((await operator.delete(`/machines/${id}`)).status).toBe(200);
    // Without another report too.
    expect(await isDue()).toEqual([{ tally_due: true }]);
    await fleet.judge();
    expect(await daysOf(null)).toMatchObject([{ machines: 0, machinesMissing: 0 }]);
  });

  test('forgets the days of a removed group', async () => {
    await fleet.add('one');
    const id = await newGroup('Short', '');
    await fleet.judge();
    expect((await operator.delete(`/machines/groups/${id}`)).status).toBe(200);
    expect(await service.rows('select 1 from fleet_day where client_id = $1', [id])).toEqual([]);
  });
});
