import type { ListKey } from '@patch/catalogue/lists.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { dayLength, toDayNumber, usualGapDays } from '@patch/contract/sources/release-rhythm.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { readListVersions } from '../runs/run-history-store.ts';
import { ReleaseHistories } from './release-histories.ts';

const hour = 3_600_000;

describeWithDatabase('ReleaseHistories', (openFresh) => {
  const now = Date.UTC(2026, 10, 21, 15);
  let database: Database;
  let queryCount: number;
  let histories: ReleaseHistories;

  beforeEach(async () => {
    database = await openFresh();
    queryCount = 0;
    const counting = {
      query: (text: string, values?: readonly unknown[]) => (
        (queryCount += 1), database.query(text, values)
      ),
    };
    histories = new ReleaseHistories(counting as Database);
  });

  const write = (
    list: ListKey,
    rows: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) =>
    writeRecords(
      database,
      list,
      Object.entries(rows).map(([key, row]) => ({ key, row })),
      now,
    );

  async function readHistory(source: SourceKey, { at = now, underWay = false } = {}) {
    const revisions = new Map(
      [...(await readListVersions(database))].map(([list, { revision }]) => [list, revision]),
    );
    return histories.read(source, revisions, { now: at, underWay });
  }

  const ago = (days: number) => now - days * dayLength;
  const drawn = ({ perDay }: { perDay: readonly number[] }) =>
    Object.fromEntries(
      perDay.flatMap((count, index) => (count === 0 ? [] : [[perDay.length - 1 - index, count]])),
    );

  test('returns the newest record, the usual gap, and the records of each of the last 90 days', async () => {
    const ids = await write('almalinux_patch', {
      a: { bulletinId: 'ALSA-1', releaseDate: ago(2) },
      b: { bulletinId: 'ALSA-2', releaseDate: ago(2) },
      c: { bulletinId: 'ALSA-3', releaseDate: ago(5) },
      d: { bulletinId: 'ALSA-4', releaseDate: ago(89) },
      e: { bulletinId: 'ALSA-5', releaseDate: ago(90) },
      undated: { bulletinId: 'ALSA-6' },
    });
    const history = await readHistory('almaLinux');
    expect(history).toMatchObject({
      isDated: true,
      newest: {
        releaseDate: ago(2),
        list: 'almalinux_patch',
        rowId: ids.get('b'),
        identity: 'ALSA-2',
      },
      usualGapDays: 3,
      daysKnown: 4,
      ahead: null,
      firstDay: Date.UTC(2026, 7, 24),
    });
    expect(history.perDay).toHaveLength(90);
    expect(drawn(history)).toEqual({ 2: 2, 5: 1, 89: 1 });
  });

  test('omits withdrawn records', async () => {
    const ids = await write('almalinux_patch', {
      a: { releaseDate: ago(1) },
      b: { releaseDate: ago(8) },
    });
    await withdrawRecords(database, 'almalinux_patch', [ids.get('a')], now);
    expect(await readHistory('almaLinux')).toMatchObject({
      newest: { releaseDate: ago(8) },
      daysKnown: 1,
    });
  });

  test('counts records more than a day ahead separately, and not as the newest', async () => {
    await write('almalinux_patch', {
      a: { title: 'a', releaseDate: now + dayLength },
      b: { title: 'b', releaseDate: now + dayLength + 1 },
      c: { title: 'c', releaseDate: now + 4000 * dayLength },
      before1970: { title: 'd', releaseDate: -1 },
    });
    const history = await readHistory('almaLinux');
    expect(history).toMatchObject({
      newest: { releaseDate: now + dayLength, identity: 'a' },
      daysKnown: 1,
      ahead: { records: 2, latest: now + 4000 * dayLength },
    });
    expect(drawn(history)).toEqual({});
  });

  test('counts an update of several records once a day over all lists of a source', async () => {
    await write('patch_repository', {
      a: { kbId: 'KB1', releaseDate: ago(3), productName: 'one' },
      b: { kbId: 'KB1', releaseDate: ago(3), productName: 'two' },
      c: { kbId: 'KB2', releaseDate: ago(3) },
    });
    await write('kb_repository', {
      a: { kbId: 'kb1', releaseDate: ago(3) + 2 * hour },
      b: { kbId: 'KB9', releaseDate: ago(1) },
      c: { kbId: null, title: 'without a KB', releaseDate: ago(1) },
    });
    await write('patch', {
      a: { kbId: 'KB1', releaseDate: ago(7) },
      b: { kbId: null, title: 'without a KB too', releaseDate: ago(1) },
    });
    expect(drawn(await readHistory('wsus'))).toEqual({ 1: 3, 3: 2, 7: 1 });
  });

  test.each([
    ['the rhythm of each list', [1, 31, 61], [14, 21, 28], 'Patch list', 'KB14'],
    ['a list without a rhythm beside', [200], [14, 21, 28], 'Patch list', 'KB14'],
    ['two lists without a rhythm', [200], [3], 'Patch list', 'KB3'],
    [
      'records of the offline scan file that are newer',
      [170, 198, 226],
      [1, 34, 70],
      'Patch repository',
      'KB170',
    ],
  ])(
    'returns the history of the list that is furthest behind: %s',
    async (_, guide, scan, listLabel, identity) => {
      const rows = (days: readonly number[]) =>
        Object.fromEntries(
          days.map((day) => [`${day}`, { kbId: `KB${day}`, releaseDate: ago(day) }]),
        );
      await write('patch_repository', rows(guide));
      await write('patch', rows(scan));
      expect(await readHistory('wsus')).toMatchObject({ listLabel, newest: { identity } });
    },
  );

  test('adds up the records of lists without updates', async () => {
    await write('linux_notice', {
      a: { noticeId: 'USN-1-1', published: ago(4), releaseDate: ago(4) },
    });
    await write('linux_patch_repository', {
      a: { releaseDate: ago(4) },
      b: { releaseDate: ago(4) },
      c: {},
    });
    expect(drawn(await readHistory('ubuntu'))).toEqual({ 4: 3 });
  });

  test('returns an undated history for a source without release dates in rows', async () => {
    await write('thirdparty_patch', { a: { name: 'Browser' } });
    expect(await readHistory('thirdParty')).toMatchObject({
      isDated: false,
      newest: null,
      usualGapDays: null,
      daysKnown: 0,
    });
  });

  test('finds the same days as a scan of every record', async () => {
    let seed = 7;
    const chance = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const dates = Array.from(
      { length: 400 },
      () => now - Math.floor(chance() ** 3 * 900 * dayLength),
    );
    await write(
      'debian_patch',
      Object.fromEntries(dates.map((releaseDate, n) => [`${n}`, { title: `${n}`, releaseDate }])),
    );
    const days = [...new Set(dates.map(toDayNumber))].toSorted((a, b) => b - a).slice(0, 50);
    const history = await readHistory('debian');
    expect(days).toHaveLength(50);
    expect(history).toMatchObject({
      daysKnown: 50,
      usualGapDays: usualGapDays(days),
      newest: { releaseDate: Math.max(...dates) },
    });
    const inDays = dates.filter((date) => toDayNumber(now) - toDayNumber(date) < 90).length;
    expect(history.perDay.reduce((sum, count) => sum + count, 0)).toBe(inDays);
  });

  describe('cache', () => {
    beforeEach(() => write('almalinux_patch', { a: { releaseDate: ago(2) } }));
    const newestDate = async (more?: { at?: number; underWay?: boolean }) =>
      (await readHistory('almaLinux', more)).newest?.releaseDate;

    test('returns the cached history until a list changes or the next hour starts', async () => {
      await newestDate();
      const once = queryCount;
      expect(once).toBeGreaterThan(0);
      await newestDate();
      expect(queryCount).toBe(once);
      await write('almalinux_patch', { b: { releaseDate: ago(1) } });
      expect(await newestDate()).toBe(ago(1));
      await newestDate({ at: now + hour });
      expect(queryCount).toBe(3 * once);
    });

    test('returns the cached history for up to 15 seconds while a sync writes', async () => {
      await newestDate();
      await write('almalinux_patch', { b: { releaseDate: ago(1) } });
      expect(await newestDate({ at: now + 14_999, underWay: true })).toBe(ago(2));
      expect(await newestDate({ at: now + 15_000, underWay: true })).toBe(ago(1));
    });

    test('does not cache a failed read', async () => {
      const failing = { query: () => Promise.reject(new Error('away')) };
      let away = true;
      histories = new ReleaseHistories({
        query: (...call: [string]) => (away ? failing : database).query(...call),
      } as Database);
      await expect(newestDate()).rejects.toThrow('away');
      away = false;
      expect(await newestDate()).toBe(ago(2));
    });
  });
});
