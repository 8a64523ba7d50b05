/** The report of a group: each number is that of the list it opens, and what nobody knows is said. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import type { GroupReport } from '@patch/contract/reports/group-report-endpoint.ts';
import { expect, test } from 'vitest';
import { day } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { old, patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';
import { Random, randomMachine, randomRecord, reported } from '../testing/random-fleet.ts';

const isFigure = (value: unknown): value is Figure =>
  typeof value === 'object' && value !== null && 'criteria' in value && 'totalCount' in value;

describeWithDatabase('the report of a group', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;

  const ask = async (query = '') =>
    (await stan.get(`/dashboard/machines/report${query}`).json) as unknown as GroupReport;
  const newGroup = async (name: string, criteria: string) => {
    await operator.post('/machines/groups', { name, criteria, owner: null }).json;
    return `?group=${encodeURIComponent(name)}`;
  };
  const ubuntu = (vim: string) =>
    `NAME="Ubuntu"\nID=ubuntu\nVERSION_ID="22.04"\n||/ Name Version Architecture Description\n+++-====-====-====-====\nii  vim  ${vim}  amd64  text\n`;
  /** Adds a machine that lacks only a fix of Ubuntu Pro. */
  async function addForSubscribers(): Promise<void> {
    const [name, osVersion] = ['vim', 'Ubuntu 22.04 LTS'];
    const fix = { name, version: '2:8.2.3995-1ubuntu2.24+esm1', osVersion, is_source: true };
    await writeRecords(service.database, 'linux_notice', [
      {
        key: 'USN-1-1',
        row: { noticeId: 'USN-1-1', title: name, affectedOs: [osVersion] },
        detail: { releasePackages: [fix] },
      },
    ]);
    await fleet.add('subscription', ubuntu('2:8.2.3995-1ubuntu2.24'));
  }
  /** Returns how many rows the list of each figure has. */
  const countLists = async (report: GroupReport) => {
    const counts: Record<string, number> = {};
    for (const [name, figure] of Object.entries(report)) {
      if (!isFigure(figure)) continue;
      const list = getList(figure.list as ListKey);
      const filter = filterText(list, figure.criteria, { now: service.now, timeZone: 'UTC' });
      const { totalCount } = await stan.post(list.searchPath, { filter }).json;
      counts[name] = Number(totalCount);
    }
    return counts;
  };
  const numbersOf = (report: GroupReport) =>
    Object.fromEntries(
      Object.entries(report).flatMap(([name, figure]) =>
        isFigure(figure) ? [[name, figure.totalCount]] : [],
      ),
    );

  test('has the numbers of the lists that they open, over random fleets', {
    timeout: 120_000,
  }, async () => {
    const groups = [
      '',
      await newGroup('Random linux', 'platform.equal.linux'),
      await newGroup('Random missing', 'missing.greater_than.0'),
      await newGroup('Random south', 'client.equal.South'),
    ];
    await addForSubscribers();
    const seen = new Set<string>();
    for (let seed = 1; seed <= 6; seed += 1) {
      const random = new Random(seed);
      for (let turn = 0; turn < 6; turn += 1) {
        const { list, ...record } = randomRecord(random);
        await writeRecords(service.database, list, [record], service.now);
      }
      for (let machine = 0; machine < 4; machine += 1)
        await fleet.report(
          random.of([fleet.north, fleet.south]),
          reported(`random-${random.below(12)}`, randomMachine(random)),
        ).json;
      const { objList } = await fleet.search({ filter: 'missing > 0' });
      if (random.below(2) === 0) await fleet.judge();
      for (const row of objList.slice(0, 2)) {
        const [missed] = (await fleet.missing(Number(row['id']))).objList;
        const record = { list: missed?.['list'], recordId: missed?.['recordId'] };
        await fleet.accept(Number(row['id']), { ...record, until: service.now + 5 * day });
      }
      service.now += random.below(4) * day;
      if (random.below(3) > 0) await fleet.judge();
      for (const group of groups) {
        const report = await ask(group);
        const numbers = numbersOf(report);
        expect({ seed, group, numbers }).toEqual({
          seed,
          group,
          numbers: await countLists(report),
        });
        for (const [name, count] of Object.entries(numbers)) if (count > 0) seen.add(name);
      }
    }
    // Otherwise the comparison of a number would show nothing.
    expect([...seen].toSorted()).toEqual(Object.keys(numbersOf(await ask())).toSorted());
  });

  test('tells silent machines, and those that nobody can judge, from those that miss nothing', async () => {
    await fleet.add('quiet', patched);
    service.now += 8 * day;
    await fleet.add('missing', old);
    await fleet.add('strange', `NAME="Alpine"\nID="alpine"\nVERSION_ID="3.20"\nbash-1-1.x86_64\n`);
    await fleet.add(
      'clean',
      `NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\nnano-9-9.el8.x86_64\n`,
    );
    await fleet.judge();
    await fleet.add(
      'new',
      'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\nnano-8-8.el8.x86_64\n',
    );
    expect(numbersOf(await ask())).toMatchObject({
      machines: 5,
      machinesMissing: 2,
      machinesCritical: 1,
      missingNothing: 1,
      silent: 1,
      notJudged: 1,
      beingJudged: 1,
    });
    service.now += 8 * day;
    await fleet.judge();
    expect(numbersOf(await ask())).toMatchObject({ silent: 5, missingNothing: 0 });
  });

  test('counts each machine in one number: what it misses, may miss, or that it is not judged', async () => {
    await addForSubscribers();
    await writeRecords(service.database, 'almalinux_patch', [
      erratum('ALSA-2024:4', 'Low', [['nodejs', '1:18.20.4-1.module_el8.10.0+3888']]),
    ]);
    await fleet.add('missing', old);
    await fleet.add(
      'uncertain',
      `NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\nnodejs 1:16.20.2-3.module_el8.8.0+3615 x86_64 nodejs:16:8080:63b34585\n`,
    );
    await fleet.add('clean', ubuntu('2:8.2.3995-1ubuntu2.24+esm1'));
    await fleet.add('strange', `NAME="Alpine"\nID="alpine"\nVERSION_ID="3.20"\nbash-1-1.x86_64\n`);
    await fleet.judge();
    await fleet.add('new', ubuntu('2:8.2.3995-1ubuntu2.23'));
    const { objList } = await fleet.search();
    const countsOf = (key: string) => objList.find(({ machineKey }) => machineKey === key);
    expect(countsOf('subscription')).toMatchObject({ missing: 0, needsSubscription: 1 });
    expect(countsOf('uncertain')).toMatchObject({ missing: 0, uncertain: 1 });
    const report = await ask();
    const numbers = numbersOf(report);
    expect(numbers).toMatchObject({
      machines: 6,
      machinesMissing: 1,
      machinesMayMiss: 2,
      missingNothing: 1,
      notJudged: 1,
      beingJudged: 1,
      silent: 0,
    });
    expect(await countLists(report)).toEqual(numbers);
  });

  test('has the kept days of the period, and the days that records took', async () => {
    const group = await newGroup('Kept', 'client.equal.North');
    const id = await fleet.add('web');
    await fleet.judge();
    service.now += 10 * day;
    await fleet.add('web', patched);
    await fleet.judge();
    const curve = async (days: number) => {
      const report = await ask(`${group}&days=${days}`);
      return { days: report.curve.map(({ machines }) => machines), patched: report.patched };
    };
    const [serious] = (await curve(30)).patched;
    expect(await curve(30)).toEqual({ days: [1, 1], patched: [serious] });
    expect(serious).toMatchObject({ band: 'serious', records: 2 });
    expect(await curve(7)).toMatchObject({ days: [1], patched: [{ records: 2 }] });
    service.now += 10 * day;
    expect(await curve(7)).toEqual({ days: [], patched: [] });
    await operator.delete(`/machines/${id}`);
    expect((await curve(90)).patched).toEqual([]);
  });

  test('lists the exceptions of the group that end within 30 days', async () => {
    const group = await newGroup('Excepted', 'client.equal.South');
    const north = await fleet.add('north');
    const south = await fleet.add('south', old, fleet.south);
    await fleet.judge();
    await fleet.accept(north, { until: service.now + 3 * day });
    await fleet.accept(south, { until: service.now + 2 * day, scope: 'client' });
    const later = { recordId: await fleet.recordId('ALSA-2024:1'), until: service.now + 31 * day };
    await fleet.accept(south, later);
    expect(await ask()).toMatchObject({
      exceptionCount: 2,
      exceptions: [
        { name: 'South', scope: 'client' },
        { name: 'host-north', scope: 'machine' },
      ],
    });
    expect(await ask(group)).toMatchObject({
      exceptionCount: 1,
      exceptions: [{ identifier: 'ALSA-2024:2', until: service.now + 2 * day, by: 'Operator' }],
    });
    service.now += 2 * day;
    expect((await ask(group)).exceptions).toMatchObject([{ identifier: 'ALSA-2024:1' }]);
  });

  test('names the sources that were never read', async () => {
    const { sources, followedSources } = await ask();
    expect(sources).toContainEqual(
      expect.objectContaining({ source: 'almaLinux', freshness: 'never' }),
    );
    expect(sources.length).toBeLessThanOrEqual(followedSources);
  });

  test('refuses unknown groups and periods', async () => {
    expect(await stan.get('/dashboard/machines/report?group=nobody').outcome).toBe(
      '404 no_such_group',
    );
    expect((await stan.get('/dashboard/machines/report?days=8')).status).toBe(422);
  });
});
