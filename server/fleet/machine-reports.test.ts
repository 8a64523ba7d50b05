/** Machines of clients over the whole service: reported, judged, listed, deleted; and no client reaches another's. */
import { gzipSync } from 'node:zlib';
import { listOfKey } from '@patch/catalogue/lists.ts';
import type { ReportOutcome } from '@patch/contract/machine-report-endpoints.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { withSignInApp } from '../identity/sign-in/testing/sign-in-app.ts';
import { activate, register } from '../licensing/clients/testing/client-registry.ts';
import { buildRecordIndex } from '../platform/database/build-record-index.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../testing/record-factories.ts';
import { FleetJudge } from './fleet-judge.ts';
import { maintainFleet } from './fleet-maintenance.ts';

const alma = listOfKey('almalinux_patch');
const day = 24 * 3_600_000;
const never = new AbortController().signal;

const inventory = (bash: string) =>
  `NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\nbash-${bash}.x86_64\ncurl-7.61.1-33.el8.x86_64\n`;
const old = inventory('4.4.20-4.el8');
const patched = inventory('4.4.20-6.el8');

const erratum = (id: string, severity: string, name: string, version: string) => ({
  key: id,
  row: {
    bulletinId: id,
    title: `${name} update`,
    severity,
    osVersion: ['AlmaLinux 8'],
    releaseDate: Date.UTC(2024, 3, 1),
  },
  detail: { packages: [{ name, version, architecture: 'x86_64' }] },
});

