import { beforeEach, expect, test } from 'vitest';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { storedEvents } from '../../testing/stored-events.ts';
import { patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';

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
  });
});
