/**
 * Machines of rings, reported by licensed clients and with keys of groups: what is held back on them, what the commands of their pages and
 * plans install, and who may see it.
 */

import { type Chance, createChance, pick } from '@patch/catalogue/testing/chance.ts';
import { seeds } from '@patch/catalogue/testing/rounds.ts';
import { beforeEach, expect, test } from 'vitest';
import { activeClient } from '../../licensing/clients/testing/client-registry.ts';
import { ListCopy, list } from '../../licensing/rings/testing/list-copy.ts';
import { erratum, server2022, serverUpdate } from '../../machines/testing/machine-catalogue.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { buildUser } from '../../testing/factories.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { old, withMachinesOfClients } from '../testing/machines-of-clients.ts';

interface MachinePage {
  readonly objList: readonly {
    readonly identifier: string;
    readonly recordId: number;
    readonly heldBack: string | null;
  }[];
  readonly ring: {
    readonly name: string;
    readonly newer: number;
    readonly declined: number;
  } | null;
  readonly bands: readonly {
    readonly missing: number;
    readonly install: readonly string[];
    readonly command: string | null;
  }[];
  readonly install: readonly { readonly identifier: string }[];
  readonly installCommand: string | null;
}

interface Planned {
  readonly id: number;
  readonly tasks: readonly {
    readonly updates: readonly { readonly identifier: string }[];
    readonly machines: readonly { readonly id: number }[];
  }[];
  readonly heldBack: readonly { readonly identifier: string; readonly machines: number }[];
}

interface ModelRing {
  readonly id: number;
  readonly name: string;
  /** Fetches what the ring has. */
  readonly copy: ListCopy;
  /** The licensed client of the copy. */
  readonly clientId: number;
  passesExploited: boolean;
  readonly decisions: Map<string, { readonly id: number; readonly decision: string }>;
}

interface ModelMachine {
  readonly id: number;
  readonly reporter: 'clients' | 'groups';
  readonly reporterId: number;
  /** The release of each package. */
  readonly installed: Readonly<Record<string, number>>;
  ring: ModelRing | null;
}

const packages = ['bash', 'curl', 'openssl'];
const severities = ['Critical', 'Important', 'Moderate', 'Low'];
const cve = 'CVE-2026-0007';
const records = Array.from({ length: 12 }, (_, number) => ({
  number,
  identifier: `ALSA-2026:${number}`,
  package: packages[number % packages.length] ?? '',
}));

