/** While Apollo is unavailable, records come from the repositories. Afterwards Apollo completes them, and nothing is withdrawn. */
import { rockylinuxFeed } from '@patch/catalogue/vendors/rockylinux/rockylinux-feed.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror, type Fault } from '../../testing/feed-mirror.ts';
import type { Rows } from '../testing/synced-rows.ts';
import { VendorStage } from '../testing/vendor-stage.ts';

describeWithMirror('Rocky Linux with the server of the feed mirror', () => {
  const apolloDown: Fault = { match: '^apollo\\.', kind: 'status', value: 503 };
  const apolloBroken: Fault = { match: '^apollo\\.', kind: 'corrupt', value: 9 };
  const missing =
    /^Rocky Linux advisories: Apollo, the errata service, is missing: https:\/\/apollo\./;
  let database: Database;
  let stage: VendorStage;
  let truth: Rows;

  beforeAll(async () => {
    database = await openMigrated();
    stage = await VendorStage.open(database, 'rockyLinux', rockylinuxFeed);
    await stage.forget();
    await stage.sync();
    truth = await stage.rows();
  });
  afterAll(async () => {
    await stage.close();
    await database.close();
  });

  test.each([
    ['answers 503', apolloDown],
    ['is damaged', apolloBroken],
  ])(
    'reads the repositories when Apollo %s at the first sync, and Apollo afterwards',
    async (_case, fault) => {
      await stage.forget();
      await stage.mirror.fail(fault);
      const first = await stage.sync();
      expect(first).toMatchObject({ state: 'succeeded_with_warnings', added: 3, rejected: 1 });
      expect(first.warnings).toContainEqual(expect.stringMatching(missing));
      expect([...(await stage.rows()).keys()]).toEqual([
        'rockylinux_patch 8:RLSA-2031:4101',
        'rockylinux_patch 9:RLEA-2031:4104',
        'rockylinux_patch 9:RLSA-2031:4101',
      ]);
      // The next run repeats the warning.
      const second = await stage.sync();
      expect(second).toMatchObject({
        state: 'succeeded_with_warnings',
        message: expect.stringMatching(/^Nothing new: /),
        added: 0,
      });
      expect(second.warnings).toContainEqual(expect.stringMatching(missing));

      await stage.mirror.fail();
      expect(await stage.sync()).toMatchObject({ changed: 3, withdrawn: 0 });
      expect(await stage.rows()).toEqual(truth);
      expect(await stage.staleCopies()).toEqual([]);
    },
  );

  test('keeps the records of Apollo while it is unavailable, and finds nothing new afterwards', async () => {
    await stage.forget();
    const { rejected } = await stage.sync();
    await stage.mirror.fail(apolloDown);
    expect(await stage.sync()).toMatchObject({
      state: 'succeeded_with_warnings',
      added: 0,
      changed: 0,
      withdrawn: 0,
      rejected,
    });
    expect(await stage.rows()).toEqual(truth);
    await stage.mirror.fail();
    expect(await stage.sync()).toMatchObject({ added: 0, changed: 0, withdrawn: 0 });
    expect(await stage.rows()).toEqual(truth);
  });
});
