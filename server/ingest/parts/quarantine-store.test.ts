import { expect, test } from 'vitest';
import { migrate } from '../../platform/database/schema/migrate.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { migrateBefore } from '../../testing/earlier-database.ts';
import { storedEvents } from '../../testing/stored-events.ts';
import { buildQuarantineEntry } from '../testing/build-quarantine-entry.ts';
import {
  isQuarantined,
  openEntry,
  readPendingEntries,
  readQuarantinedChanges,
  releaseChanges,
  saveDecision,
} from './quarantine-store.ts';

const source = 'almaLinux';
const list = 'almalinux_patch';

describeWithDatabase('quarantine store', (openFresh) => {
  test('keeps the decision on each change until it is released or pending again', async () => {
    const database = await openFresh();
    const entry = buildQuarantineEntry({ source, reason: 'content_lost' });
    const changes = async () =>
      [...(await readQuarantinedChanges(database, entry))].map(
        ([key, { fingerprint, decision, decidedBy }]) => [key, fingerprint, decision, decidedBy],
      );
    const open = (fingerprints: Record<string, string>) =>
      openEntry(database, entry, new Map(Object.entries(fingerprints)));
    await open({ 1: 'a', 2: 'b', 3: 'c' });
    await saveDecision(database, entry, 'rejected', 'Ada');
    expect(await isQuarantined(database, source, 'two')).toBe(false);
    await open({ 3: 'd', 4: 'e' });
    expect(await isQuarantined(database, source, 'two')).toBe(true);
    expect(await changes()).toEqual([
      ['1', 'a', 'rejected', 'Ada'],
      ['2', 'b', 'rejected', 'Ada'],
      ['3', 'd', null, null],
      ['4', 'e', null, null],
    ]);
    expect(await saveDecision(database, entry, 'accepted', 'Bob')).toBe(true);
    expect(await saveDecision(database, entry, 'rejected', 'Eve')).toBe(false);
    expect(await isQuarantined(database, source, 'two')).toBe(true);
    await releaseChanges(database, entry, ['1', '2', '4', 'unknown']);
    expect(await changes()).toEqual([['3', 'd', 'accepted', 'Bob']]);
    await releaseChanges(database, { ...entry, reason: 'records_missing' }, ['3']);
    expect(await changes()).toHaveLength(1);
    await releaseChanges(database, entry, ['3']);
    expect((await database.query('select from quarantine')).count).toBe(0);
  });

  test('makes an event of a new entry, not of a replaced one', async () => {
    const database = await openFresh();
    const entry = buildQuarantineEntry({ source, list, reason: 'records_missing', records: 31 });
    await openEntry(database, entry, new Map([['1', 'a']]));
    await openEntry(database, { ...entry, records: 32 }, new Map([['1', 'b']]));
    const expected = [
      'quarantine.pending',
      'Changes of AlmaLinux wait for a decision',
      [`${entry.partLabel}: 31 records are missing`],
    ];
    expect(await storedEvents(database)).toEqual([expected]);
    await saveDecision(database, entry, 'accepted', 'Ada');
    await openEntry(database, { ...entry, records: 1 }, new Map([['9', 'a']]));
    expect(await storedEvents(database)).toMatchObject([
      expected,
      [expect.anything(), expect.anything(), [`${entry.partLabel}: 1 record is missing`]],
    ]);
  });

  test('migrates the three tables of earlier versions', async () => {
    const database = await openFresh();
    await migrateBefore(database, 40);
    await database.script(`
      insert into held_withdrawal (source, part, list, part_label, known, missing, examples, missing_hash, run_id, held_time, decision, decided_by) values
        ('almaLinux', '8', '${list}', 'AlmaLinux 8', 30, 20, '["B", "A"]', 'f0', 7, 1000, null, null),
        ('almaLinux', '9', '${list}', 'AlmaLinux 9', 40, 25, '[]', 'f1', 7, 1000, 'keep', 'Ada'),
        ('kev', 'all', 'vulnerability', 'KEV', 50, 26, '[]', 'f2', 7, 1000, 'withdraw', 'Bob');
      insert into held_content (source, part, list, part_label, records, compared, losses, examples, run_id, held_time) values
        ('almaLinux', '8', '${list}', 'AlmaLinux 8', 2, 400, '[{"label": "CVEs", "records": 2}]', '[{"name": "A", "losses": ["CVEs: 1 of 2 missing (B)"]}]', 8, 2000),
        ('almaLinux', 'interrupted', '${list}', 'Of a process that died', 2, 400, '[]', '[]', 8, 2000);
      insert into held_content_record (source, part, list, row_id, content_hash, decision, decided_by) values
        ('almaLinux', '8', '${list}', 1, 'a', null, null), ('almaLinux', '8', '${list}', 2, 'b', null, null),
        ('almaLinux', '8', '${list}', 3, 'c', 'keep', 'Ada'), ('almaLinux', '8', '${list}', 4, 'd', 'keep', 'Bob'),
        ('almaLinux', '8', '${list}', 5, 'e', 'accept', 'Ada'), ('almaLinux', '8', '${list}', 6, 'f', 'accept', 'Ada');
    `);
    await migrate(database);
    expect([...(await readPendingEntries(database))]).toEqual([
      [
        source,
        [
          {
            part: '8',
            partLabel: 'AlmaLinux 8',
            list,
            reason: 'records_missing',
            records: 20,
            known: 30,
            losses: [],
            examples: ['B', 'A'].map((name) => ({ name, losses: [] })),
            runId: 7,
            quarantinedAt: 1000,
          },
          {
            part: '8',
            partLabel: 'AlmaLinux 8',
            list,
            reason: 'content_lost',
            records: 2,
            known: 400,
            losses: [{ label: 'CVEs', records: 2 }],
            examples: [{ name: 'A', losses: ['CVEs: 1 of 2 missing (B)'] }],
            runId: 8,
            quarantinedAt: 2000,
          },
        ],
      ],
    ]);
    const readChanges = (of: Parameters<typeof readQuarantinedChanges>[1]) =>
      readQuarantinedChanges(database, of).then(Object.fromEntries);
    const eight = { source, part: '8', list } as const;
    expect(await readChanges({ ...eight, reason: 'records_missing' })).toEqual({
      all: { fingerprint: 'f0', decision: null, decidedBy: null },
    });
    expect(await readChanges({ ...eight, part: '9', reason: 'records_missing' })).toEqual({
      all: { fingerprint: 'f1', decision: 'rejected', decidedBy: 'Ada' },
    });
    expect(
      await readChanges({
        source: 'kev',
        part: 'all',
        list: 'vulnerability',
        reason: 'records_missing',
      }),
    ).toEqual({ all: { fingerprint: 'f2', decision: 'accepted', decidedBy: 'Bob' } });
    expect(await readChanges({ ...eight, reason: 'content_lost' })).toEqual({
      1: { fingerprint: 'a', decision: null, decidedBy: null },
      2: { fingerprint: 'b', decision: null, decidedBy: null },
      3: { fingerprint: 'c', decision: 'rejected', decidedBy: 'Ada' },
      4: { fingerprint: 'd', decision: 'rejected', decidedBy: 'Bob' },
      5: { fingerprint: 'e', decision: 'accepted', decidedBy: 'Ada' },
      6: { fingerprint: 'f', decision: 'accepted', decidedBy: 'Ada' },
    });
    expect(await isQuarantined(database, source, '9')).toBe(false);
    expect(await isQuarantined(database, 'kev', 'all')).toBe(true);
    expect(await isQuarantined(database, source, 'interrupted')).toBe(false);
  });
});
