import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { buildClient } from '../../testing/factories.ts';
import { readPositions } from './client-position-store.ts';
import { createClientRecord } from './client-records.ts';
import { PositionBuffer } from './position-buffer.ts';

const never = 3_600_000;

describeWithDatabase('PositionBuffer', (open) => {
  let database: Database;
  let written: number;
  let isBroken: boolean;
  /** The next write waits for it. */
  let hold: Promise<void>;
  let failures: unknown[];
  let buffer: PositionBuffer;
  let id: number;

  beforeEach(async () => {
    database = await open();
    const box = secretBox(randomBytes(32));
    ({ id } = await createClientRecord({ database, clock: () => 1, box }, buildClient(1)));
    written = 0;
    isBroken = false;
    hold = Promise.resolve();
    failures = [];
    const watched: Queryable = {
      async query(text, values) {
        written += 1;
        if (isBroken) throw new Error('The database is gone');
        const before = hold;
        hold = Promise.resolve();
        await before;
        return database.query(text, values);
      },
    };
    buffer = new PositionBuffer(watched, {
      interval: never,
      onFailure: (error) => failures.push(error),
    });
  });

  const alma = 'almalinux_patch';
  const at = (revision: number, now: number, list = alma) => ({ id, list, revision, now });
  const storedPositions = async () =>
    (await readPositions(database, id))
      .map(({ list, revision, fetchedOn }) => `${list} ${revision} ${fetchedOn}`)
      .toSorted();

  test('writes the positions of polling clients together', async () => {
    for (let now = 1; now <= 1_000; now += 1) buffer.noteNothingNew(at(7, now));
    buffer.noteNothingNew(at(3, 5, 'debian_patch'));
    expect(await storedPositions()).toEqual([]);
    await buffer.flush();
    expect(await storedPositions()).toEqual([`${alma} 7 1000`, 'debian_patch 3 5']);
    expect(written).toBe(1);
  });

  test('lowers the position of a client that begins again, also when a higher one is pending', async () => {
    buffer.noteNothingNew(at(90, 1));
    await buffer.note(at(-1, 2));
    await buffer.flush();
    expect(await storedPositions()).toEqual([`${alma} -1 2`]);
    buffer.noteNothingNew(at(-1, 3));
    await buffer.flush();
    expect(await storedPositions()).toEqual([`${alma} -1 3`]);
  });

  test('writes the position of a client that begins again after a higher one that is being written', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    buffer.noteNothingNew(at(90, 1));
    const flushed = buffer.flush();
    await expect.poll(() => written).toBe(1);
    const noted = buffer.note(at(-1, 2));
    expect(written).toBe(1);
    resolve();
    await Promise.all([flushed, noted]);
    expect(await storedPositions()).toEqual([`${alma} -1 2`]);
  });

  test('repeats the write after the database was unavailable', async () => {
    isBroken = true;
    buffer.noteNothingNew(at(7, 1));
    await buffer.flush();
    expect(failures).toEqual([new Error('The database is gone')]);
    isBroken = false;
    await buffer.flush();
    expect(await storedPositions()).toEqual([`${alma} 7 1`]);
  });

  test.each([
    ['pending', 50, 9],
    ['noted', 0, 3],
  ] as const)(
    'keeps a newer %s position when the write of an older one fails',
    async (how, revision, decisions) => {
      const passes = (heard: number) => ({
        ring: 1,
        decisions: heard,
        list: 1,
        risk: 1,
        lacks: false,
      });
      isBroken = true;
      buffer.noteNothingNew({ ...at(50, 1), passes: passes(1) });
      const flushed = buffer.flush();
      await expect.poll(() => written).toBe(1);
      const newer = { ...at(revision, 7), passes: passes(decisions) };
      const writes = {
        pending: () => Promise.resolve(buffer.noteNothingNew(newer)),
        noted: () => buffer.note(newer),
      } as const;
      isBroken = false;
      await Promise.all([flushed, writes[how]()]);
      await buffer.flush();
      expect(await readPositions(database, id)).toMatchObject([
        { revision, fetchedOn: 7, passes: { decisions } },
      ]);
    },
  );

  test('writes no older position than another process has noted', async () => {
    const other = new PositionBuffer(database, {
      interval: never,
      onFailure: (error) => failures.push(error),
    });
    buffer.noteNothingNew(at(100, 1));
    await other.note(at(50, 3));
    await buffer.flush();
    expect(await storedPositions()).toEqual([`${alma} 50 3`]);
  });

  test('skips a client that was removed before the write', async () => {
    buffer.noteNothingNew({ ...at(7, 1), id: id + 1 });
    buffer.noteNothingNew(at(7, 1));
    await buffer.flush();
    expect(failures).toEqual([]);
    expect(await storedPositions()).toEqual([`${alma} 7 1`]);
  });
});
