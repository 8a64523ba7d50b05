/** Every kind of fault against every source: no row is ever wrong, an administrator can read what happened, and the next sync heals it. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { chainOfKinds, fixtureState } from '@patch/catalogue/testing/successors/state-chains.ts';
import type { Successor } from '@patch/catalogue/testing/successors/successors.ts';
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
/** Of the state that the vendor publishes next. */
const seed = Number(process.env['STATES_SEED'] ?? 1);

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
    /** What the vendor publishes next, and what a first sync of that brings. */
    let newer: Successor;
    let newest: Rows;

    beforeAll(async () => {
      stage = await VendorStage.open(database, source, feed);
      await stage.forget();
      healthy = await stage.sync();
      truth = await stage.rows();
      const { successors } = await chainOfKinds(
        feed,
        await fixtureState(feed),
        ['grown', 'removed', 'changed'],
        seed,
      );
      newer = successors.at(-1) as Successor;
      await stage.publishState(newer);
      await stage.forget();
      await stage.sync();
      newest = await stage.rows();
      await stage.restore();
    });
    afterAll(() => stage.close());
    afterEach(async () => {
      await stage.mirror.fail();
      await stage.restore();
    });

    test('what is newer differs', () => {
      expect(newest).not.toEqual(truth);
    });

    test('without a fault it is read', () => {
      expect(healthy.state).toMatch(/^succeeded/);
      expect(truth.size).toBeGreaterThan(0);
    });

    test.each(faults)(
      'the vendor $name at the first sync',
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

    test('the vendor is slow at the first sync', async () => {
      await stage.forget();
      await stage.mirror.fail(slowness);
      expectAs(await stage.sync(), healthy);
      expect(await stage.rows()).toEqual(truth);
    });

    test('each of its documents in turn comes with a wrong byte', async () => {
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

    test.each(faults)(
      `the vendor $name while it publishes something newer (STATES_SEED=${seed})`,
      async ({ kind, value, limits, told }) => {
        await stage.forget();
        await stage.sync();
        await stage.publishState(newer);
        await stage.mirror.fail({ match: '', kind, ...(value === undefined ? {} : { value }) });
        expectReadable(await stage.sync(limits), told, feed);
        expectBetween(await stage.rows(), truth, newest);
        await stage.mirror.fail();
        await stage.sync();
        expect(await stage.rows()).toEqual(newest);
      },
    );
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
