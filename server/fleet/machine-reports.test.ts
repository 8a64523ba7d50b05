/** Machines of clients in the complete service: reports, judgement, lists and deletion, separated by client. */
import { expect, test } from 'vitest';
import { day } from '../identity/sign-in/testing/sign-in-app.ts';
import { activeClient } from '../licensing/clients/testing/client-registry.ts';
import { erratum } from '../machines/testing/machine-catalogue.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { old, patched, withMachinesOfClients } from './testing/machines-of-clients.ts';

describeWithDatabase('machines of clients', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;
  const identifiers = async (id: number) =>
    (await fleet.missing(id)).objList.map(({ identifier }) => identifier);

  test('judges and lists a reported machine, and finds it from its records', async () => {
    const id = await fleet.add('a');
    expect(await fleet.missing(id)).toMatchObject({ totalCount: 3, judgedOn: null });
    await fleet.judge();
    const bash = { name: 'bash', installed: '4.4.20-4.el8' };
    const curl = { name: 'curl', installed: '7.61.1-33.el8', fixed: '7.61.1-34.el8' };
    expect((await fleet.missing(id)).objList).toMatchObject([
      {
        identifier: 'ALSA-2024:2',
        state: 'missing',
        evidence: [{ ...bash, fixed: '4.4.20-6.el8' }],
      },
      {
        identifier: 'ALSA-2024:1',
        state: 'missing',
        evidence: [{ ...bash, fixed: '4.4.20-5.el8' }],
      },
      { identifier: 'ALSA-2024:3', state: 'missing', evidence: [curl] },
    ]);
    const listed = {
      id,
      name: 'host-a',
      client: 'North',
      platform: 'linux',
      release: 'AlmaLinux 8.9',
      missing: 3,
      missingCritical: 1,
      missingImportant: 1,
      missingLow: 1,
      missingExploited: 0,
      lastSeen: service.now,
      judgedOn: service.now,
      notJudged: false,
    };
    expect(await fleet.search({ keyword: 'host-a' })).toMatchObject({
      totalCount: 1,
      objList: [listed],
    });
    expect(await fleet.search({ filter: 'missingCritical > 0' })).toMatchObject({ totalCount: 1 });
    expect(await stan.get(`/machines/${id}`).json).toMatchObject({ name: 'host-a', missing: 3 });
    expect(await fleet.machinesMissing('ALSA-2024:2')).toMatchObject({
      totalCount: 1,
      missing: 1,
      objList: [{ id, name: 'host-a', client: 'North', state: 'missing' }],
    });
  });

  test('replaces the previous report, and changes only the time for an equal one', async () => {
    const id = await fleet.add('a');
    await fleet.judge();
    service.now += 1000;
    const again = await fleet.outcomes(fleet.north, { key: 'a', name: 'host-a', text: old });
    const unchanged = { key: 'a', id, state: 'unchanged', unreadableLines: 0, reason: null };
    expect(again).toEqual([unchanged]);
    expect((await fleet.search()).objList).toMatchObject([{ missing: 3, lastSeen: service.now }]);
    expect(await fleet.add('a', patched)).toBe(id);
    await fleet.judge();
    expect(await identifiers(id)).toEqual(['ALSA-2024:3']);
    expect(await fleet.machinesMissing('ALSA-2024:2')).toMatchObject({
      totalCount: 0,
      objList: [],
    });
    expect((await fleet.search()).objList).toMatchObject([{ missing: 1, missingCritical: 0 }]);
  });

  test('returns the outcome of an equal report without reading it again', async () => {
    const report = async (text: string) => {
      const [outcome] = await fleet.outcomes(fleet.north, { key: 'u', name: 'u', text });
      return [outcome?.state, outcome?.unreadableLines];
    };
    const text = `${old}what is this line?\n`;
    expect(await report(text)).toEqual(['stored', 1]);
    expect(await report(text)).toEqual(['unchanged', 1]);
    // A different text with the same content is read, and recorded as the last report.
    expect(await report(old)).toEqual(['unchanged', 0]);
    // A report that cannot be read leaves the machine unchanged.
    expect(await report('nothing')).toEqual(['refused', 0]);
    expect(await fleet.search({ keyword: 'u' })).toMatchObject({ totalCount: 1 });
  });

  test('refuses a machine that cannot be read, and stores the others', async () => {
    const curl = { format: 'rpm', name: 'curl', version: '7.61.1-33.el8' };
    const [bad, good, parts] = await fleet.outcomes(
      fleet.north,
      { key: 'bad', name: 'bad', text: 'nothing of a machine' },
      { key: 'good', name: 'good', text: `${old}\nwhat is this line?` },
      { key: 'parts', name: 'parts', distribution: 'almalinux', release: '8.9', packages: [curl] },
    );
    expect(bad).toMatchObject({ key: 'bad', state: 'refused', unreadableLines: 0 });
    expect(bad?.reason).toContain('rpm -qa');
    expect(good).toMatchObject({ key: 'good', state: 'stored', unreadableLines: 1 });
    expect(parts).toMatchObject({ key: 'parts', state: 'stored', unreadableLines: 0 });
    await fleet.judge();
    const missing = await fleet.missing(parts?.id ?? 0);
    expect(missing).toMatchObject({ totalCount: 1, notJudged: false });
  });

  test('does not judge a machine of a release that the catalogue does not have', async () => {
    const text = (id: string, version: string) =>
      `ID="${id}"\nVERSION_ID="${version}"\nbash-4.4.20-4.el8.x86_64\n`;
    const id = await fleet.add('x', text('almalinux', '11'));
    const unknown = await fleet.add('y', text('gentoo', '2'));
    await fleet.judge();
    for (const one of [id, unknown])
      expect(await fleet.missing(one)).toMatchObject({ notJudged: true, totalCount: 0 });
    const uncounted = { missing: null, missingCritical: null };
    expect(await fleet.search({ filter: 'notJudged = true' })).toMatchObject({
      objList: [uncounted, uncounted],
    });
    // The first record of the release arrives, and affects no package of the machine.
    await writeRecords(service.database, 'almalinux_patch', [
      erratum('ALSA-2026:9', 'Low', [['nginx', '1-1']], { releases: ['AlmaLinux 11'] }),
    ]);
    await fleet.judge();
    expect(await fleet.missing(id)).toMatchObject({ notJudged: false, totalCount: 0 });
  });

  // The texts are of an rpm that failed, of ver, and of a release that no list has.
  test.each([
    ['ID="almalinux"\nVERSION_ID="8.9"\nrpmdb: error\n', 'nothingListed'],
    ['ID="rocky"\nVERSION_ID="9.4"\nerror: rpmdb open failed\n', 'releaseNotInCatalogue'],
    ['ID="gentoo"\nVERSION_ID="2"\n', 'releaseNotInCatalogue'],
    ['Microsoft Windows [Version 10.0.17763.5329]\n', 'productUnstated'],
    ['Microsoft Windows [Version 10.0.12345.1]\n', 'releaseNotInCatalogue'],
  ])(
    'says of a stored machine that is not judged what it says of its text: %j',
    async (text, reason) => {
      const id = await fleet.add('x', text);
      await fleet.judge();
      const { judgement, notJudged } = await stan.get(`/machines/${id}/missing`).json;
      const assessed = await stan.post('/assessments', { text }).json;
      expect(assessed).toMatchObject({ notJudged: [{ reason, count: 1 }] });
      expect(notJudged).toBe(true);
      const { machine: _read, ...told } = judgement as Record<string, unknown>;
      expect(assessed).toMatchObject(told);
    },
  );

  test('refuses to overwrite or delete a machine of another client', async () => {
    const own = await fleet.add('same');
    const other = await fleet.add('same', patched, fleet.south);
    expect(other).not.toBe(own);
    await fleet.judge();
    expect((await fleet.missing(own)).totalCount).toBe(3);
    expect((await fleet.missing(other)).totalCount).toBe(1);
    const remove = () => fleet.south.delete('/client/machines/same').status;
    expect([await remove(), await remove()]).toEqual([200, 404]);
    expect((await fleet.missing(own)).totalCount).toBe(3);
  });

  test('refuses a client that may not report, and deletes its machines when it is switched off', async () => {
    const refused = '403 machines_not_allowed';
    const machine = { key: 'a', name: 'a', text: old };
    const { caller } = await activeClient(service, { clientName: 'Closed' });
    expect(await fleet.report(caller, machine).outcome).toBe(refused);
    await fleet.add('a');
    const allow = async (reportsMachines: boolean) => {
      const path = `/windows/user/${fleet.northId}/licence`;
      const { json } = await operator.put(path, { reportsMachines });
      expect(json).toMatchObject({ reportsMachines });
    };
    await allow(false);
    await fleet.maintain();
    expect(await fleet.search()).toMatchObject({ totalCount: 0 });
    const [left] = await service.rows(
      'select (select count(*) from part_machines) + (select count(*) from waiting_sets) + (select count(*) from inventory_part) + (select count(*) from machine_standing) as left',
    );
    expect(left).toEqual({ left: 0 });
    expect(await fleet.report(fleet.north, machine).outcome).toBe(refused);
    await allow(true);
  });

  test('deletes a silent machine and keeps the others', async () => {
    await fleet.add('silent');
    service.now += 91 * day;
    const stays = await fleet.add('speaks');
    await fleet.maintain();
    expect((await fleet.search()).objList.map(({ id }) => id)).toEqual([stays]);
  });

  test('lets an administrator delete a machine, but not a Standard user', async () => {
    const path = `/machines/${await fleet.add('a')}`;
    expect(await stan.delete(path).status).toBe(403);
    expect([await operator.delete(path).status, await operator.delete(path).status]).toEqual([
      200, 404,
    ]);
    expect(await fleet.search()).toMatchObject({ totalCount: 0 });
    const entries = await service.rows(`select * from audit_entry order by id desc limit 5`);
    expect(JSON.stringify(entries)).toContain('machine host-a');
  });

  test('shows the new name of a renamed client', async () => {
    await fleet.add('a');
    const rename = (clientName: string) =>
      operator.put(`/windows/user/${fleet.northId}/licence`, { clientName });
    await rename('Far North');
    await fleet.maintain();
    const found = await fleet.search({ keyword: 'far north' });
    expect(found).toMatchObject({ totalCount: 1, objList: [{ client: 'Far North' }] });
    await rename('North');
  });

  test('sums up a client, and lists the records that most machines miss', async () => {
    await fleet.add('a');
    await fleet.add('b', patched);
    await fleet.add('a', old, fleet.south);
    await fleet.judge();
    const summary = { machines: 2, machinesMissing: 2, missing: 4, missingCritical: 1 };
    const ofClient = await operator.get(`/windows/user/${fleet.northId}/machines`).json;
    expect(ofClient).toMatchObject({ ...summary, lastSeen: service.now });
    const { trend, ...dashboard } = await stan.get('/dashboard/machines').json;
    expect(dashboard).toMatchObject({
      machines: 3,
      missing: 7,
      // ALSA-2024:2 closes ALSA-2024:1 on each machine.
      records: [
        { identifier: 'ALSA-2024:3', machines: 3 },
        { identifier: 'ALSA-2024:2', machines: 2 },
      ],
      talliedOn: service.now,
    });
    expect((trend as object[]).at(-1)).toMatchObject({ machines: 3, machinesMissing: 3 });
  });

  test('counts machines that are being judged, until they are', async () => {
    const since = service.now;
    await fleet.add('a');
    service.now += 60_000;
    const id = await fleet.add('b');
    const counts = async () => {
      const { machines, machinesMissing, beingJudged, beingJudgedSince } =
        await stan.get('/dashboard/machines').json;
      const { totalCount } = await fleet.search({ filter: 'judgedOn is null' });
      const ofClient = await operator.get(`/windows/user/${fleet.northId}/machines`).json;
      expect(ofClient).toMatchObject({ beingJudged, beingJudgedSince });
      return [machines, machinesMissing, beingJudged, totalCount, beingJudgedSince];
    };
    expect(await counts()).toEqual([2, 0, 2, 2, since]);
    expect((await fleet.search()).objList[0]).toMatchObject({ missing: null, createdTime: since });
    const machine = () => stan.get(`/machines/${id}/missing`).json;
    expect(await machine()).toMatchObject({ judgedOn: null, reportedOn: since + 60_000 });
    await fleet.judge();
    expect(await counts()).toEqual([2, 2, 0, 0, null]);
    expect(await machine()).toMatchObject({ judgedOn: service.now, missingCount: 3 });
  });

  test('counts each machine once that misses records with a CVE', async () => {
    const machines = () => stan.get('/vulnerabilities/CVE-2024-1086/machines').json;
    const noneMiss = { missing: 0, overdue: 0 };
    const beside = { notMissing: 0, notCompared: 0, notJudged: 0, beingJudged: 0 };
    const none = { uncertain: 0, accepted: 0, ...beside };
    expect(await machines()).toEqual({ ...none, ...noneMiss, reporting: false, machines: 0 });
    const mention = { detail: { cve: ['CVE-2024-1086'] } };
    await writeRecords(service.database, 'almalinux_patch', [
      erratum('ALSA-2024:4', 'Important', [['bash', '4.4.20-7.el8']], mention),
      erratum('ALSA-2024:5', 'Important', [['curl', '7.61.1-35.el8']], mention),
    ]);
    await fleet.add('a');
    await fleet.add('b', patched);
    await fleet.add('c', 'ID="almalinux"\nVERSION_ID="9.4"\nbash-5.1.8-9.el9.x86_64\n');
    await fleet.judge();
    // The catalogue of the test has records of AlmaLinux 8 alone.
    const all = { ...none, reporting: true, machines: 3, notJudged: 1 };
    expect(await machines()).toEqual({ ...all, missing: 2, overdue: 2 });
    expect(await stan.get('/vulnerabilities/CVE-2024-1087/machines').json).toEqual({
      ...all,
      ...noneMiss,
      // No record has this CVE, so that nothing was compared.
      notCompared: 2,
    });
  });
});
