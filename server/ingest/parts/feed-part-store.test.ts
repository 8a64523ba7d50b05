import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { addRun, endRun, takeRun } from '../runs/run-store.ts';
import { buildQuarantineEntry } from '../testing/build-quarantine-entry.ts';
import { nothingNew } from '../testing/nothing-new.ts';
import { readPartState, readUnreadParts, recordPartRead } from './feed-part-store.ts';
import { openEntry } from './quarantine-store.ts';
import { noRemarks } from './standing-remarks.ts';

const source = 'almaLinux';

describeWithDatabase('readings of parts', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });

  type Reading = Parameters<typeof recordPartRead>[3];
  const record = (part: string, now: number, more: Partial<Reading> = {}) => {
    const reading = { feedVersion: 1, documents: [], isComplete: true, remarks: noRemarks };
    return recordPartRead(
      database,
      source,
      part,
      { ...reading, remember: undefined, ...more },
      now,
    );
  };
  const document = (url: string, sha256: string) => ({ url, sha256, size: 1 });

  test('adds the documents of a partial reading, and keeps remembered facts and the time of the complete one', async () => {
    await record('one', 10, {
      documents: [document('a', '1'), document('b', '1')],
      remember: { until: '2031-04-01' },
    });
    await record('one', 20, {
      documents: [document('b', '2'), document('c', '2')],
      isComplete: false,
    });
    expect(await readPartState(database, source, 'one')).toMatchObject({
      completelyReadAt: 10,
      remembered: { until: '2031-04-01' },
      documents: new Map([
        ['a', '1'],
        ['b', '2'],
        ['c', '2'],
      ]),
    });
    await record('one', 30, { documents: [document('c', '3')], remember: { until: '2031-05-01' } });
    expect(await readPartState(database, source, 'one')).toMatchObject({
      completelyReadAt: 30,
      remembered: { until: '2031-05-01' },
      documents: new Map([['c', '3']]),
    });
  });

  test('returns the parts that the last run has not read, without those in quarantine', async () => {
    await record('one', 100);
    await record('two', 100);
    const run = await addRun(database, source, 'tester', 200);
    await takeRun(database, run?.id ?? null, 200);
    await record('three', 250);
    const counts = { added: 0, changed: 0, withdrawn: 0, unchanged: 0, rejected: 0 };
    const end = { ...counts, state: 'succeeded', message: nothingNew, warnings: [] } as const;
    await endRun(database, run?.id ?? 0, end, 300);
    const unread = async () => (await readUnreadParts(database)).get(source);
    expect(await unread()).toEqual(
      new Map([
        ['one', 100],
        ['two', 100],
      ]),
    );
    await openEntry(database, buildQuarantineEntry({ source, part: 'two' }), new Map([['1', 'a']]));
    expect(await unread()).toEqual(new Map([['one', 100]]));
  });
});
