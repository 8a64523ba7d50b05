/** Every kind of fault against every source: no row is ever wrong, an administrator can read what happened, and the next sync heals it. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror, type Fault } from '../../testing/feed-mirror.ts';
import type { HttpLimits } from './http-upstream.ts';
import { expectReadable } from './testing/readable-run.ts';
import { expectBetween, type Rows } from './testing/synced-rows.ts';
import type { ToldRun } from './testing/told-run.ts';
import { VendorStage } from './testing/vendor-stage.ts';

interface FaultCase {
  readonly name: string;
  readonly kind: Fault['kind'];
  readonly value?: Fault['value'];
  readonly limits?: Partial<HttpLimits>;
  /** What an administrator is told. */
  readonly told: RegExp;
}

const faults: readonly FaultCase[] = [
  { name: 'answers 503', kind: 'status', value: 503, told: /answered 503/ },
  {
    name: 'answers 404',
    kind: 'status',
    value: 404,
    told: /no longer published|available at the source/,
  },
  { name: 'breaks off in the middle', kind: 'truncate', value: 0.5, told: /broke off after/ },
  {
    name: 'stands still',
    kind: 'stall',
    value: 10,
    limits: { silence: 150 },
    told: /sent no data for 0\.15 s/,
  },
  { name: 'resets the connection', kind: 'reset', value: 0, told: /could not be reached/ },
  {
    name: 'resets the connection in the middle',
    kind: 'reset',
    value: 0.5,
    told: /broke off after/,
  },
  {
    name: 'sends one wrong byte',
    kind: 'corrupt',
    value: 1,
    told: /cannot be read|another checksum/,
  },
  {
    name: 'sends many wrong bytes',
    kind: 'corrupt',
    value: 9,
    told: /cannot be read|another checksum/,
  },
];
const slowness: Fault = { match: '', kind: 'slow', value: 100_000 };

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());

describeWithMirror('with the server of the feed mirror', () => {
  describe.each(Object.entries(vendorFeeds) as [SourceKey, Feed][])('%s', (source, feed) => {
    let stage: VendorStage;
    /** What a sync without a fault brings. */
    let truth: Rows;
    let healthy: ToldRun;

    beforeAll(async () => {
      stage = await VendorStage.open(database, source, feed);
      await stage.forget();
      healthy = await stage.sync();
      truth = await stage.rows();
    });
    afterAll(() => stage.close());
    afterEach(() => stage.mirror.fail());

    test('is read without a fault', () => {
      expect(healthy.state).toMatch(/^succeeded/);
      expect(truth.size).toBeGreaterThan(0);
    });

    test('asks by condition in a second sync, and finds nothing new', async () => {
      await stage.forget();
      await stage.sync();
      await stage.mirror.forgetRequests();
      // What was wrong with the documents still is: the second sync warns as the first one did.
      expect(await stage.sync()).toMatchObject({
        state: healthy.state,
        added: 0,
        changed: 0,
        withdrawn: 0,
        message: expect.stringMatching(/^Nothing new: /),
      });
      const statuses = Object.values(await stage.mirror.requests()).flatMap(({ status }) =>
        Object.keys(status),
      );
      // A missing document is asked for again: it may have come.
      expect([...new Set(statuses)].filter((code) => code !== '404')).toEqual(['304']);
      expect(await stage.rows()).toEqual(truth);
    });

    test.each(faults)(
      'writes nothing wrong when the vendor $name at the first sync',
      async ({ kind, value, limits, told }) => {
        await stage.forget();
        await stage.mirror.fail({ match: '', kind, ...(value === undefined ? {} : { value }) });
        expectReadable(await stage.sync(limits), told, feed);
        expectBetween(await stage.rows(), new Map(), truth);
        await stage.mirror.fail();
        expectAs(await stage.sync(), healthy);
        expect(await stage.rows()).toEqual(truth);
        expect(await stage.staleCopies()).toEqual([]);
      },
    );

    test('waits for a slow vendor at the first sync', async () => {
      await stage.forget();
      await stage.mirror.fail(slowness);
      expectAs(await stage.sync(), healthy);
      expect(await stage.rows()).toEqual(truth);
    });

    test('writes nothing wrong when a document comes with a wrong byte, each in turn', async () => {
      for (const match of await addressesOf(stage)) {
        await stage.forget();
        await stage.mirror.fail({ match, kind: 'corrupt' });
        const run = await stage.sync();
        expect(run.state, match).toMatch(/^(failed|succeeded_with_warnings)$/);
        const rows = await stage.rows();
        // A record may come without what another document adds to it, when that is said.
        if (run.warnings.some((warning) => warning.includes(' is missing: ')))
          expectListed([...rows.keys()], truth);
        else expectBetween(rows, new Map(), truth);
        await stage.mirror.fail();
        await stage.sync();
        expect(await stage.rows(), match).toEqual(truth);
        expect(await stage.staleCopies()).toEqual([]);
      }
    });
  });
});

/** Patterns that match one document each. */
async function addressesOf(stage: VendorStage): Promise<string[]> {
  await stage.forget();
  await stage.mirror.forgetRequests();
  await stage.sync();
  const requests = Object.entries(await stage.mirror.requests());
  return requests
    .filter(([, { bytes }]) => bytes > 0)
    .map(([address]) => `^${address.replace(/[.?+*()[\]]/g, '\\$&')}$`);
}

function expectListed(keys: readonly string[], rows: Rows): void {
  expect(keys.filter((key) => !rows.has(key))).toEqual([]);
}

/** What the run says of itself beside the numbers. */
function expectAs(run: ToldRun, other: ToldRun): void {
  const { state, warnings, rejected } = run;
  expect({ state, warnings, rejected }).toEqual({
    state: other.state,
    warnings: other.warnings,
    rejected: other.rejected,
  });
}
