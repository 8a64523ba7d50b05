/** Reads the last copies of missing documents that complete the records of others, with a warning in every run until they are back. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { debianFeed } from '@patch/catalogue/vendors/debian/debian-feed.ts';
import { opensuseFeed } from '@patch/catalogue/vendors/opensuse/opensuse-feed.ts';
import { oraclelinuxFeed } from '@patch/catalogue/vendors/oraclelinux/oraclelinux-feed.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { VendorStage } from '../testing/vendor-stage.ts';

describeWithMirror('with the server of the feed mirror', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openMigrated();
  });
  afterAll(() => database.close());

  test.each<[SourceKey, Feed, string]>([
    ['debian', debianFeed, 'debian\\.pages\\.debian\\.net'],
    ['opensuse', opensuseFeed, 'ftp\\.suse\\.com'],
    ['oracleLinux', oraclelinuxFeed, 'com\\.oracle\\.elsa-'],
  ])('reads the last copy for %s when a document is not found', async (source, feed, match) => {
    const stage = await VendorStage.open(database, source, feed);
    try {
      await stage.forget();
      await stage.sync();
      const known = await stage.rows();
      await stage.mirror.fail({ match, kind: 'status', value: 404 });
      const warning = expect.stringMatching(
        new RegExp(
          `${match}.* no longer published \\(not found\\)\\. (?:Its last copy was|Their last copies were) read\\.$`,
        ),
      );
      for (const words of ['first', 'second']) {
        const run = await stage.sync();
        expect(run.warnings, words).toContainEqual(warning);
        expect(run, words).toMatchObject({
          state: 'succeeded_with_warnings',
          changed: 0,
          withdrawn: 0,
        });
      }
      expect(await stage.rows()).toEqual(known);
      await stage.mirror.fail();
      expect((await stage.sync()).warnings).not.toContainEqual(warning);
    } finally {
      await stage.close();
    }
  });
});
