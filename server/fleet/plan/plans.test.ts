/** Plans of updates in the complete service: what they have, how far they are, and their files. */
import { expect, test } from 'vitest';
import { day } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { type Found, old, patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';

interface Task {
  readonly position: number;
  readonly command: string | null;
  readonly updates: readonly {
    readonly identifier: string;
    readonly closes: readonly string[];
    readonly due: object | null;
  }[];
  readonly machines: readonly { readonly id: number; readonly state: string }[];
}
interface Made {
  readonly id: number;
  readonly tasks: readonly Task[];
  readonly names: readonly { readonly id: number; readonly name: string }[];
  readonly [field: string]: unknown;
}

/** An inventory without any of the missing updates. */
const complete = patched.replace('curl-7.61.1-33.el8', 'curl-7.61.1-34.el8');
const elsewhere = 'NAME="Slackware"\nID="slackware"\nVERSION_ID="15.0"\nbash-5.1.8-1.x86_64\n';

describeWithDatabase('plans of updates', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;

  const make = async (body: object = {}) =>
    (await operator.post('/machines/plans', { name: 'P', criteria: '', choice: 'all', ...body })
      .json) as unknown as Made;
  const read = async ({ id }: Pick<Made, 'id'>) =>
    (await stan.get(`/machines/plans/${id}`).json) as unknown as Made;
  /** The tasks as updates and machines: 'ALSA-2024:2 on host-a host-b'. */
  const written = ({ tasks, names }: Made) =>
    tasks.map(({ updates, machines }) => {
      const named = machines.map(({ id }) => names.find((one) => one.id === id)?.name);
      return `${updates.map(({ identifier }) => identifier).join(' ')} on ${named.join(' ')}`;
    });
  const states = ({ tasks }: Made) =>
    tasks.map(({ machines }) => machines.map(({ state }) => state).join(' '));
  const dueOf = async (plan: Pick<Made, 'id'>) =>
    (await read(plan)).tasks.flatMap(({ updates }) => updates.map(({ due }) => due));
  const later = async (days: number, run: () => Promise<void>) => {
    const { now } = service;
    service.now = now + days * day;
    await run();
    service.now = now;
  };

  test('has the fewest updates, and one task for what the same machines take', async () => {
    await fleet.add('a');
    await fleet.add('b', patched);
    await fleet.add('c', old, fleet.south);
    await fleet.add('d', complete);
    await fleet.judge();
    const plan = await make();
    expect(written(plan)).toEqual([
      'ALSA-2024:3 on host-a host-b host-c',
      'ALSA-2024:2 on host-a host-c',
    ]);
    expect(plan).toMatchObject({ machines: 4, nothingToDo: 1, notJudged: [], notClosed: [] });
    expect(plan.tasks[1]).toMatchObject({
      system: 'AlmaLinux 8',
      manager: 'dnf',
      command: 'dnf upgrade --advisory=ALSA-2024:2',
      updates: [{ severity: 'Critical', closes: ['ALSA-2024:1'] }],
    });
  });

  test('counts apart machines without updates that may miss one', async () => {
    await fleet.add('d', complete);
    await fleet.add('m', `${complete}nodejs-16.20.1-1.module_el8.8.0+3615.x86_64\n`);
    await writeRecords(service.database, 'almalinux_patch', [
      erratum('ALSA-2024:7', 'Important', [], {
        detail: {
          packages: [
            {
              name: 'nodejs',
              version: '1:16.20.2-3.module_el8.8.0+3615',
              architecture: 'x86_64',
              module: 'nodejs:16:8080:63b34585',
            },
          ],
        },
      }),
    ]);
    await fleet.judge();
    expect((await fleet.search({ keyword: 'host-m' })).objList).toMatchObject([
      { missing: 0, uncertain: 1 },
    ]);
    expect(await make()).toMatchObject({ machines: 2, nothingToDo: 1, mayMiss: 1, tasks: [] });
    expect(await make({ choice: 'exploited' })).toMatchObject({ nothingToDo: 2, mayMiss: 0 });
    expect((await stan.get('/machines/plans').list)[1]).toMatchObject({ mayMiss: 1 });
    await service.rows(
      "update stored_record set withdrawn_time = 1 where identifier = 'ALSA-2024:7'",
    );
  });

  test('joins updates that the same machines take in one command', async () => {
    await fleet.add('a');
    await fleet.judge();
    const { tasks } = await make();
    expect(tasks).toHaveLength(1);
    expect(tasks[0]?.command?.split(' ').toSorted()).toEqual([
      '--advisory=ALSA-2024:2',
      '--advisory=ALSA-2024:3',
      'dnf',
      'upgrade',
    ]);
  });

  test('closes the choice alone: critical and important records, or named ones', async () => {
    await fleet.add('a');
    await fleet.judge();
    expect(written(await make({ choice: 'serious' }))).toEqual(['ALSA-2024:2 on host-a']);
    expect(written(await make({ choice: 'exploited' }))).toEqual([]);
    const named = { choice: 'records', records: ['ALSA-2024:1'] };
    expect(written(await make(named))).toEqual(['ALSA-2024:2 on host-a']);
    const refused = await operator.post('/machines/plans', {
      name: 'P',
      criteria: '',
      choice: 'all',
      records: ['ALSA-2024:1'],
    }).outcome;
    expect(refused).toMatch(/^422/);
  });

  test('closes what is overdue alone when that is chosen', async () => {
    const { database } = service;
    const today = Math.floor(service.now / day) * day;
    const recent = (id: number, name: string) => {
      const detail = { cve: [`CVE-2024-000${id}`] };
      const { row, ...rest } = erratum(`ALSA-2024:${id}`, 'Low', [[name, '2-1.el8']], { detail });
      return { ...rest, row: { ...row, releaseDate: today - 5 * day } };
    };
    await writeRecords(database, 'almalinux_patch', [recent(4, 'zlib'), recent(5, 'gzip')]);
    await writeCveFacts(
      database,
      buildKevFacts('CVE-2024-0004', { dueDate: today - day }),
      buildKevFacts('CVE-2024-0005', { dueDate: today }),
    );
    await refreshStaleCves(database);
    await fleet.add('a', `${complete}zlib-1-1.el8.x86_64\ngzip-1-1.el8.x86_64\n`);
    await fleet.judge();
    expect(written(await make({ choice: 'overdue' }))).toEqual(['ALSA-2024:4 on host-a']);
    const exploited = await make({ choice: 'exploited' });
    expect(exploited.tasks[0]?.updates.map(({ identifier }) => identifier).toSorted()).toEqual([
      'ALSA-2024:4',
      'ALSA-2024:5',
    ]);
  });

  test('refuses records and groups that do not exist', async () => {
    await fleet.add('a');
    const body = { name: 'P', criteria: '', choice: 'records', records: ['CVE-9999-1'] };
    expect(await operator.post('/machines/plans', body).outcome).toBe('404 not_found');
    for (const criteria of [
      'group.in.Nowhere',
      'group.not_in.Nowhere',
      'group.not_equal.Nowhere',
    ]) {
      const asked = { name: 'P', criteria, choice: 'all' };
      expect(await operator.post('/machines/plans', asked).outcome).toBe('404 no_such_group');
      const tags = { criteria, add: ['x'] };
      expect(await operator.post('/machines/tags', tags).outcome).toBe('404 no_such_group');
    }
  });

  test('has not failed by a window that ended before the plan was made', async () => {
    await fleet.add('a');
    await fleet.judge();
    const plan = await make({ choice: 'serious' });
    const window = { from: 1, until: 2 };
    const path = `/machines/plans/${plan.id}/tasks/0`;
    expect(states((await operator.put(path, { window }).json) as unknown as Made)).toEqual([
      'waiting',
    ]);
  });

  test('has no machine of another group', async () => {
    await fleet.add('a');
    await fleet.add('c', old, fleet.south);
    await fleet.judge();
    const body = { name: 'South', criteria: 'client.equal.South', owner: null };
    await operator.post('/machines/groups', body).json;
    const plan = await make({ criteria: 'group.in.South' });
    expect(plan.names).toMatchObject([{ name: 'host-c' }]);
    expect(plan['machines']).toBe(1);
  });

  test('says which machines were not judged', async () => {
    await fleet.add('a', elsewhere);
    await fleet.judge();
    await fleet.add('b');
    const plan = await make();
    expect(plan).toMatchObject({
      machines: 2,
      nothingToDo: 0,
      notJudged: [{ name: 'host-a' }],
      beingJudged: [{ name: 'host-b' }],
    });
  });

  test('is done where a later report shows it, and open elsewhere', async () => {
    await fleet.add('a');
    await fleet.add('b');
    await fleet.judge();
    const plan = await make({ choice: 'serious' });
    expect(states(plan)).toEqual(['open open']);
    await later(1, async () => {
      await fleet.add('a', patched);
      expect(states(await read(plan))).toEqual(['unknown open']);
      await fleet.judge();
      expect(states(await read(plan))).toEqual(['done open']);
    });
    const { list } = stan.get('/machines/plans');
    expect((await list)[0]).toMatchObject({
      id: plan.id,
      tasks: 1,
      unjudged: 0,
      states: { done: 1, open: 1 },
    });
  });

  test('is scheduled for a window, then waits for a report, then has failed', async () => {
    await fleet.add('a');
    await fleet.judge();
    const plan = await make({ choice: 'serious' });
    const window = { from: service.now + day, until: service.now + 2 * day };
    const path = `/machines/plans/${plan.id}/tasks/0`;
    const scheduled = (await operator.put(path, { window }).json) as unknown as Made;
    expect(states(scheduled)).toEqual(['scheduled']);
    await later(3, async () => expect(states(await read(plan))).toEqual(['waiting']));
    await later(4, async () => {
      await fleet.add('a');
      await fleet.judge();
      expect(states(await read(plan))).toEqual(['failed']);
    });
    await operator.put(path, { window: null }).json;
    expect(states(await read(plan))).toEqual(['open']);
    for (const position of [7, 99_999_999_999])
      expect(
        await operator.put(`/machines/plans/${plan.id}/tasks/${position}`, { window }).outcome,
      ).toBe('404 no_such_plan');
  });

  test('has a task for each release, where machines of two take the same update', async () => {
    const releases = ['AlmaLinux 8', 'AlmaLinux 9'];
    await writeRecords(service.database, 'almalinux_patch', [
      erratum('ALSA-2024:6', 'Low', [['tzdata', '2024b-1']], { releases }),
    ]);
    const with8 = `${complete}tzdata-2024a-1.x86_64\n`;
    await fleet.add('a', with8);
    await fleet.add('b', with8.replace('8.9', '9.4'));
    await fleet.judge();
    const plan = await make({ choice: 'records', records: ['ALSA-2024:6'] });
    expect(written(plan).toSorted()).toEqual(['ALSA-2024:6 on host-a', 'ALSA-2024:6 on host-b']);
    expect(plan.tasks).toMatchObject([{ system: 'AlmaLinux 8' }, { system: 'AlmaLinux 9' }]);
  });

  test('says until when an update is due that is accepted on one of two equal machines', async () => {
    const a = await fleet.add('a');
    await fleet.add('b');
    await fleet.judge();
    const plan = await make({ choice: 'serious' });
    const [due] = (await dueOf(plan)) as [object];
    await fleet.accept(a).then(({ status }) => status);
    const recordId = await fleet.recordId('ALSA-2024:1');
    await fleet.accept(a, { recordId }).then(({ status }) => status);
    expect(await dueOf(plan)).toEqual([due]);
    expect(due).toMatchObject({ evidence: expect.stringContaining('released 2024-04-01') });
  });

  test('needs nothing where the update is accepted, and does not know a machine that is gone', async () => {
    const a = await fleet.add('a');
    const b = await fleet.add('b');
    await fleet.judge();
    const plan = await make({ choice: 'serious' });
    await fleet.accept(a).then(({ status }) => status);
    await operator.delete(`/machines/${b}`).json;
    expect(states(await read(plan))).toEqual(['notNeeded unknown']);
  });

  test('is not done where the update is accepted, when the machine reports again without it', async () => {
    const a = await fleet.add('a');
    await fleet.judge();
    const plan = await make({ choice: 'serious' });
    const until = service.now + 9 * day;
    await fleet.accept(a, { until }).then(({ status }) => status);
    await later(1, async () => {
      await fleet.add('a');
      await fleet.judge();
      expect(states(await read(plan))).toEqual(['notNeeded']);
      await fleet.add('a', patched);
      await fleet.judge();
      expect(states(await read(plan))).toEqual(['done']);
    });
  });

  test('does not know where a later report does not show whether the update is installed', async () => {
    const a = await fleet.add('a');
    await fleet.judge();
    const plan = await make({ choice: 'serious' });
    await later(1, async () => {
      await fleet.add('a', old.replaceAll('.x86_64', ''));
      await fleet.judge();
      const { objList } = await fleet.search({ filter: "mayMiss = 'ALSA-2024:2'" });
      expect(objList.map(({ id }) => id)).toEqual([a]);
      expect(states(await read(plan))).toEqual(['unknown']);
    });
  });

  test('is not done where the machine moved to another release', async () => {
    await fleet.add('a');
    await fleet.add('b');
    await fleet.judge();
    const plan = await make({ choice: 'serious' });
    await later(1, async () => {
      await fleet.add('a', old.replace('8.9', '9.4').replaceAll('el8', 'el9'));
      expect(states(await read(plan))).toEqual(['moved open']);
      await fleet.judge();
      const { tasks } = await read(plan);
      expect(tasks[0]?.machines[0]).toMatchObject({ state: 'moved', movedTo: 'AlmaLinux 9' });
      const { bytes } = await stan.get(`/machines/plans/${plan.id}/files/plan.sh`);
      expect(bytes.toString()).not.toContain('host-a');
    });
  });

  test('is written as files for the machines on which something is left', async () => {
    await fleet.add('a');
    await fleet.add('b');
    await fleet.judge();
    const plan = await make({ choice: 'serious', name: 'Tuesday $(reboot)' });
    await later(1, async () => {
      await fleet.add('b', patched);
      await fleet.judge();
    });
    const file = async (name: string) =>
      (await stan.get(`/machines/plans/${plan.id}/files/${name}`)).bytes.toString();
    const playbook = await file('playbook.yml');
    expect(playbook).toContain('- "--advisory=ALSA-2024:2"\n');
    expect(playbook).toContain('- "host-a"');
    expect(playbook).not.toContain('host-b');
    expect(playbook).toContain('[ "$ID" = almalinux ] || exit 1\n');
    const shell = await file('plan.sh');
    expect(shell).toContain(
      "'host-a')\n  install 1 almalinux 8 dnf -y --refresh upgrade --advisory=ALSA-2024:2\n",
    );
    expect(shell).toContain('# Plan Tuesday $(reboot), made');
    expect((await file('plan.csv')).split('\r\n')).toMatchObject([
      'task,system,machine,state,updates,command,restart,from,until,due',
      // Critical, 30 days after the release on 2024-04-01.
      '1,AlmaLinux 8,host-a,open,ALSA-2024:2,dnf upgrade --advisory=ALSA-2024:2,,,,2024-05-01',
      '1,AlmaLinux 8,host-b,done,ALSA-2024:2,dnf upgrade --advisory=ALSA-2024:2,,,,',
      '',
    ]);
    expect(JSON.parse(await file('plan.json'))).toMatchObject({ id: plan.id });
  });

  test('names machines whose name another one of the plan or of their client has', async () => {
    const key = (letter: string) => letter.repeat(32);
    const tags = ['one'];
    await fleet.outcomes(
      fleet.north,
      { key: key('a'), name: 'web', text: old },
      { key: 'b', name: 'WEB', text: old },
      { key: key('c'), name: 'db', text: old, tags },
      { key: key('d'), name: 'db', text: old },
      { key: 'e', name: 'alone', text: old, tags },
    );
    await fleet.outcomes(fleet.south, { key: key('c'), name: 'alone', text: old });
    await fleet.judge();
    const same = async (criteria: string) =>
      ((await make({ criteria }))['sameNames'] as { name: string; key: string | null }[])
        .map((one) => `${one.name} ${one.key}`)
        .toSorted();
    expect(await same('tags.in.one')).toEqual([`db ${key('c')}`]);
    expect(await same('')).toEqual([
      'WEB null',
      `alone ${key('c')}`,
      'alone null',
      `db ${key('c')}`,
      `db ${key('d')}`,
      `web ${key('a')}`,
    ]);
  });

  test('is listed in pages, the newest first', async () => {
    await fleet.add('a');
    await fleet.judge();
    const before = Number((await stan.get('/machines/plans').json)['totalCount']);
    const ids: number[] = [];
    for (let at = 0; at < 12; at += 1) ids.unshift((await make({ name: `P${at}` })).id);
    const page = async (query: string) => {
      const { objList, totalCount } = (await stan.get(`/machines/plans${query}`)
        .json) as unknown as Found;
      expect(totalCount).toBe(before + 12);
      return objList.map(({ id }) => id);
    };
    expect(await page('')).toEqual(ids.slice(0, 10));
    expect(await page('?offset=10&size=2')).toEqual(ids.slice(10));
    expect(await page('?offset=999')).toEqual([]);
    expect(await stan.get('/machines/plans?size=26').status).toBe(422);
  });

  test('is removed, and is not found afterwards', async () => {
    const plan = await make();
    expect(await operator.delete(`/machines/plans/${plan.id}`).outcome).toMatch(/^200/);
    expect(await stan.get(`/machines/plans/${plan.id}`).outcome).toBe('404 no_such_plan');
  });
});