describeWithDatabase('machines of clients', (open) => {
  let database: OpenDatabase;
  const service = withSignInApp(async () => {
    database = await open();
    return database;
  });
  const tokens = { north: '', south: '', closed: '', admin: '', standard: '' };
  let north = 0;

  beforeAll(async () => {
    await service.repopulate();
    const registered = await register(service, { clientName: 'North', reportsMachines: true });
    north = registered.id;
    tokens.north = await activate(service, registered);
    tokens.south = await activate(
      service,
      await register(service, { clientName: 'South', reportsMachines: true }),
    );
    tokens.closed = await activate(service, await register(service, { clientName: 'Closed' }));
    await buildRecordIndex({ database });
    await writeRecords(database, alma, [
      erratum('ALSA-2024:1', 'Important', 'bash', '4.4.20-5.el8'),
      erratum('ALSA-2024:2', 'Critical', 'bash', '4.4.20-6.el8'),
      erratum('ALSA-2024:3', 'Low', 'curl', '7.61.1-34.el8'),
    ]);
  });

  const signIn = async () => {
    tokens.admin = await service.tokenOf('operator');
    tokens.standard = await service.tokenOf('stan');
  };

  beforeEach(async () => {
    await signIn();
    await maintainFleet(database, { now: service.now + 1000 * day, keptDays: 1, signal: never });
  });

  const judge = async () => {
    await database.query('update fleet_worker set until = 0, tallied_on = 0');
    await new FleetJudge({ database, clock: () => service.now }).round(never);
  };
  const report = async (token: string, machines: readonly object[]) => {
    const { status, json } = await service.ask('POST', '/client/machines', {
      token,
      body: { machines },
    });
    return { status, code: json['code'], machines: (json['machines'] ?? []) as ReportOutcome[] };
  };
  const one = async (token: string, key: string, text: string) => {
    const { machines } = await report(token, [{ key, name: `host-${key}`, text }]);
    return machines[0]?.id ?? 0;
  };
  const search = async (body: object = {}, token = tokens.standard) =>
    (await service.ask('POST', '/machines/search', { token, body })).json as {
      objList: Record<string, unknown>[];
      totalCount: number;
    };
  const missing = async (id: number) =>
    (await service.ask('GET', `/machines/${id}/missing`, { token: tokens.standard })).json as {
      objList: { identifier: string; state: string; evidence: object[] }[];
      totalCount: number;
      judgedOn: number | null;
      notJudged: boolean;
      acceptedCount: number;
    };
  const recordId = async (identifier: string) => {
    const { rows } = await database.query('select id from almalinux_patch where bulletin_id = $1', [
      identifier,
    ]);
    return Number(rows[0]?.['id']);
  };
  const machinesOf = async (identifier: string) =>
    (
      await service.ask('GET', `/records/almalinux_patch/${await recordId(identifier)}/machines`, {
        token: tokens.standard,
      })
    ).json as {
      objList: { id: number; name: string; client: string; state: string; accepted: boolean }[];
      totalCount: number;
      missing: number;
    };

  test('a reported machine is judged, listed and found from its records', async () => {
    const id = await one(tokens.north, 'a', old);
    expect(await missing(id)).toMatchObject({ objList: [], judgedOn: null });
    await judge();
    const found = await missing(id);
    expect(
      found.objList.map(({ identifier, state, evidence }) => ({ identifier, state, evidence })),
    ).toEqual([
      {
        identifier: 'ALSA-2024:2',
        state: 'missing',
        evidence: [{ name: 'bash', installed: '4.4.20-4.el8', fixed: '4.4.20-6.el8' }],
      },
      {
        identifier: 'ALSA-2024:1',
        state: 'missing',
        evidence: [{ name: 'bash', installed: '4.4.20-4.el8', fixed: '4.4.20-5.el8' }],
      },
      {
        identifier: 'ALSA-2024:3',
        state: 'missing',
        evidence: [{ name: 'curl', installed: '7.61.1-33.el8', fixed: '7.61.1-34.el8' }],
      },
    ]);
    expect(await search({ keyword: 'host-a' })).toMatchObject({
      totalCount: 1,
      objList: [
        {
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
        },
      ],
    });
    expect(await search({ filter: 'missingCritical > 0' })).toMatchObject({ totalCount: 1 });
    expect(
      (await service.ask('GET', `/machines/${id}`, { token: tokens.standard })).json,
    ).toMatchObject({ name: 'host-a', missing: 3 });
    expect(await machinesOf('ALSA-2024:2')).toMatchObject({
      totalCount: 1,
      missing: 1,
      objList: [{ id, name: 'host-a', client: 'North', state: 'missing' }],
    });
  });

  test('another report replaces the one before, and the same report changes nothing but the time', async () => {
    const id = await one(tokens.north, 'a', old);
    await judge();
    service.now += 1000;
    const again = await report(tokens.north, [{ key: 'a', name: 'host-a', text: old }]);
    expect(again.machines).toEqual([
      { key: 'a', id, state: 'unchanged', unreadableLines: 0, reason: null },
    ]);
    expect(await search()).toMatchObject({ objList: [{ missing: 3, lastSeen: service.now }] });
    expect(await one(tokens.north, 'a', patched)).toBe(id);
    await judge();
    expect((await missing(id)).objList.map(({ identifier }) => identifier)).toEqual([
      'ALSA-2024:3',
    ]);
    expect(await machinesOf('ALSA-2024:2')).toMatchObject({ totalCount: 0, objList: [] });
    expect(await search()).toMatchObject({
      totalCount: 1,
      objList: [{ missing: 1, missingCritical: 0 }],
    });
  });

  test('the same report again is told as it was read, without being read', async () => {
    const text = `${old}what is this line?\n`;
    const first = await report(tokens.north, [{ key: 'u', name: 'u', text }]);
    const again = await report(tokens.north, [{ key: 'u', name: 'u', text }]);
    expect([first, again].map(({ machines }) => machines[0])).toMatchObject([
      { state: 'stored', unreadableLines: 1 },
      { state: 'unchanged', unreadableLines: 1 },
    ]);
    // Other words that say the same: read, and noted as the last report.
    expect(await report(tokens.north, [{ key: 'u', name: 'u', text: old }])).toMatchObject({
      machines: [{ state: 'unchanged', unreadableLines: 0 }],
    });
    // As of a version that did not note what was sent.
    await database.query('update machine_standing set sent_hash = null, unreadable_lines = 0');
    expect(await report(tokens.north, [{ key: 'u', name: 'u', text }])).toMatchObject({
      machines: [{ state: 'unchanged', unreadableLines: 1 }],
    });
    // What cannot be read leaves the machine as it was.
    expect(await report(tokens.north, [{ key: 'u', name: 'u', text: 'nothing' }])).toMatchObject({
      machines: [{ state: 'refused', id: null }],
    });
    expect(await search({ keyword: 'u' })).toMatchObject({ totalCount: 1 });
  });

  test('a record that is withdrawn leaves the machines, and comes back with it', async () => {
    const id = await one(tokens.north, 'a', old);
    await judge();
    const gone = await recordId('ALSA-2024:2');
    await withdrawRecords(database, alma, [gone], service.now);
    await judge();
    expect((await missing(id)).objList.map(({ identifier }) => identifier)).toEqual([
      'ALSA-2024:1',
      'ALSA-2024:3',
    ]);
    expect(await search()).toMatchObject({ objList: [{ missing: 2, missingCritical: 0 }] });
    await writeRecords(database, alma, [
      erratum('ALSA-2024:2', 'Critical', 'bash', '4.4.20-6.el8'),
    ]);
    await judge();
    expect(await search()).toMatchObject({ objList: [{ missing: 3, missingCritical: 1 }] });
  });

  test('a machine that cannot be read is refused by itself', async () => {
    const { status, machines } = await report(tokens.north, [
      { key: 'bad', name: 'bad', text: 'nothing of a machine' },
      { key: 'good', name: 'good', text: `${old}\nwhat is this line?` },
      {
        key: 'parts',
        name: 'parts',
        distribution: 'almalinux',
        release: '8.9',
        packages: [{ format: 'rpm', name: 'curl', version: '7.61.1-33.el8' }],
      },
    ]);
    expect(status).toBe(200);
    expect(
      machines.map(({ key, state, unreadableLines }) => [key, state, unreadableLines]),
    ).toEqual([
      ['bad', 'refused', 0],
      ['good', 'stored', 1],
      ['parts', 'stored', 0],
    ]);
    expect(machines[0]?.reason).toContain('rpm -qa');
    await judge();
    expect(await missing(machines[2]?.id ?? 0)).toMatchObject({ totalCount: 1, notJudged: false });
  });

  test('a name with a control character and a key that stands twice refuse those machines alone', async () => {
    const sent = (key: string, name = key) => ({ key, name, text: old });
    const { status, machines } = await report(tokens.north, [
      sent('first'),
      sent('bell', 'be\u0007ll'),
      sent('twice'),
      sent('twice'),
      sent('last'),
    ]);
    expect(status).toBe(200);
    expect(machines.map(({ key, state }) => `${key} ${state}`)).toEqual([
      'first stored',
      'bell refused',
      'twice refused',
      'twice refused',
      'last stored',
    ]);
    expect(await search()).toMatchObject({ totalCount: 2 });
  });

  test('clones that report one key in turns are marked, audited once, and share no exception', async () => {
    const reported = async (name: string) =>
      (await report(tokens.north, [{ key: 'clone', name, text: old }])).machines[0];
    const id = (await reported('web-1'))?.id ?? 0;
    await judge();
    await service.ask('POST', `/machines/${id}/exceptions`, {
      token: tokens.admin,
      body: {
        list: 'almalinux_patch',
        recordId: await recordId('ALSA-2024:2'),
        until: service.now + day,
        reason: 'Behind a firewall',
      },
    });
    const standing = async () => {
      await judge();
      const [row] = (await search()).objList;
      const accepted = (await machinesOf('ALSA-2024:2')).objList.map((machine) => machine.accepted);
      const { acceptedCount } = await missing(id);
      return [row?.['name'], row?.['sharedKey'], row?.['accepted'], acceptedCount, ...accepted];
    };
    expect(await standing()).toEqual(['web-1', false, 1, 1, true]);
    expect(await reported('web-2')).not.toHaveProperty('namesOfKey');
    expect(await standing()).toEqual(['web-2', false, 0, 0, false]);
    expect(await reported('web-1')).toMatchObject({ id, namesOfKey: ['web-1', 'web-2'] });
    expect(await standing()).toEqual(['web-1', true, 1, 1, true]);
    expect(await reported('web-2')).not.toHaveProperty('namesOfKey');
    expect(await standing()).toEqual(['web-2', true, 0, 0, false]);
    const { rows } = await database.query(
      `select action, client_name, after_json from audit_entry where subject = 'several machines report the key clone'`,
    );
    expect(rows).toEqual([
      {
        action: 'report_machines',
        client_name: 'North',
        after_json: '{"names":["web-1","web-2"]}',
      },
    ]);
    // One machine alone reports the key from now on.
    await maintainFleet(database, { now: service.now + 31 * day, keptDays: 90, signal: never });
    expect(await search()).toMatchObject({ objList: [{ sharedKey: false }] });
  });

  test('a machine of a release that the catalogue does not have is not judged', async () => {
    const id = await one(
      tokens.north,
      'x',
      'ID="almalinux"\nVERSION_ID="11"\nbash-4.4.20-4.el8.x86_64\n',
    );
    const unknown = await one(
      tokens.north,
      'y',
      'ID="gentoo"\nVERSION_ID="2"\nbash-4.4.20-4.el8.x86_64\n',
    );
    await judge();
    expect(await missing(id)).toMatchObject({ notJudged: true, totalCount: 0 });
    expect(await missing(unknown)).toMatchObject({ notJudged: true, totalCount: 0 });
    expect(await search({ filter: 'notJudged = true' })).toMatchObject({
      totalCount: 2,
      objList: [
        { missing: null, missingCritical: null },
        { missing: null, missingCritical: null },
      ],
    });
    // The first record of the release arrives, and concerns no package of the machine.
    await writeRecords(database, alma, [
      {
        ...erratum('ALSA-2026:9', 'Low', 'nginx', '1-1'),
        row: { ...erratum('ALSA-2026:9', 'Low', 'nginx', '1-1').row, osVersion: ['AlmaLinux 11'] },
      },
    ]);
    await judge();
    expect(await missing(id)).toMatchObject({ notJudged: false, totalCount: 0 });
  });

  test('takes compressed reports', async () => {
    const reply = await service.app.inject({
      method: 'POST',
      url: '/api/client/machines',
      headers: {
        authorization: `Apikey ${tokens.north}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      payload: gzipSync(JSON.stringify({ machines: [{ key: 'z', name: 'z', text: old }] })),
    });
    expect([
      reply.statusCode,
      reply.json<{ machines: ReportOutcome[] }>().machines[0]?.state,
    ]).toEqual([200, 'stored']);
  });

  test('a client overwrites and deletes no machine of another', async () => {
    const own = await one(tokens.north, 'same', old);
    const other = await one(tokens.south, 'same', patched);
    expect(other).not.toBe(own);
    await judge();
    expect((await missing(own)).totalCount).toBe(3);
    expect((await missing(other)).totalCount).toBe(1);
    const removal = await service.ask('DELETE', '/client/machines/same', { token: tokens.south });
    expect(removal.status).toBe(200);
    expect(
      (await service.ask('DELETE', '/client/machines/same', { token: tokens.south })).status,
    ).toBe(404);
    expect((await missing(own)).totalCount).toBe(3);
  });

  test('a client that may not report is refused, and what it reported is deleted when it is switched off', async () => {
    expect(await report(tokens.closed, [{ key: 'a', name: 'a', text: old }])).toMatchObject({
      status: 403,
      code: 'machines_not_allowed',
    });
    await one(tokens.north, 'a', old);
    const change = (reportsMachines: boolean) =>
      service.ask('PUT', `/windows/user/${north}/licence`, {
        token: tokens.admin,
        body: { reportsMachines },
      });
    expect((await change(false)).json).toMatchObject({ reportsMachines: false });
    await maintainFleet(database, { now: service.now, keptDays: 90, signal: never });
    expect(await search()).toMatchObject({ totalCount: 0 });
    const { rows } = await database.query(
      'select (select count(*) from part_machines) + (select count(*) from waiting_sets) + (select count(*) from inventory_part) + (select count(*) from machine_standing) as left',
    );
    expect(rows).toEqual([{ left: 0 }]);
    expect(await report(tokens.north, [{ key: 'a', name: 'a', text: old }])).toMatchObject({
      status: 403,
    });
    expect((await change(true)).json).toMatchObject({ reportsMachines: true });
  });

  test('a machine that falls silent is deleted, and others stay', async () => {
    await one(tokens.north, 'silent', old);
    service.now += 91 * day;
    await signIn();
    const stays = await one(tokens.north, 'speaks', old);
    await maintainFleet(database, { now: service.now, keptDays: 90, signal: never });
    expect((await search()).objList.map(({ id }) => id)).toEqual([stays]);
  });

  test('an administrator deletes a machine, and a Standard user does not', async () => {
    const id = await one(tokens.north, 'a', old);
    expect(
      (await service.ask('DELETE', `/machines/${id}`, { token: tokens.standard })).status,
    ).toBe(403);
    expect((await service.ask('DELETE', `/machines/${id}`, { token: tokens.admin })).status).toBe(
      200,
    );
    expect((await service.ask('DELETE', `/machines/${id}`, { token: tokens.admin })).status).toBe(
      404,
    );
    expect(await search()).toMatchObject({ totalCount: 0 });
    const { rows } = await database.query(`select * from audit_entry order by id desc limit 5`);
    expect(JSON.stringify(rows)).toContain('machine host-a');
  });

  test('machines carry the new name of a client that is renamed', async () => {
    await one(tokens.north, 'a', old);
    await service.ask('PUT', `/windows/user/${north}/licence`, {
      token: tokens.admin,
      body: { clientName: 'Far North' },
    });
    await maintainFleet(database, { now: service.now, keptDays: 90, signal: never });
    expect(await search({ keyword: 'far north' })).toMatchObject({
      totalCount: 1,
      objList: [{ client: 'Far North' }],
    });
    await service.ask('PUT', `/windows/user/${north}/licence`, {
      token: tokens.admin,
      body: { clientName: 'North' },
    });
  });

  test('an accepted record counts apart until its date, or until the exception is ended', async () => {
    const [one1, two] = [await one(tokens.north, 'a', old), await one(tokens.north, 'b', old)];
    await judge();
    const id = await recordId('ALSA-2024:2');
    const accept = (body: object, token = tokens.admin) =>
      service.ask('POST', `/machines/${one1}/exceptions`, {
        token,
        body: {
          list: 'almalinux_patch',
          recordId: id,
          until: service.now + day,
          reason: 'Behind a firewall',
          ...body,
        },
      });
    expect((await accept({}, tokens.standard)).status).toBe(403);
    expect((await accept({ until: service.now })).status).toBe(422);
    const { status, json } = await accept({});
    expect([status, json['by']]).toEqual([201, 'Operator']);
    await judge();
    const counts = async () =>
      (await search()).objList
        .toSorted((a, b) => Number(a['id']) - Number(b['id']))
        .map((row) => [row['missing'], row['missingCritical'], row['accepted']]);
    expect(await counts()).toEqual([
      [2, 0, 1],
      [3, 1, 0],
    ]);
    expect((await missing(one1)).objList.at(-1)).toMatchObject({
      identifier: 'ALSA-2024:2',
      accepted: { reason: 'Behind a firewall', by: 'Operator', forClient: false },
    });
    expect((await machinesOf('ALSA-2024:2')).objList).toMatchObject([
      { id: one1, accepted: true },
      { id: two, accepted: false },
    ]);
    // For the whole client, and then over.
    await accept({ forClient: true });
    await judge();
    const exceptions = async (token: string) =>
      (await service.ask('GET', `/windows/user/${north}/exceptions`, { token })).json;
    const stated = { identifier: 'ALSA-2024:2', reason: 'Behind a firewall', by: 'Operator' };
    expect(await exceptions(tokens.standard)).toMatchObject({
      totalCount: 2,
      objList: [
        { ...stated, machineId: one1 },
        { ...stated, machineId: null, machine: null },
      ],
    });
    expect(await missing(one1)).toMatchObject({ totalCount: 3, acceptedCount: 1 });
    expect(await counts()).toEqual([
      [2, 0, 1],
      [2, 0, 1],
    ]);
    service.now += 2 * day;
    await signIn();
    await judge();
    expect(await exceptions(tokens.admin)).toEqual({ objList: [], totalCount: 0 });
    expect(await counts()).toEqual([
      [3, 1, 0],
      [3, 1, 0],
    ]);
    const again = await accept({});
    await judge();
    expect(await counts()).toEqual([
      [2, 0, 1],
      [3, 1, 0],
    ]);
    const path = `/machines/exceptions/${Number(again.json['exceptionId'])}`;
    expect((await service.ask('DELETE', path, { token: tokens.admin })).status).toBe(200);
    await judge();
    expect(await counts()).toEqual([
      [3, 1, 0],
      [3, 1, 0],
    ]);
  });

  test('sums up a client, and names the records that most machines miss', async () => {
    await one(tokens.north, 'a', old);
    await one(tokens.north, 'b', patched);
    await one(tokens.south, 'a', old);
    await judge();
    expect(
      (await service.ask('GET', `/windows/user/${north}/machines`, { token: tokens.admin })).json,
    ).toMatchObject({
      machines: 2,
      machinesMissing: 2,
      missing: 4,
      missingCritical: 1,
      lastSeen: service.now,
    });
    const summary = await service.ask('GET', '/dashboard/machines', { token: tokens.standard });
    expect(summary.json).toMatchObject({
      machines: 3,
      missing: 7,
      records: [{ identifier: 'ALSA-2024:3', machines: 3 }, { machines: 2 }, { machines: 2 }],
      talliedOn: service.now,
    });
    expect((summary.json['trend'] as object[]).at(-1)).toMatchObject({
      machines: 3,
      machinesMissing: 3,
    });
  });
});