describeWithDatabase('rings with groups of machines', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator } = service;
  beforeEach(async () => {
    await service.database.script(
      `update licensed_client set ring_id = null; update machine_group set ring_id = null;
       delete from ring; delete from checkpoint; delete from kept_record; delete from vulnerability; delete from record_risk`,
    );
  });

  const pageOf = async (machine: number, by = service.stan) =>
    (await by.get(`/machines/${machine}/missing`).json) as unknown as MachinePage;
  const makePlan = async (by = operator) => {
    const body = { name: 'All', criteria: '', choice: 'all' };
    const plan = (await by.post('/machines/plans', body).json) as unknown as Planned;
    await operator.delete(`/machines/plans/${plan.id}`).json;
    return plan;
  };
  const updatesOn = (plan: Planned, machine: number) =>
    plan.tasks
      .filter(({ machines }) => machines.some(({ id }) => id === machine))
      .flatMap(({ updates }) => updates.map(({ identifier }) => identifier))
      .toSorted();
  const installed = ({ install }: MachinePage) =>
    install.map(({ identifier }) => identifier).toSorted();
  const heldOn = ({ objList }: MachinePage) =>
    objList
      .filter(({ heldBack }) => heldBack !== null)
      .map(({ identifier, heldBack }) => `${identifier} ${heldBack}`)
      .toSorted();
  const newCheckpoint = async (name: string) =>
    Number((await operator.post('/checkpoints', { name }).json)['id']);
  const change = async (ring: number, body: object) =>
    expect(await operator.put(`/rings/${ring}`, body).outcome).toBe('200');
  const newRing = async (body: object) => Number((await operator.post('/rings', body).json)['id']);
  const addToGroup = async (group: string, key: string, text = old) => {
    const { by } = await fleet.newKey(group, `${group} of ${key}`);
    const id = Number((await fleet.enrol(by, key, text).json)['id']);
    return { id, group: clientOfMachine(id) };
  };

  test.each(seeds(2))(
    'hold back what a plain model says, in pages, commands and plans (%i)',
    async (seed) => {
      const { compared, held, byGroups } = await walk(createChance(seed), seed);
      expect(compared).toBeGreaterThan(7);
      expect(held).toBeGreaterThan(20);
      expect(byGroups).toBeGreaterThan(10);
    },
  );

  async function walk(chance: Chance, seed: number) {
    const { database } = service;
    const present = new Map<number, number>();
    const counts = { compared: 0, held: 0, byGroups: 0 };
    let isExploited = false;
    let checkpoints: readonly number[] = [];

    const write = async (chosen: readonly (typeof records)[number][]) => {
      const entries = chosen.map(({ number, identifier, package: name }) =>
        erratum(identifier, pick(severities, chance), [[name, `2.0-${number + 1}.el8`]], {
          detail: { cve: number % 4 === 0 ? [cve] : [] },
        }),
      );
      for (const [identifier, id] of await writeRecords(database, list, entries))
        present.set(records.find((one) => one.identifier === identifier)?.number ?? -1, id);
    };
    const sync = async () => {
      const chosen = records.filter(() => chance() < 0.25);
      if (chance() < 0.7) return write(chosen);
      const gone = chosen.filter(({ number }) => present.has(number));
      await withdrawRecords(
        database,
        list,
        gone.map(({ number }) => present.get(number)),
      );
      for (const { number } of gone) present.delete(number);
    };
    const setExploited = async (isTrue: boolean) => {
      isExploited = isTrue;
      const facts = isTrue ? buildKevFacts(cve) : { of: 'kev', cve, facts: null, hash: '' };
      await writeCveFacts(database, facts as ReturnType<typeof buildKevFacts>);
      await refreshStaleCves(database);
    };

    await withdrawAll();
    await write(records.slice(0, 6));
    const rings: ModelRing[] = [];
    checkpoints = [await newCheckpoint('First')];
    for (const name of ['Pilot', 'All']) {
      const { id: clientId, caller } = await activeClient(service, {
        clientName: `Copy ${name} ${seed}`,
      });
      const id = await newRing({ name, checkpoint: checkpoints[0], clients: [clientId] });
      const copy = new ListCopy(caller);
      rings.push({ id, name, clientId, copy, passesExploited: false, decisions: new Map() });
    }
    const machines: ModelMachine[] = [];
    for (const [index, reporter] of (
      ['groups', 'clients', 'groups', 'clients'] as const
    ).entries()) {
      const own = Object.fromEntries(packages.map((name) => [name, Math.floor(chance() * 4)]));
      const text = `ID="almalinux"\nVERSION_ID="8.9"\n${Object.entries(own)
        .map(([name, version]) => `${name}-2.0-${version}.el8.x86_64\n`)
        .join('')}`;
      const client = index === 1 ? fleet.north : fleet.south;
      const id =
        reporter === 'clients'
          ? await fleet.add(`m${index}`, text, client)
          : (await addToGroup(`Group ${index}`, `m${index}`, text)).id;
      const reporterId = clientOfMachine(id);
      machines.push({ id, reporter, reporterId, installed: own, ring: null });
    }
    const membersOf = (ring: ModelRing) => {
      const idsOf = (reporter: ModelMachine['reporter']) =>
        machines
          .filter((one) => one.ring === ring && one.reporter === reporter)
          .map(({ reporterId }) => reporterId);
      return { clients: [ring.clientId, ...idsOf('clients')], groups: idsOf('groups') };
    };
    /** Moves a member by the ring that it enters, or leaves. */
    const move = async (machine: ModelMachine, to: ModelRing | null) => {
      const ring = to ?? machine.ring;
      machine.ring = to;
      if (ring !== null)
        await change(ring.id, { [machine.reporter]: membersOf(ring)[machine.reporter] });
    };

    const compare = async () => {
      const held = new Map<string, number>();
      const expectedSteps = new Map<number, readonly string[]>();
      for (const ring of rings) await ring.copy.finish(100);
      for (const machine of machines) {
        const page = await pageOf(machine.id);
        const lacking = records.filter(
          ({ number, package: name }) =>
            present.has(number) && number + 1 > (machine.installed[name] ?? 0),
        );
        const { ring } = machine;
        const expected = lacking.map(({ number, identifier }) => {
          const hasIt = ring === null || ring.copy.byId.has(present.get(number) ?? 0);
          const isDeclined = ring?.decisions.get(identifier)?.decision === 'declined';
          const reason = hasIt ? null : isDeclined ? 'declined' : 'newer';
          if (!hasIt) held.set(identifier, (held.get(identifier) ?? 0) + 1);
          return [identifier, reason] as const;
        });
        expect(page.objList).toHaveLength(expected.length);
        expect(new Map(page.objList.map((one) => [one.identifier, one.heldBack]))).toEqual(
          new Map(expected),
        );
        const count = (wanted: string) => expected.filter(([, one]) => one === wanted).length;
        expect(page.ring && { ...page.ring, id: undefined, checkpoint: undefined }).toEqual(
          ring && { name: ring.name, newer: count('newer'), declined: count('declined') },
        );
        const given = new Set(
          expected.flatMap(([identifier, reason]) => (reason === null ? [identifier] : [])),
        );
        // The highest version of each package closes what the ring has.
        const steps = packages.flatMap(
          (name) =>
            lacking.findLast((one) => one.package === name && given.has(one.identifier))
              ?.identifier ?? [],
        );
        expect(installed(page)).toEqual(steps.toSorted());
        expect(page.bands.reduce((sum, { missing }) => sum + missing, 0)).toBe(given.size);
        const commanded = page.installCommand?.match(/ALSA-2026:\d+/g) ?? [];
        expect(commanded.toSorted()).toEqual(steps.toSorted());
        expectedSteps.set(machine.id, steps.toSorted());
        counts.held += expected.length - given.size;
        if (machine.reporter === 'groups') counts.byGroups += expected.length - given.size;
      }
      await fleet.judge();
      const plan = await makePlan();
      for (const [machine, steps] of expectedSteps) expect(updatesOn(plan, machine)).toEqual(steps);
      expect(new Map(plan.heldBack.map((one) => [one.identifier, one.machines]))).toEqual(held);
      counts.compared += 1;
    };

    const act = async (step: number) => {
      const dice = chance();
      const ring = pick(rings, chance);
      if (dice < 0.3) await sync();
      else if (dice < 0.4) checkpoints = [...checkpoints, await newCheckpoint(`Step ${step}`)];
      else if (dice < 0.5) await change(ring.id, { checkpoint: pick(checkpoints, chance) });
      else if (dice < 0.7) await move(pick(machines, chance), pick([...rings, null], chance));
      else if (dice < 0.8) {
        const { identifier } = pick(
          records.filter(({ number }) => present.has(number)),
          chance,
        );
        const decision = chance() < 0.5 ? 'approved' : 'declined';
        const body = { list, name: identifier, decision, reason: 'Tried out' };
        const { id } = await operator.post(`/rings/${ring.id}/decisions`, body).json;
        ring.decisions.set(identifier, { id: Number(id), decision });
      } else if (dice < 0.86 && ring.decisions.size > 0) {
        const [identifier, { id }] = pick([...ring.decisions], chance);
        await operator.delete(`/rings/decisions/${id}`).json;
        ring.decisions.delete(identifier);
      } else if (dice < 0.93) {
        ring.passesExploited = !ring.passesExploited;
        await change(ring.id, { passesExploited: ring.passesExploited });
      } else await setExploited(!isExploited);
    };
    for (const [index, machine] of machines.entries())
      await move(machine, [rings[0], rings[0], rings[1], null][index] ?? null);
    for (let step = 0; step < 32; step += 1) {
      if (present.size === 0) await write(records.slice(0, 6));
      await act(step);
      if (step % 4 === 0) await compare();
    }
    for (const ring of rings)
      expect(await operator.delete(`/rings/${ring.id}`).outcome).toBe('200');
    for (const machine of machines) machine.ring = null;
    const pages = await Promise.all(machines.map(({ id }) => pageOf(id)));
    expect(pages.flatMap(heldOn)).toEqual([]);
    return counts;
  }

  async function withdrawAll(): Promise<void> {
    const rows = await service.rows(`select id from ${list} where withdrawn_time is null`);
    const all = rows.map(({ id }) => Number(id));
    if (all.length > 0) await withdrawRecords(service.database, list, all);
  }

  test('install on Windows, macOS and for applications what the ring has, as plans do', async () => {
    const { database } = service;
    const windows = server2022.replace('10.0.20348.2000', '10.0.20348.2050');
    const winget = [
      'Name               Id        Version Source',
      '-------------------------------------------',
      '7-Zip 23.01 (x64)  7zip.7zip 23.01   winget',
      '',
    ].join('\n');
    const write = async (
      ring: 'in the ring' | 'newer',
      updates: Parameters<typeof writeRecords>[2],
    ) => {
      const version = { 'in the ring': ['14.7.2', '24.08'], newer: ['14.7.3', '24.09'] }[ring];
      const [macos = '', sevenZip = ''] = version;
      await writeRecords(database, 'patch_repository', updates);
      await writeRecords(database, 'macos_patch', [
        { key: macos, row: { productKey: macos, version: macos, title: `macOS ${macos}` } },
      ]);
      await writeRecords(database, 'thirdparty_patch', [
        {
          key: sevenZip,
          row: { uuid: sevenZip, name: '7-Zip', version: sevenZip, manufacturer: 'Igor Pavlov' },
          detail: { packageId: '7zip.7zip' },
        },
      ]);
    };
    await write('in the ring', [serverUpdate('KB5070001', '10.0.20348.2100')]);
    const checkpoint = await newCheckpoint('First');
    const server = await addToGroup('Servers', 'w', `${windows}${winget}`);
    const text = 'ProductName: macOS\nProductVersion: 14.7.1\nBuildVersion: 23H222\n';
    const mac = await addToGroup('Macs', 'm', text);
    const machines = [server.id, mac.id];
    const inTheRing = await Promise.all(machines.map((id) => pageOf(id)));
    expect(inTheRing.map(installed).flat()).toHaveLength(3);

    await write('newer', [
      serverUpdate('KB5070001', '10.0.20348.2100', ['KB5070002']),
      serverUpdate('KB5070002', '10.0.20348.2200'),
    ]);
    const now = await Promise.all(machines.map((id) => pageOf(id)));
    expect(now.map(installed)).not.toEqual(inTheRing.map(installed));
    await newRing({ name: 'Slow', checkpoint, groups: [server.group, mac.group] });
    await fleet.judge();
    const plan = await makePlan();
    for (const [index, id] of machines.entries()) {
      const page = await pageOf(id);
      expect(installed(page)).toEqual(installed(inTheRing[index] as MachinePage));
      expect(page.installCommand).toEqual(inTheRing[index]?.installCommand);
      expect(updatesOn(plan, id)).toEqual(installed(page));
      expect(page.ring).toMatchObject({ newer: [2, 1][index] });
    }
  });

  test('have a group in one ring at most, and only groups that report with keys', async () => {
    const checkpoint = await newCheckpoint('First');
    const { id, group } = await addToGroup('Web', 'w');
    const named = { id: group, name: 'Web' };
    const first = await newRing({ name: 'One', checkpoint, groups: [group, group] });
    const second = await newRing({ name: 'Two', checkpoint });
    const groupsOf = async () =>
      (await service.stan.get('/rings').list).map((ring) => [ring['name'], ring['groups']]);
    expect(await groupsOf()).toEqual([
      ['One', [named]],
      ['Two', []],
    ]);
    expect((await pageOf(id)).ring).toMatchObject({ name: 'One' });
    await change(second, { groups: [group] });
    expect(await groupsOf()).toEqual([
      ['One', []],
      ['Two', [named]],
    ]);
    expect((await pageOf(id)).ring).toMatchObject({ name: 'Two' });
    const [entry] = (await operator.get('/audit?action=change_ring').list).filter(
      ({ outcome }) => outcome === 'done',
    );
    expect(entry).toMatchObject({
      subject: 'ring Two',
      before: { groups: [] },
      after: { groups: [named] },
    });

    const criteria = { name: 'By criteria', criteria: '', owner: null };
    const { id: other } = await operator.post('/machines/groups', criteria).json;
    for (const unknown of [Number(other), group + 1000, fleet.northId]) {
      const body = { groups: [group, unknown] };
      expect(await operator.put(`/rings/${first}`, body).refusal).toEqual([
        404,
        `Group ${unknown} does not exist, or its machines do not report with keys.`,
      ]);
    }
    expect(await operator.put(`/rings/${first}`, { clients: [group] }).outcome).toBe(
      '404 not_found',
    );
    expect((await pageOf(id)).ring).toMatchObject({ name: 'Two' });
    await change(second, { name: 'Three' });
    expect((await pageOf(id)).ring).toMatchObject({ name: 'Three' });
    await change(second, { groups: [] });
    expect((await pageOf(id)).ring).toBeNull();
  });

  test('show users of some groups what is held back on their machines alone', async () => {
    const checkpoint = await newCheckpoint('First');
    const own = await addToGroup('Own', 'own');
    const foreign = await addToGroup('Foreign', 'foreign');
    await writeRecords(service.database, list, [
      erratum('ALSA-2026:90', 'Critical', [['bash', '4.4.20-9.el8']]),
    ]);
    const body = { name: 'Both', checkpoint, groups: [own.group, foreign.group] };
    await newRing({ ...body, clients: [fleet.northId] });
    const north = await fleet.add('n');
    await fleet.judge();
    await buildUser(service.database, {
      name: 'Limited',
      userType: 'Approver',
      machineGroups: [own.group],
    });
    const limited = service.as(await service.createToken('Limited'));
    expect(heldOn(await pageOf(own.id, limited))).toEqual(['ALSA-2026:90 newer']);
    for (const id of [foreign.id, north])
      expect(await limited.get(`/machines/${id}/missing`).outcome).toBe('404 not_found');
    expect((await makePlan()).heldBack).toMatchObject([{ machines: 3 }]);
    expect((await makePlan(limited)).heldBack).toMatchObject([{ machines: 1 }]);
    expect(await limited.get('/rings').outcome).toBe('403 limited_to_groups');
    const refused = { name: 'Mine', checkpoint, groups: [foreign.group] };
    expect(await limited.post('/rings', refused).outcome).toBe('403 limited_to_groups');
  });
});
