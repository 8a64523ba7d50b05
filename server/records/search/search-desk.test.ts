import { randomBytes } from 'node:crypto';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRows } from '../../testing/record-factories.ts';
import { readSearch } from '../criteria/search-request.ts';
import { type DeskLimits, SearchDesk } from './search-desk.ts';
import { SearchStore } from './search-store.ts';

const errata = listOfKey('almalinux_patch');
const patience = 60_000;
const box = secretBox(randomBytes(32));
const limits: DeskLimits = {
  heavy: { perUser: 2, inAll: 3, maxWaiting: 4, patience },
  light: { perUser: 2, inAll: 4, maxWaiting: 4, patience },
};
const staying = new AbortController().signal;
const worst = (n: number) =>
  readSearch(errata, { offset: 0, size: 25 }, { filter: `lower(title) not like '%c_e%${n}%x'` });
const firstPage = readSearch(errata, { offset: 0, size: 25 }, {});

describeWithDatabase('the desk of searches', (open) => {
  let database: Database;
  let windows: string[];
  /** Called before each window of a search is asked for. */
  let onWindow: (pattern: string) => Promise<void> | void;

  beforeEach(async () => {
    database = await open();
    const rows = Array.from({ length: 40 }, (_, n) => ({
      title: `title ${n}`,
      bulletinId: `A-${n}`,
      releaseDate: n,
    }));
    await writeRows(database, errata, rows);
    windows = [];
    onWindow = () => undefined;
  });

  /** A desk to which every search with a filter is heavy, and whose windows have `maxRows` rows. */
  function deskOf({ maxRows = 5, refusedAbove = Number.POSITIVE_INFINITY } = {}): SearchDesk {
    const watched: Queryable = {
      async query(text, values) {
        if (text.includes('as seen')) {
          const pattern = String(
            values?.find((value) => typeof value === 'string' && value.startsWith('%')),
          );
          windows.push(pattern);
          await onWindow(pattern);
        }
        return database.query(text, values);
      },
    };
    const store = new SearchStore(watched, {
      price: { heavyAbove: -1, refusedAbove },
      windows: { window: 1000, maxRows, work: Number.POSITIVE_INFINITY },
    });
    return new SearchDesk({ database: watched, box, limits, store });
  }

  /** Windows wait until they are let go on. */
  function holdWindows(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    onWindow = () => promise;
    return resolve;
  }
  const begun = async (many: number) => {
    while (windows.length < many) await new Promise((resolve) => setImmediate(resolve));
  };

  test('a first page is answered while the slots of all users are taken', async () => {
    const desk = deskOf();
    const goOn = holdWindows();
    const held = ['a', 'a', 'b', 'c'].map((user, n) =>
      desk.find({ user, signal: staying }, worst(n)),
    );
    await begun(3);
    expect((await desk.find({ user: 'a', signal: staying }, firstPage)).total).toBe(40);
    expect((await desk.find({ user: 'd', signal: staying }, firstPage)).total).toBe(40);
    expect(windows).toHaveLength(3);
    goOn();
    expect((await Promise.all(held)).map(({ total }) => total)).toEqual([40, 40, 40, 40]);
  });

  test('a user runs two heavy searches at most, and another user runs beside them', async () => {
    const desk = deskOf();
    const goOn = holdWindows();
    const ask = (user: string, n: number) => desk.find({ user, signal: staying }, worst(n));
    const asked = [0, 1, 2, 3].map((n) => ask('a', n));
    await begun(2);
    asked.push(ask('b', 9));
    await begun(3);
    expect(windows).toHaveLength(3);
    expect(new Set(windows).size).toBe(3);
    expect(windows[2]).toBe('%c_e%9%x');
    goOn();
    expect((await Promise.all(asked)).map(({ total }) => total)).toEqual([40, 40, 40, 40, 40]);
  });

  test('a running search ends with its caller, before its next window', async () => {
    const desk = deskOf();
    const leaving = new AbortController();
    onWindow = () => (windows.length === 3 ? leaving.abort() : undefined);
    await expect(desk.find({ user: 'a', signal: leaving.signal }, worst(1))).rejects.toMatchObject({
      code: 'caller_left',
    });
    expect(windows).toHaveLength(3);
    // Its slot is free again.
    expect((await desk.find({ user: 'a', signal: staying }, worst(1))).total).toBe(40);
  });

  test('a waiting search is dropped with its caller and asks the database nothing', async () => {
    const desk = deskOf();
    const goOn = holdWindows();
    const running = [
      desk.find({ user: 'a', signal: staying }, worst(1)),
      desk.find({ user: 'a', signal: staying }, worst(2)),
    ];
    await begun(2);
    const leaving = new AbortController();
    const waiting = desk.find({ user: 'a', signal: leaving.signal }, worst(3));
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'caller_left' });
    goOn();
    await Promise.all(running);
    expect(windows).not.toContain('%c_e%3%x');
  });

  test('one caller that leaves ends no other that asks for the same', async () => {
    const desk = deskOf();
    const leaving = new AbortController();
    let stayed: ReturnType<typeof desk.find> | undefined;
    // The other one comes when the first has begun: else it may have counted before, and the first finds what it left.
    onWindow = () => {
      if (windows.length === 1) stayed = desk.find({ user: 'b', signal: staying }, worst(1));
      if (windows.length === 3) leaving.abort();
    };
    const left = desk.find({ user: 'a', signal: leaving.signal }, worst(1));
    await expect(left).rejects.toMatchObject({ code: 'caller_left' });
    expect((await stayed)?.total).toBe(40);
  });

  test('calls of one screen share a slot: the second finds what the first has counted', async () => {
    const desk = deskOf();
    const asker = { user: 'a', signal: staying };
    const [page, again] = await Promise.all([
      desk.find(asker, worst(1)),
      desk.find(asker, { ...worst(1), size: 1 }),
    ]);
    expect([page.total, again.total]).toEqual([40, 40]);
    expect(windows.length).toBe(Math.ceil(40 / 5) + 1 + 1);
  });

  test('refuses what is too expensive, and says why and what is allowed', async () => {
    const desk = deskOf({ refusedAbove: 0 });
    await expect(desk.find({ user: 'a', signal: staying }, worst(1))).rejects.toMatchObject({
      code: 'search_too_expensive',
      message: expect.stringMatching(/test 40 records .* looks inside texts 1 times: use fewer/),
    });
    expect(windows).toEqual([]);
    expect((await desk.find({ user: 'a', signal: staying }, firstPage)).total).toBe(40);
  });

  test('an export holds no slot while its reader is slow, and ends with its reader', async () => {
    const desk = deskOf({ maxRows: 7 });
    const leaving = new AbortController();
    const pages = desk.pages({ user: 'a', signal: leaving.signal }, worst(1));
    const other = desk.pages({ user: 'a', signal: staying }, worst(2));
    expect((await pages.next()).value).toHaveLength(7);
    expect((await other.next()).value).toHaveLength(7);
    expect((await desk.find({ user: 'a', signal: staying }, worst(3))).total).toBe(40);
    leaving.abort();
    await expect(pages.next()).rejects.toMatchObject({ code: 'caller_left' });
    const rest = [];
    for await (const rows of other) rest.push(...rows.map(({ bulletinId }) => bulletinId));
    expect(rest).toEqual(Array.from({ length: 33 }, (_, n) => `A-${32 - n}`));
  });

  test('updates are counted in windows as in one statement', async () => {
    const kbs = listOfKey('patch_repository');
    const rows = Array.from({ length: 30 }, (_, n) => ({
      name: `update ${n}`,
      kbId: n % 7 === 0 ? null : `KB500${n % 5}`,
    }));
    await writeRows(database, kbs, rows);
    const search = readSearch(kbs, { offset: 0, size: 1 }, { keyword: 'update' });
    expect(await deskOf().counts.both(search)).toEqual(
      await new SearchDesk({ database, box }).counts.both(search),
    );
    expect(await deskOf().counts.both(search)).toEqual({ totalCount: 30, updateCount: 5 + 5 });
  });
});
