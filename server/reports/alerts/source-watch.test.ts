import { feeds } from '@patch/catalogue/feeds.ts';
import { beforeEach, expect, test } from 'vitest';
import { ReleaseHistories } from '../../ingest/sources/release-histories.ts';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { addEndedRun } from '../../testing/factories.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { storedEvents } from '../../testing/stored-events.ts';
import { SourceWatch } from './source-watch.ts';

const dayMs = 24 * 3_600_000;

describeWithDatabase('events of sources', (open) => {
  let database: Database;
  let now: number;
  beforeEach(async () => {
    database = await open();
    now = Date.UTC(2026, 10, 21);
  });

  const run = (state: 'succeeded' | 'failed' | 'cancelled') => {
    const failure = { message: { code: 'nothing_followed', params: {} } } as const;
    // It ends a millisecond after its start.
    return addEndedRun(database, 'almaLinux', now - 1, {
      state,
      ...(state === 'failed' && failure),
    });
  };
  const watch = () =>
    new SourceWatch({
      database,
      feeds,
      clock: () => now,
      histories: new ReleaseHistories(database),
    }).check();
  const titles = async () => (await storedEvents(database)).map(([, title]) => title);

  test('makes an event of the first failure after a run that did not fail', async () => {
    await run('failed');
    expect(await storedEvents(database)).toEqual([
      ['source.failed', 'AlmaLinux could not be synced', [expect.stringMatching(/^AlmaLinux: \w/)]],
    ]);
    await run('failed');
    await run('cancelled');
    await run('failed');
    expect(await titles()).toHaveLength(1);
    await run('succeeded');
    await run('failed');
    expect(await titles()).toHaveLength(2);
  });

  test('makes an event of a source that is not synced any more, once, and none of the first check', async () => {
    await run('succeeded');
    now += 3 * dayMs;
    await watch();
    expect(await storedEvents(database)).toEqual([]);
    await run('succeeded');
    await watch();
    now += 3 * dayMs;
    await Promise.all([watch(), watch()]);
    await watch();
    expect(await storedEvents(database)).toEqual([
      ['source.silent', 'AlmaLinux is not up to date', ['AlmaLinux: Not synced for 3 days']],
    ]);
    await run('succeeded');
    await watch();
    now += 3 * dayMs;
    await watch();
    expect(await titles()).toHaveLength(2);
  });

  test('makes an event of a source that is synced and publishes nothing any more', async () => {
    const records = Array.from({ length: 10 }, (_, n) => ({
      key: `ALSA-${n}`,
      row: { title: `ALSA-${n}`, releaseDate: now - n * dayMs },
    }));
    await writeRecords(database, 'almalinux_patch', records, now);
    await run('succeeded');
    await watch();
    expect(await titles()).toEqual([]);
    now += 6 * dayMs;
    await run('succeeded');
    await watch();
    expect(await storedEvents(database)).toEqual([
      [
        'source.silent',
        'AlmaLinux fell silent',
        ['AlmaLinux: Silent for 6 days, usually every day'],
      ],
    ]);
    // It is not synced either now, which is no news about a reported source.
    now += 3 * dayMs;
    await watch();
    expect(await titles()).toHaveLength(1);
  });
});
