/** The criteria about missing records find exactly the machines and records that the pages count. */
import { beforeAll, expect, test } from 'vitest';
import { day } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum, serverUpdate } from '../../machines/testing/machine-catalogue.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { type Found, old, patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';

const mention = { detail: { cve: ['CVE-2024-1086'] } };
const server = (product: string, version: string) =>
  `OS Name:     Microsoft Windows ${product} Standard\nOS Version:  ${version} N/A Build ${version.split('.').at(-1)}\nHotfix(s):   1 Hotfix(s) Installed.\n             [01]: KB5035857\n`;

describeWithDatabase('criteria about missing records', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;
  beforeAll(async () => {
    await writeRecords(service.database, 'almalinux_patch', [
      erratum('ALSA-2024:4', 'Important', [['bash', '4.4.20-7.el8']], mention),
      erratum('ALSA-2024:5', 'Important', [['curl', '7.61.1-35.el8']], mention),
    ]);
    await writeRecords(service.database, 'patch_repository', [
      serverUpdate('KB5036909', '10.0.20348.2402'),
    ]);
  });

  const keys = async (filter: string) => {
    const { objList, totalCount } = await fleet.search({ filter });
    expect(objList).toHaveLength(totalCount);
    return objList.map(({ machineKey }) => String(machineKey)).toSorted();
  };
  const records = async (filter: string) => {
    const found = (await stan.post('/records/search', { filter }).json) as unknown as Found;
    expect(found.objList).toHaveLength(found.totalCount);
    return found.objList.map(({ identifier }) => String(identifier)).toSorted();
  };

  test('find the machines that miss a CVE, an advisory, a KB in any spelling, or one record', async () => {
    await fleet.add('a');
    await fleet.add('b', patched);
    await fleet.add('c', old, fleet.south);
    await fleet.add('w', server('Server 2022', '10.0.20348'));
    await fleet.judge();
    const id = await fleet.recordId('ALSA-2024:2');
    expect(await keys("misses = 'ALSA-2024:2'")).toEqual(['a', 'c']);
    expect(await keys(`lower(misses) = 'almalinux_patch/${id}'`)).toEqual(['a', 'c']);
    expect(await keys("misses = 'cve-2024-1086'")).toEqual(['a', 'b', 'c']);
    expect(await keys("misses = 'CVE-2024-1087'")).toEqual([]);
    for (const spelling of ['KB5036909', 'kb5036909', '5036909', 'KB 5036909'])
      expect(await keys(`misses = '${spelling}'`)).toEqual(['w']);
    expect(await keys("misses in ('ALSA-2024:1', 'KB5036909')")).toEqual(['a', 'c', 'w']);
    expect(await keys("misses like 'alsa-2024:%'")).toEqual(['a', 'b', 'c']);
    expect(await keys("misses != 'ALSA-2024:2'")).toEqual(['b', 'w']);
    expect(await keys("misses not in ('KB5036909') and client = 'North'")).toEqual(['a', 'b']);
    expect(await keys('misses is not null')).toEqual(['a', 'b', 'c', 'w']);
    expect(await keys('misses is null')).toEqual([]);
    expect(await keys("misses = 'ALSA-2024:2' and client = 'South'")).toEqual(['c']);
  });

  test('find the machines that miss a record of a vendor, a product, a release or a package', async () => {
    await fleet.add('a');
    await fleet.add('b', patched);
    await fleet.add('w', server('Server 2022', '10.0.20348'));
    await fleet.judge();
    expect(await keys("missesOf = 'AlmaLinux'")).toEqual(['a', 'b']);
    expect(await keys("missesOf = 'almalinux 8'")).toEqual(['a', 'b']);
    expect(await keys("missesOf = 'AlmaLinux 9'")).toEqual([]);
    expect(await keys("missesOf = 'bash'")).toEqual(['a', 'b']);
    expect(await keys("missesOf like '%server 2022%'")).toEqual(['w']);
    expect(await keys("missesOf != 'bash'")).toEqual(['w']);
    expect(await keys("missesOf in ('bash', 'Microsoft')")).toEqual(['a', 'b', 'w']);
  });

  test('find the records that are missing on a machine or at a client', async () => {
    const a = await fleet.add('a', patched);
    const c = await fleet.add('c', old, fleet.south);
    // A name that looks like the number of another machine finds nothing by that number.
    await fleet.outcomes(fleet.south, { key: 'x', name: `#${a}`, text: old });
    await fleet.judge();
    const onA = ['ALSA-2024:3', 'ALSA-2024:4', 'ALSA-2024:5'];
    const all = ['ALSA-2024:1', 'ALSA-2024:2', ...onA];
    expect(await records(`missingOn = '#${a}'`)).toEqual(onA);
    expect(await records("missingOn = 'host-a'")).toEqual(onA);
    expect(await records(`missingOn in ('#${a}', 'nobody')`)).toEqual(onA);
    expect(await records(`missingOn = '#${c}'`)).toEqual(all);
    expect(await records(`missingOn = '#${c}' and lower(severity) = 'critical'`)).toEqual([
      'ALSA-2024:2',
    ]);
    expect(await records(`missingAt = '#${fleet.northId}'`)).toEqual(onA);
    expect(await records("missingAt = 'South'")).toEqual(all);
    expect(await records(`missingOn != '#${a}' and missingAt = 'South'`)).toEqual([
      'ALSA-2024:1',
      'ALSA-2024:2',
    ]);
    expect(await records("missingOn = 'nobody'")).toEqual([]);
    const { totalCount, facets } = (await stan.post('/records/search/summary', {
      filter: "missingAt = 'South'",
      facets: ['severity'],
    }).json) as never as { totalCount: number; facets: { severity: object[] } };
    expect([totalCount, facets.severity]).toEqual([
      5,
      [
        { value: 'Critical', count: 1 },
        { value: 'Important', count: 3 },
        { value: 'Low', count: 1 },
      ],
    ]);
  });

  test('count as the pages and the rows do, with accepted records and at each moment', async () => {
    const a = await fleet.add('a');
    await fleet.add('b');
    await fleet.judge();
    await fleet.accept(a);
    const states = async () => {
      const { totalCount, missing, uncertain, accepted, misses } = (await fleet.machinesMissing(
        'ALSA-2024:2',
      )) as never as Record<string, number> & { misses: string };
      expect([
        await keys(`misses = '${misses}'`),
        await keys(`mayMiss = '${misses}'`),
        await keys(`accepts = '${misses}'`),
      ]).toMatchObject([{ length: missing }, { length: uncertain }, { length: accepted }]);
      expect(totalCount).toBe(Number(missing) + Number(uncertain) + Number(accepted));
      return [missing, uncertain, accepted];
    };
    // Before the machine is counted again, and after.
    expect(await states()).toEqual([1, 0, 1]);
    expect(await keys("misses = 'ALSA-2024:2'")).toEqual(['b']);
    await fleet.judge();
    expect(await states()).toEqual([1, 0, 1]);
    expect(await records(`acceptedOn = '#${a}'`)).toEqual(['ALSA-2024:2']);
    const rows = (await fleet.search()).objList;
    for (const row of rows) {
      const on = async (criterion: string, more = '') =>
        (await records(`${criterion} = '#${String(row['id'])}'${more}`)).length;
      expect([
        await on('missingOn'),
        await on('missingOn', " and severity = 'Critical'"),
        await on('missingOn', " and severity = 'Important'"),
        await on('mayBeMissingOn'),
        await on('acceptedOn'),
      ]).toEqual(
        ['missing', 'missingCritical', 'missingImportant', 'uncertain', 'accepted'].map(
          (name) => row[name],
        ),
      );
    }
    // An exception ends with its time, also while nothing has been counted since.
    service.now += 2 * day;
    expect(await states()).toEqual([2, 0, 0]);
    await fleet.judge();
    expect(await states()).toEqual([2, 0, 0]);
  });

  test('find each machine in exactly one number of what is known about a name', async () => {
    await fleet.add('a');
    const b = await fleet.add('b');
    await fleet.add('c', patched);
    await fleet.add('gentoo', 'ID="gentoo"\nVERSION_ID="2"\nbash-4-1.x86_64\n');
    await fleet.judge();
    await fleet.accept(b);
    await fleet.add('new', old.replace('8.9', '9.9'));
    const id = await fleet.recordId('ALSA-2024:2');
    for (const name of ['ALSA-2024:2', 'alsa-2024:2', `almalinux_patch/${id}`]) {
      const beside = `misses != '${name}' and mayMiss != '${name}' and accepts != '${name}'`;
      const found = {
        missing: await keys(`misses = '${name}'`),
        uncertain: await keys(`mayMiss = '${name}'`),
        accepted: await keys(`accepts = '${name}'`),
        notMissing: await keys(`${beside} and notJudged = false and judgedOn is not null`),
        notJudged: await keys(`${beside} and notJudged = true`),
        beingJudged: await keys(`${beside} and judgedOn is null`),
      };
      expect(found).toEqual({
        missing: ['a'],
        uncertain: [],
        accepted: ['b'],
        notMissing: ['c'],
        notJudged: ['gentoo'],
        beingJudged: ['new'],
      });
      const counts = Object.fromEntries(
        Object.entries(found).map(([kind, machines]) => [kind, machines.length]),
      );
      const path = `/machines/exposure?misses=${encodeURIComponent(name)}`;
      const overdue = await keys(`overdue = '${name}'`);
      expect(overdue).toEqual(['a']);
      const expected = { machines: 5, overdue: 1, notCompared: 0, ...counts };
      expect(await stan.get(path).json).toEqual(expected);
    }
    expect(await fleet.machinesMissing('ALSA-2024:2')).toMatchObject({ machines: 5, missing: 1 });
    expect(await stan.get('/vulnerabilities/CVE-2099-0001/machines').json).toEqual({
      reporting: true,
      machines: 5,
      missing: 0,
      overdue: 0,
      uncertain: 0,
      accepted: 0,
      notMissing: 0,
      notCompared: 3,
      notJudged: 1,
      beingJudged: 1,
    });
  });

  test('count no machine as not missing what is compared with none', async () => {
    await fleet.add('a', patched);
    await fleet.judge();
    const expose = (name: string) =>
      stan.get(`/machines/exposure?misses=${encodeURIComponent(name)}`).json;
    expect(await expose('ALSA-2024:2')).toMatchObject({ notMissing: 1, notCompared: 0 });
    // A fix without a package that could be compared, and a fix that the vendor took back.
    await writeRecords(service.database, 'almalinux_patch', [
      erratum('ALSA-2024:7', 'Important', [], { detail: { cve: ['CVE-2024-7777'] } }),
      erratum('ALSA-2024:8', 'Important', [['bash', '4.4.20-9.el8']], {
        detail: { cve: ['CVE-2024-7777'], status: 'retracted' },
      }),
    ]);
    await fleet.judge();
    for (const name of ['ALSA-2024:7', 'ALSA-2024:8', 'CVE-2024-7777', 'CVE-2099-0001'])
      expect(await expose(name)).toMatchObject({ missing: 0, notMissing: 0, notCompared: 1 });
    await writeRecords(service.database, 'patch_repository', [
      serverUpdate('KB5036910', '10.0.20348.2403'),
    ]);
    expect(await expose('KB5036910')).toMatchObject({ notMissing: 1, notCompared: 0 });
  });

  test('count no machine where none reports', async () => {
    const path = '/machines/exposure?misses=CVE-2024-1086';
    expect(await stan.get(path).json).toMatchObject({ machines: 0, missing: 0, notMissing: 0 });
    expect(await stan.get('/machines/exposure').outcome).toBe('422 invalid_input');
  });

  test('are refused in an order, and are exported like other criteria', async () => {
    const { status, json } = await stan.post('/machines/search?sort=misses', {});
    expect(status).toBe(422);
    expect(json['userMessage']).toMatch(/^Cannot sort by 'misses'/);
    await fleet.add('a');
    await fleet.judge();
    const ticket = await operator.post('/export', {
      list: 'machines',
      format: 'csv',
      columns: ['machineKey'],
      search: { filter: "misses = 'ALSA-2024:3'" },
    }).json;
    expect(ticket['totalCount']).toBe(1);
  });
});
