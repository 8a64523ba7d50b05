/** A second sync of every source: of an unchanged publication nothing is fetched, of a newer one exactly the difference is written and logged. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { chainOfKinds, fixtureState } from '@patch/catalogue/testing/successors/state-chains.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { expectedChanges, loggedChanges } from './testing/expected-changes.ts';
import { VendorStage } from './testing/vendor-stage.ts';

const seed = Number(process.env['STATES_SEED'] ?? 1);

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());

describeWithMirror('with the server of the feed mirror', () => {
  describe.each(Object.entries(vendorFeeds) as [SourceKey, Feed][])(
    '%s',
    { timeout: 300_000 },
    (source, feed) => {
      let stage: VendorStage;
      let first: Awaited<ReturnType<VendorStage['sync']>>;
      beforeAll(async () => {
        stage = await VendorStage.open(database, source, feed);
        await stage.forget();
        await stage.publishState(await fixtureState(feed));
        first = await stage.sync();
      });
      afterAll(() => stage.close());

      test('a second sync asks by condition and finds nothing new', async () => {
        const before = await stage.rows();
        await stage.mirror.forgetRequests();
        expect(first.state).toMatch(/^succeeded/);
        // What was wrong with the documents still is: the second sync warns as the first one did.
        expect(await stage.sync()).toMatchObject({
          state: first.state,
          added: 0,
          changed: 0,
          withdrawn: 0,
          message: expect.stringMatching(/^Nothing new: /),
        });
        const answers = Object.entries(await stage.mirror.requests()).flatMap(
          ([address, { status }]) => Object.keys(status).map((code) => [address, code] as const),
        );
        expect(answers.length).toBeGreaterThan(0);
        // What is not there may be asked for again: it may have come.
        expect(answers.filter(([, code]) => code !== '304' && code !== '404')).toEqual([]);
        expect(await stage.rows()).toEqual(before);
      });

      test(`of newer publications exactly the difference is written, and the change log says which (STATES_SEED=${seed})`, async () => {
        const chain = await chainOfKinds(
          feed,
          await fixtureState(feed),
          ['changed', 'removed', 'moved', 'shrunk', 'grown'],
          seed,
        );
        let before = chain.first;
        for (const successor of chain.successors) {
          await stage.publishState(successor);
          const run = await stage.sync();
          expect(run.state, successor.done).toMatch(/^succeeded/);
          const expected = expectedChanges(feed, before.reading, successor.reading);
          expect(await loggedChanges(database, run, feed), successor.done).toEqual(expected);
          const numberOf = (wanted: string) =>
            Object.values(expected).filter(({ kind }) => kind === wanted).length;
          expect(run).toMatchObject({
            added: numberOf('added'),
            changed: numberOf('changed'),
            withdrawn: numberOf('withdrawn'),
          });
          expect(await stage.sync(), successor.done).toMatchObject({
            added: 0,
            changed: 0,
            withdrawn: 0,
            message: expect.stringMatching(/^Nothing new: /),
          });
          before = successor;
        }
      });
    },
  );
});
