/** Refuses small documents that decompress to a gigabyte: writes nothing, reports them, and recovers with the next sync. */

import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { VendorStage } from '../testing/vendor-stage.ts';

async function gzipOfZeros(megabytes: number): Promise<Buffer> {
  const piece = Buffer.alloc(1024 ** 2, 0x20);
  const pieces = Readable.from(Array.from({ length: megabytes }, () => piece));
  return Buffer.concat((await pieces.pipe(createGzip()).toArray()) as Buffer[]);
}

describeWithMirror('with the server of the feed mirror', () => {
  let database: Database;
  let bomb: Buffer;
  beforeAll(async () => {
    bomb = await gzipOfZeros(1024);
    database = await openMigrated();
  });
  afterAll(() => database.close());

  test.each([
    ['almaLinux', 'errata.almalinux.org/9/errata.full.json'],
    ['wsus', 'api.msrc.microsoft.com/cvrf/v3.0/updates'],
    ['debian', 'salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/DSA/list'],
  ] as const)('refuses for %s a compressed gigabyte at %s', async (source, path) => {
    const feed = vendorFeeds[source];
    if (feed === undefined) throw new Error(`Unknown feed ${source}`);
    const stage = await VendorStage.open(database, source, feed);
    await stage.forget();
    await stage.sync();
    const before = await stage.rows();
    const healthy = await stage.document(path);
    await stage.publish({ [path]: bomb });
    const run = await stage.sync();
    expect([run.message, ...run.warnings].join('\n')).toMatch(/opens to more than|is longer than/);
    expect(await stage.rows()).toEqual(before);
    await stage.publish({ [path]: healthy });
    const after = await stage.sync();
    expect([after.state, after.message, await stage.rows()]).toEqual([
      expect.stringMatching(/^succeeded/),
      expect.stringMatching(/^Nothing new/),
      before,
    ]);
    await stage.close();
  });
});
