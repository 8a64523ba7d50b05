/** Compares the held-back records of a machine with its licensed client's copy, and checks the plans and commands that leave them out. */
import { expect, test } from 'vitest';
import { ListCopy, list } from '../../licensing/rings/testing/list-copy.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { old, withMachinesOfClients } from '../testing/machines-of-clients.ts';

interface Missing {
  readonly identifier: string;
  readonly recordId: number;
  readonly heldBack: string | null;
}

describeWithDatabase('machines of rings', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;

  const missingOn = async (machine: number) => {
    const { objList, ring, install, installCommand } = (await stan.get(
      `/machines/${machine}/missing`,
    ).json) as unknown as {
      readonly objList: readonly Missing[];
      readonly ring: Readonly<Record<string, unknown>> | null;
      readonly install: readonly Pick<Missing, 'identifier'>[];
      readonly installCommand: string | null;
    };
    const held = objList.filter(({ heldBack }) => heldBack !== null);
    return {
      objList,
      ring,
      held: held.map((one) => `${one.identifier} ${one.heldBack}`).toSorted(),
      install: install.map(({ identifier }) => identifier).toSorted(),
      installCommand,
    };
  };
  /** The updates of each machine, and what the plan leaves out. */
  const planned = async () => {
    const body = { name: 'All', criteria: '', choice: 'all' };
    const plan = (await operator.post('/machines/plans', body).json) as unknown as {
      readonly tasks: readonly {
        readonly updates: readonly { readonly identifier: string }[];
        readonly machines: readonly { readonly id: number }[];
      }[];
      readonly heldBack: readonly { readonly identifier: string; readonly machines: number }[];
      readonly nothingToDo: number;
    };
    const updatesOn = (machine: number) =>
      plan.tasks
        .filter(({ machines }) => machines.some(({ id }) => id === machine))
        .flatMap(({ updates }) => updates.map(({ identifier }) => identifier))
        .toSorted();
    const heldBack = plan.heldBack.map((one) => `${one.identifier} on ${one.machines}`);
    return { updatesOn, heldBack: heldBack.toSorted(), nothingToDo: plan.nothingToDo };
  };

  test('have what their clients fetch, and are planned by it', async () => {
    const [a, s] = [await fleet.add('a'), await fleet.add('s', old, fleet.south)];
    const checkpoint = async (name: string) =>
      Number((await operator.post('/checkpoints', { name }).json)['id']);
    const ring = {
      name: 'Pilot',
      checkpoint: await checkpoint('Spring'),
      clients: [fleet.northId],
    };
    const { id } = await operator.post('/rings', ring).json;
    const change = (body: object) => operator.put(`/rings/${Number(id)}`, body).outcome;
    const decide = async (name: string, decision: string) => {
      const body = { list, name, decision, reason: 'Tried out' };
      return Number((await operator.post(`/rings/${Number(id)}/decisions`, body).json)['id']);
    };
    const newest = erratum('ALSA-2024:4', 'Critical', [['bash', '4.4.20-7.el8']], {
      detail: { cve: ['CVE-2024-4444'] },
    });
    const third = erratum('ALSA-2024:3', 'Moderate', [['curl', '7.61.1-34.el8']]);
    await writeRecords(service.database, list, [newest, third]);
    await fleet.judge();

    /** Expects of each missing record that the client has it exactly if it is not held back. */
    const heldBack = async () => {
      const { objList, held, ring: shown } = await missingOn(a);
      const copy = new ListCopy(fleet.north);
      await copy.finish(100);
      for (const { identifier, recordId, heldBack: reason } of objList)
        expect([identifier, reason === null]).toEqual([identifier, copy.byId.has(recordId)]);
      const count = (reason: string) => held.filter((one) => one.endsWith(reason)).length;
      expect(shown).toMatchObject({
        name: 'Pilot',
        newer: count('newer'),
        declined: count('declined'),
      });
      return held;
    };
    expect(await missingOn(s)).toMatchObject({ ring: null, held: [] });
    expect(await heldBack()).toEqual(['ALSA-2024:4 newer']);
    const first = await planned();
    expect(first.updatesOn(a)).toEqual(['ALSA-2024:2', 'ALSA-2024:3']);
    expect(await missingOn(a)).toMatchObject({
      install: ['ALSA-2024:2', 'ALSA-2024:3'],
      installCommand: 'dnf upgrade --advisory=ALSA-2024:2 --advisory=ALSA-2024:3',
    });
    expect((await missingOn(s)).install).toEqual(['ALSA-2024:3', 'ALSA-2024:4']);
    expect(first.updatesOn(s)).toEqual(['ALSA-2024:3', 'ALSA-2024:4']);
    expect(first.heldBack).toEqual(['ALSA-2024:4 on 1']);

    await decide('ALSA-2024:3', 'declined');
    const approval = await decide('ALSA-2024:4', 'approved');
    expect(await heldBack()).toEqual(['ALSA-2024:3 declined']);
    const second = await planned();
    expect(second.updatesOn(a)).toEqual(['ALSA-2024:4']);
    expect((await missingOn(a)).install).toEqual(['ALSA-2024:4']);
    expect(second.heldBack).toEqual(['ALSA-2024:3 on 1']);

    await operator.delete(`/rings/decisions/${approval}`).json;
    expect(await heldBack()).toEqual(['ALSA-2024:3 declined', 'ALSA-2024:4 newer']);
    expect(await change({ passesExploited: true })).toBe('200');
    expect(await heldBack()).toEqual(['ALSA-2024:3 declined', 'ALSA-2024:4 newer']);
    await writeCveFacts(service.database, buildKevFacts('CVE-2024-4444'));
    await refreshStaleCves(service.database);
    expect(await heldBack()).toEqual(['ALSA-2024:3 declined']);
    expect(await change({ passesExploited: false })).toBe('200');
    expect(await heldBack()).toEqual(['ALSA-2024:3 declined', 'ALSA-2024:4 newer']);
    await decide('ALSA-2024:1', 'declined');
    await decide('ALSA-2024:2', 'declined');
    const none = await planned();
    expect(none.updatesOn(a)).toEqual([]);
    expect(await missingOn(a)).toMatchObject({ install: [], installCommand: null });
    expect(none).toMatchObject({
      nothingToDo: 0,
      heldBack: ['ALSA-2024:1 on 1', 'ALSA-2024:2 on 1', 'ALSA-2024:3 on 1', 'ALSA-2024:4 on 1'],
    });
    expect(await change({ checkpoint: await checkpoint('Autumn') })).toBe('200');
    expect(await heldBack()).toEqual([
      'ALSA-2024:1 declined',
      'ALSA-2024:2 declined',
      'ALSA-2024:3 declined',
    ]);
    expect((await planned()).updatesOn(a)).toEqual(['ALSA-2024:4']);
  });
});
