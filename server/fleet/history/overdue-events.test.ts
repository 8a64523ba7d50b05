import { expect, test } from 'vitest';
import { day } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { storedEvents } from '../../testing/stored-events.ts';
import { old, patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';

describeWithDatabase('events of overdue machines', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const complete = patched.replace('curl-7.61.1-33.el8', 'curl-7.61.1-34.el8');
  /** Returns the events since the last call. */
  async function judged() {
    await fleet.judge();
    const events = await storedEvents(service.database);
    await service.database.script('delete from event');
    return events.filter(([type]) => type === 'machine.overdue');
  }

  test('tells once of machines that become overdue, also on a day without any other change', async () => {
    await fleet.add('known');
    // The first tally records machines that are overdue already, without an event.
    expect(await judged()).toEqual([]);
    await fleet.add('a', complete);
    await fleet.add('b', complete);
    await fleet.add('s', patched, fleet.south);
    expect(await judged()).toEqual([
      ['machine.overdue', 'host-s of South has overdue records now', ['host-s: 1 missing']],
    ]);
    const { row, ...rest } = erratum('ALSA-2026:9', 'Critical', [['curl', '7.61.1-35.el8']]);
    await writeRecords(service.database, 'almalinux_patch', [
      { ...rest, row: { ...row, releaseDate: service.now - 10 * day } },
    ]);
    expect(await judged()).toEqual([]);
    const { now } = service;
    service.now = now + 21 * day;
    await fleet.judge();
    expect(
      await service.rows('select path from event where type = $1', ['machine.overdue']),
    ).toEqual([
      {
        path: `/patch-repository/machines?criteria=clientId.equal.${fleet.northId}*overdue.is_not_null`,
      },
    ]);
    expect(await judged()).toEqual([
      [
        'machine.overdue',
        '2 machines of North have overdue records now',
        ['host-a: 1 missing', 'host-b: 1 missing'],
      ],
    ]);
    expect(await judged()).toEqual([]);
    await fleet.add('a', complete.replace('curl-7.61.1-34', 'curl-7.61.1-35'));
    expect(await judged()).toEqual([]);
    await fleet.add('a', old);
    expect(await judged()).toEqual([
      ['machine.overdue', 'host-a of North has overdue records now', ['host-a: 4 missing']],
    ]);
    service.now = now;
  });

  test('does not tell again of a machine that was not judged in between', async () => {
    await fleet.add('a', complete);
    await judged();
    await fleet.add('a', old);
    expect(await judged()).toHaveLength(1);
    await fleet.add('a', 'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\nrpmdb: error\n');
    expect(await judged()).toEqual([]);
    await fleet.add('a', old);
    expect(await judged()).toEqual([]);
    await fleet.add('a', complete);
    expect(await judged()).toEqual([]);
    await fleet.add('a', old);
    expect(await judged()).toHaveLength(1);
  });
});
