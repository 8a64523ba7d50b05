import { listOfKey } from '@patch/catalogue/lists.ts';
import { AlertPreviewDay } from '@patch/contract/alert-endpoints.ts';
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { lastTimeOf, nextTimeOf, ownerZone } from './owner-zone.ts';
import { day, errata, hour, withAlertService } from './testing/alert-service.ts';
import { joined } from './view-search.ts';

const critical = (title: string, more: object = {}) => ({ title, severity: 'Critical', ...more });

describeWithDatabase('the preview of an alert', (open) => {
  const service = withAlertService(open);
  const ask = async (change: object = {}) =>
    service.app.ask('POST', '/alerts/preview', {
      token: await service.app.tokenOf('stan'),
      body: {
        list: errata.key,
        search: { criteria: 'severity.in.Critical', keyword: '' },
        mode: 'digest',
        hour: 8,
        timeZone: 'UTC',
        ...change,
      },
    });
  const told = async (change: object = {}) => {
    const { json } = await ask(change);
    const days = AlertPreviewDay.array().parse(json['days']);
    expect(days).toHaveLength(30);
    expect(json['total']).toBe(days.reduce((sum, { total }) => sum + total, 0));
    return days
      .filter(({ total }) => total > 0)
      .map(({ at, total, records }) => [
        new Date(at).toISOString(),
        total,
        records.map(({ name }) => name),
      ]);
  };

  /** In the order in which they came. */
  async function history(): Promise<void> {
    const end = service.now;
    service.app.now = end - 40 * day;
    await service.write([critical('long ago')]);
    service.app.now = end - 3 * day + 7 * hour;
    await service.write([critical('before eight'), { title: 'low', severity: 'Low' }]);
    service.app.now = end - 3 * day + 9 * hour;
    await service.write(['a', 'b', 'c', 'd'].map((title) => critical(title)));
    service.app.now = end - hour;
    await service.write([critical('last night')]);
    service.app.now = end;
  }

  test('a digest: what each day would have told, its number and the first records', async () => {
    await history();
    // What came since the last eight o'clock is not told yet.
    expect(await told()).toEqual([
      ['2026-11-19T08:00:00.000Z', 4, ['d', 'c', 'b']],
      ['2026-11-18T08:00:00.000Z', 1, ['before eight']],
    ]);
  });

  test('at once: what each day of the zone would have told, today to now', async () => {
    await history();
    service.app.now += 1;
    expect(await told({ mode: 'at_once' })).toEqual([
      ['2026-11-20T23:59:59.999Z', 1, ['last night']],
      ['2026-11-18T23:59:59.999Z', 5, ['d', 'c', 'b']],
    ]);
    expect(
      (await told({ mode: 'at_once', timeZone: 'Asia/Tokyo' })).map(([at, total]) => [at, total]),
    ).toEqual([
      ['2026-11-21T00:00:00.001Z', 1],
      ['2026-11-18T14:59:59.999Z', 5],
    ]);
  });

  test('relative times are read as they were on that day; a keyword counts too', async () => {
    const end = service.now;
    service.app.now = end - 10 * day;
    await service.write([
      critical('fresh then', { releaseDate: end - 11 * day }),
      critical('stale then', { releaseDate: end - 20 * day }),
    ]);
    service.app.now = end;
    const search = { criteria: 'releaseDate.equal.last_7_days', keyword: '' };
    expect((await told({ search })).map(([, , names]) => names)).toEqual([['fresh then']]);
    expect(
      (await told({ search: { criteria: '', keyword: 'STALE' } })).map(([, , names]) => names),
    ).toEqual([['stale then']]);
  });

  test('counts a KB once a day, however many records name it', async () => {
    const end = service.now;
    service.app.now = end - 2 * day;
    const kb = (kbId: string, title: string) => ({ kbId, title, severity: 'Critical' });
    await service.write(
      [kb('KB1', 'a'), kb('KB1', 'b'), kb('KB2', 'c')],
      listOfKey('kb_repository'),
    );
    service.app.now = end;
    const { json } = await ask({ list: 'kb_repository' });
    expect(json).toMatchObject({ total: 3, updates: 2 });
    const days = AlertPreviewDay.array()
      .parse(json['days'])
      .filter(({ total }) => total > 0);
    expect(days).toMatchObject([
      { total: 3, updates: 2, records: [{ name: 'KB2' }, { name: 'KB1' }] },
    ]);
  });

  test('an empty list has told nothing; what cannot be asked is refused', async () => {
    expect(await told()).toEqual([]);
    expect(await ask({ search: { criteria: 'wisdom.equal.high', keyword: '' } })).toMatchObject({
      status: 422,
      json: { code: 'unaskable_criteria' },
    });
    expect(await ask({ list: 'nothing' })).toMatchObject({
      status: 422,
      json: { code: 'unknown_list' },
    });
  });

  test('says of a record what the mail would', async () => {
    await service.write([
      critical('a', {
        releaseDate: Date.UTC(2026, 10, 20),
        binaryPkgName: ['openssl', 'openssl-libs'],
      }),
    ]);
    service.app.now += day;
    const { json } = await ask();
    const [first] = AlertPreviewDay.array().parse(json['days']);
    expect(first?.records[0]?.about).toBe(
      'Release date: Nov 20, 2026 · Severity: Critical · Binary packages: openssl, openssl-libs',
    );
  });
});

test('the hour of a digest is on the clock of the zone, through changes of the clock', () => {
  const at = (text: string) => Date.parse(text);
  // In Berlin 02:30 does not come on 29 March 2026, and 02:30 comes twice on 25 October.
  expect(lastTimeOf(2, 'Europe/Berlin', at('2026-03-29T12:00Z'))).toBe(at('2026-03-29T01:00Z'));
  expect(lastTimeOf(2, 'Europe/Berlin', at('2026-10-25T12:00Z'))).toBe(at('2026-10-25T00:00Z'));
  expect(lastTimeOf(8, 'Europe/Berlin', at('2026-03-29T05:59Z'))).toBe(at('2026-03-28T07:00Z'));
  expect(nextTimeOf(8, 'Europe/Berlin', at('2026-03-28T12:00Z'))).toBe(at('2026-03-29T06:00Z'));
  expect(nextTimeOf(0, 'Asia/Kolkata', at('2026-03-28T18:29Z'))).toBe(at('2026-03-28T18:30Z'));
});

test("a person's zone comes before the service's and that before the browser's; an unknown one counts as none", () => {
  expect(ownerZone('Asia/Tokyo', 'Europe/Berlin', 'UTC')).toBe('Asia/Tokyo');
  expect(ownerZone(null, 'Europe/Berlin', 'Asia/Tokyo')).toBe('Europe/Berlin');
  expect(ownerZone('Mars/Base', null, 'Asia/Tokyo')).toBe('Asia/Tokyo');
});

test('spans that touch or overlap become one', () => {
  expect(
    joined([
      [10, 20],
      [0, 5],
      [5, 5],
      [5, 10],
      [30, 40],
      [35, 38],
    ]),
  ).toEqual([
    [0, 20],
    [30, 40],
  ]);
});
