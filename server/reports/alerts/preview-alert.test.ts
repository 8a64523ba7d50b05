import { AlertPreviewDay } from '@patch/contract/reports/alert-endpoints.ts';
import { expect, test } from 'vitest';
import { day, hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { findLastTime, findNextTime, ownerZone } from './owner-zone.ts';
import { describeAlerts, errata } from './testing/alert-service.ts';
import { joinSpans } from './view-search.ts';

const critical = (title: string, more: object = {}) => ({ title, severity: 'Critical', ...more });

describeAlerts('alert preview', (service) => {
  const ask = (change: object = {}) =>
    service.app.stan.post('/alerts/preview', {
      list: errata.key,
      search: { criteria: 'severity.in.Critical', keyword: '' },
      mode: 'digest',
      hour: 8,
      timeZone: 'UTC',
      ...change,
    });
  /** Returns the days with a report. */
  const previewDays = async (change: object = {}) => {
    const json = await ask(change).json;
    const days = AlertPreviewDay.array().parse(json['days']);
    expect(days).toHaveLength(30);
    expect(json['total']).toBe(days.reduce((sum, { total }) => sum + total, 0));
    return days.filter(({ total }) => total > 0);
  };
  const previewTotals = async (change: object = {}) =>
    (await previewDays(change)).map(({ at, total, records }) => [
      new Date(at).toISOString(),
      total,
      records.map(({ name }) => name),
    ]);
  /** Writes rows as if at an earlier time. */
  const writeAgo = async (ago: number, ...rows: Parameters<typeof service.write>) => {
    service.app.now -= ago;
    await service.write(...rows);
    service.app.now += ago;
  };

  /** Writes records on several days, oldest first. */
  async function history(): Promise<void> {
    await writeAgo(40 * day, [critical('long ago')]);
    const low = { title: 'low', severity: 'Low' };
    await writeAgo(3 * day - 7 * hour, [critical('before eight'), low]);
    await writeAgo(
      3 * day - 9 * hour,
      ['a', 'b', 'c', 'd'].map((title) => critical(title)),
    );
    await writeAgo(hour, [critical('last night')]);
  }

  test("shows for a digest each day's number and its first records", async () => {
    await history();
    // Records since the last eight o'clock belong to the next digest.
    expect(await previewTotals()).toEqual([
      ['2026-11-19T08:00:00.000Z', 4, ['d', 'c', 'b']],
      ['2026-11-18T08:00:00.000Z', 1, ['before eight']],
    ]);
  });

  test('shows for an immediate alert each day of the zone, the first up to now', async () => {
    await history();
    service.app.now += 1;
    expect(await previewTotals({ mode: 'at_once' })).toEqual([
      ['2026-11-20T23:59:59.999Z', 1, ['last night']],
      ['2026-11-18T23:59:59.999Z', 5, ['d', 'c', 'b']],
    ]);
    const inTokyo = await previewTotals({ mode: 'at_once', timeZone: 'Asia/Tokyo' });
    expect(inTokyo.map(([at, total]) => [at, total])).toEqual([
      ['2026-11-21T00:00:00.001Z', 1],
      ['2026-11-18T14:59:59.999Z', 5],
    ]);
  });

  test('evaluates relative times and the keyword as on that day', async () => {
    const released = (days: number) => ({ releaseDate: service.now - days * day });
    const [fresh, stale] = [
      critical('fresh then', released(11)),
      critical('stale then', released(20)),
    ];
    await writeAgo(10 * day, [fresh, stale]);
    const names = async (search: object) =>
      (await previewTotals({ search })).map(([, , records]) => records);
    const criteria = 'releaseDate.equal.last_7_days';
    expect(await names({ criteria, keyword: '' })).toEqual([['fresh then']]);
    expect(await names({ criteria: '', keyword: 'STALE' })).toEqual([['stale then']]);
  });

  test('counts a KB once a day, however many records name it', async () => {
    const kbs = ['KB1', 'KB1', 'KB2'].map((kbId, n) => critical(`${n}`, { kbId }));
    await writeAgo(2 * day, kbs, 'kb_repository');
    expect(await ask({ list: 'kb_repository' }).json).toMatchObject({ total: 3, updates: 2 });
    expect(await previewDays({ list: 'kb_repository' })).toMatchObject([
      { total: 3, updates: 2, records: [{ name: 'KB2' }, { name: 'KB1' }] },
    ]);
  });

  test('returns no day for an empty list, and refuses an invalid query', async () => {
    expect(await previewTotals()).toEqual([]);
    const search = { criteria: 'wisdom.equal.high', keyword: '' };
    expect(await ask({ search }).outcome).toBe('422 unaskable_criteria');
    expect(await ask({ list: 'nothing' }).outcome).toBe('422 unknown_list');
  });
});

test('finds the hour of a digest in the zone, through clock changes', () => {
  const at = (text: string) => Date.parse(text);
  // In Berlin 02:30 does not exist on 29 March 2026 and exists twice on 25 October.
  expect(findLastTime(2, 'Europe/Berlin', at('2026-03-29T12:00Z'))).toBe(at('2026-03-29T01:00Z'));
  expect(findLastTime(2, 'Europe/Berlin', at('2026-10-25T12:00Z'))).toBe(at('2026-10-25T00:00Z'));
  expect(findLastTime(8, 'Europe/Berlin', at('2026-03-29T05:59Z'))).toBe(at('2026-03-28T07:00Z'));
  expect(findNextTime(8, 'Europe/Berlin', at('2026-03-28T12:00Z'))).toBe(at('2026-03-29T06:00Z'));
  expect(findNextTime(0, 'Asia/Kolkata', at('2026-03-28T18:29Z'))).toBe(at('2026-03-28T18:30Z'));
});

test("prefers a person's zone, then the service's, then the browser's, and skips unknown ones", () => {
  expect(ownerZone('Asia/Tokyo', 'Europe/Berlin', 'UTC')).toBe('Asia/Tokyo');
  expect(ownerZone(null, 'Europe/Berlin', 'Asia/Tokyo')).toBe('Europe/Berlin');
  expect(ownerZone('Mars/Base', null, 'Asia/Tokyo')).toBe('Asia/Tokyo');
});

test('joins spans that touch or overlap', () => {
  const spans = [
    [10, 20],
    [0, 5],
    [5, 5],
    [5, 10],
    [30, 40],
    [35, 38],
  ] as const;
  expect(joinSpans(spans)).toEqual([
    [0, 20],
    [30, 40],
  ]);
});
