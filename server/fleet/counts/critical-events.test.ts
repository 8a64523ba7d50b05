import { beforeEach, expect, test } from 'vitest';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { storedEvents } from '../../testing/stored-events.ts';
import { old, patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';

describeWithDatabase('events of machines', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  beforeEach(() => service.database.script('delete from event'));

  test('makes one event per client of machines that missed no critical record before', async () => {
    const add = (keys: readonly string[], text: string, by = fleet.north) =>
      Promise.all(keys.map((key) => fleet.add(key, text, by)));
    await add(['a', 'b'], patched);
    await add(['s'], patched, fleet.south);
    // A machine that is judged for the first time causes none, although it misses a critical record.
    await fleet.add('late');
    await fleet.judge();
    expect(await storedEvents(service.database)).toEqual([]);
    await writeRecords(service.database, 'almalinux_patch', [
      erratum('ALSA-2024:9', 'Critical', [['curl', '7.61.1-35.el8']]),
    ]);
    await fleet.judge();
    await fleet.judge();
    expect(await storedEvents(service.database)).toEqual([
      [
        'machine.critical',
        '2 machines of North miss critical records now',
        ['host-a: 1 critical missing', 'host-b: 1 critical missing'],
      ],
      [
        'machine.critical',
        'host-s of South misses critical records now',
        ['host-s: 1 critical missing'],
      ],
    ]);
    const [one, other] = await service.rows('select path from event order by id');
    expect(one?.['path']).toBe(
      `/patch-repository/machines?criteria=clientId.equal.${fleet.northId}*missingCritical.greater_than.0`,
    );
    expect(other?.['path']).toMatch(/record/);
  });

  test('compares a machine that was not judged in between with its last judgement', async () => {
    const criticalEvents = async () =>
      (await storedEvents(service.database)).filter(([type]) => type === 'machine.critical');
    const complete = 'bash-4.4.20-6.el8.x86_64\ncurl-7.61.1-36.el8.x86_64\n';
    const system = 'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\n';
    const failed = `${system}rpmdb: error\n`;
    const texts = { had: patched, has: `${system}${complete}`, other: `${system}${complete}` };
    const addAll = (textOf: (key: keyof typeof texts) => string) =>
      Promise.all(
        (Object.keys(texts) as (keyof typeof texts)[]).map((key) => fleet.add(key, textOf(key))),
      );
    await addAll((key) => (key === 'had' ? old : texts[key]));
    await fleet.judge();
    for (let times = 0; times < 2; times += 1) {
      await addAll((key) => (key === 'other' ? texts[key] : failed));
      await fleet.add('new', failed);
      await fleet.judge();
    }
    const { objList } = await fleet.search();
    expect(objList.map((row) => [row['name'], row['notJudged'], row['missingCritical']])).toEqual(
      expect.arrayContaining([
        ['host-had', true, null],
        ['host-has', true, null],
        ['host-new', true, null],
        ['host-other', false, 0],
      ]),
    );
    expect(await criticalEvents()).toEqual([]);
    await addAll(() => old);
    await fleet.add('new');
    await fleet.judge();
    await fleet.judge();
    expect(await criticalEvents()).toEqual([
      [
        'machine.critical',
        '2 machines of North miss critical records now',
        ['host-has: 2 critical missing', 'host-other: 2 critical missing'],
      ],
    ]);
  });
});
