/** Tests every kind of fault with every source: no wrong rows, a readable message, and recovery with the next sync. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror, type Fault } from '../../testing/feed-mirror.ts';
import type { HttpLimits } from '../fetching/http-upstream.ts';
import { expectReadable } from '../testing/readable-run.ts';
import type { RunWithTexts } from '../testing/run-with-texts.ts';
import { expectBetween, type Rows } from '../testing/synced-rows.ts';
import { VendorStage } from '../testing/vendor-stage.ts';

interface FaultCase {
  readonly name: string;
  readonly kind: Fault['kind'];
  readonly value?: Fault['value'];
  readonly limits?: Partial<HttpLimits>;
  /** Message to an administrator. */
  readonly message: RegExp;
}

const faults: readonly FaultCase[] = [
  { name: 'answers 503', kind: 'status', value: 503, message: /answered 503/ },
  {
    name: 'answers 404',
    kind: 'status',
    value: 404,
    message: /no longer published|available at the source/,
  },
  { name: 'breaks off in the middle', kind: 'truncate', value: 0.5, message: /broke off after/ },
  {
    name: 'stands still',
    kind: 'stall',
    value: 10,
    limits: { silence: 150 },
    message: /sent no data for 0\.15 s/,
  },
  { name: 'resets the connection', kind: 'reset', value: 0, message: /could not be reached/ },
  {
    name: 'resets the connection in the middle',
    kind: 'reset',
    value: 0.5,
    message: /broke off after/,
  },
  {
    name: 'sends one wrong byte',
    kind: 'corrupt',
    value: 1,
    message: /cannot be read|another checksum/,
  },
  {
    name: 'sends many wrong bytes',
    kind: 'corrupt',
    value: 9,
    message: /cannot be read|another checksum/,
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
    /** The rows of a sync without a fault. */
    let truth: Rows;
    let healthy: RunWithTexts;

    beforeAll(async () => {
      stage = await VendorStage.open(database, source, feed);
      await stage.forget();
      healthy = await stage.sync();
      truth = await stage.rows();
    });
    afterAll(() => stage.close());
    afterEach(() => stage.mirror.fail());

    test('syncs without a fault', () => {
      expect(healthy.state).toMatch(/^succeeded/);
      expect(truth.size).toBeGreaterThan(0);
    });

    test('makes conditional requests in a second sync, and finds nothing new', async () => {
      await stage.forget();
      await stage.sync();
      await stage.mirror.forgetRequests();
      // The second sync repeats the warnings of the first, because the documents are unchanged.
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
      // Missing documents are requested again.
      expect([...new Set(statuses)].filter((code) => code !== '404')).toEqual(['304']);
      expect(await stage.rows()).toEqual(truth);
    });

    test.each(faults)(
      'writes no wrong row when the vendor $name at the first sync',
      async ({ kind, value, limits, message }) => {
        await stage.forget();
        await stage.mirror.fail({ match: '', kind, ...(value === undefined ? {} : { value }) });
        expectReadable(await stage.sync(limits), message, feed);
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

    test('writes no wrong row when a document has a wrong byte, for each document', async () => {
      for (const match of await findAddressPatterns(stage)) {
        await stage.forget();
        await stage.mirror.fail({ match, kind: 'corrupt' });
        const run = await stage.sync();
        expect(run.state, match).toMatch(/^(failed|succeeded_with_warnings)$/);
        const rows = await stage.rows();
        if (lacksValues(run, feed)) expectListed([...rows.keys()], truth);
        else expectBetween(rows, new Map(), truth);
        await stage.mirror.fail();
        await stage.sync();
        expect(await stage.rows(), match).toEqual(truth);
        expect(await stage.staleCopies()).toEqual([]);
      }
    });
  });
});

/** Returns true if records may lack the values of another document, and the run says so. */
function lacksValues({ warnings, message }: RunWithTexts, { fills }: Feed): boolean {
  const hasConclusions = fills.some(({ concluded }) => concluded !== undefined);
  return (
    warnings.some((warning) => / (is|are) missing: /.test(warning)) ||
    (hasConclusions && message.includes(' could not be synced'))
  );
}

/** Returns a pattern for each document that matches only its address. */
async function findAddressPatterns(stage: VendorStage): Promise<string[]> {
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

/** Compares the state, warnings and rejections of two runs. */
function expectAs(run: RunWithTexts, expected: RunWithTexts): void {
  const { state, warnings, rejected } = run;
  expect({ state, warnings, rejected }).toEqual({
    state: expected.state,
    warnings: expected.warnings,
    rejected: expected.rejected,
  });
}
