/** A second sync of every source: of an unchanged publication nothing is fetched, of a newer one exactly the difference is written and logged. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/definition/sources.ts';
import { feeds } from '@patch/catalogue/feeds.ts';
import type { RunChange } from '@patch/contract/sync-calls.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openEmbedded } from '../database/embedded-database.ts';
import { migrate } from '../database/migrate.ts';
import { describeWithMirror } from '../testing/feed-mirror.ts';
import { changesPage } from './run-record-store.ts';
import { newerPublication } from './testing/newer-publications.ts';
import { VendorStage } from './testing/vendor-stage.ts';

let database: Database;
beforeAll(async () => {
  database = await openEmbedded({ dataDir: null });
  await migrate(database);
});
afterAll(() => database.close());

describeWithMirror('with the server of the feed mirror', () => {
  describe.each(Object.entries(feeds) as [SourceKey, Feed][])('%s', (source, feed) => {
    let stage: VendorStage;
    beforeAll(async () => {
      stage = await VendorStage.open(database, source, feed);
      await stage.forget();
      await stage.sync();
    });
    afterAll(() => stage.close());

    test('a second sync asks by condition and finds nothing new', async () => {
      const before = await stage.rows();
      await stage.mirror.forgetRequests();
      expect(await stage.sync()).toMatchObject({
        state: 'succeeded',
        added: 0,
        changed: 0,
        withdrawn: 0,
        message: expect.stringMatching(/^Nothing new: /),
      });
      const answers = Object.entries(await stage.mirror.requests()).flatMap(([address, { status }]) =>
        Object.keys(status).map((code) => [address, code] as const),
      );
      expect(answers.length).toBeGreaterThan(0);
      // What is not there may be asked for again: it may have come.
      expect(answers.filter(([, code]) => code !== '304' && code !== '404')).toEqual([]);
      expect(await stage.rows()).toEqual(before);
    });

    test('of a newer publication exactly the difference is written, and the change log says which', async () => {
      const newer = await newerPublication(stage);
      if (newer === null) return;
      await stage.publish(newer.documents);
      const run = await stage.sync();
      const { rows } = await changesPage(database, run.id, 0, 1000);
      const keys = await keysOfRows(feed);
      const changes = rows.map(({ list, rowId, kind, fields }) => [`${list} ${keys.get(`${list} ${rowId}`)}`, { kind, fields }]);
      expect(Object.fromEntries(changes)).toEqual(newer.changes);
      const numberOf = (wanted: RunChange['kind']) => Object.values(newer.changes).filter(({ kind }) => kind === wanted).length;
      expect(run).toMatchObject({ added: numberOf('added'), changed: numberOf('changed'), withdrawn: numberOf('withdrawn') });
      expect(await stage.sync()).toMatchObject({ state: 'succeeded', message: expect.stringMatching(/^Nothing new: /) });
    });
  });
});

/** Natural keys by list and row id. */
async function keysOfRows({ fills }: Feed): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const { key: list } of fills) {
    const { rows } = await database.query<{ id: number; natural_key: string }>(`select id, natural_key from ${list}`);
    for (const { id, natural_key } of rows) keys.set(`${list} ${id}`, natural_key);
  }
  return keys;
}
