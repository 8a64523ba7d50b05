/** Amazon Linux moves to a new address with every release, which must not withdraw records. */
import { pathInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import {
  type PublishedUpdate,
  rpmRepositoryFrom,
  updateinfoFrom,
} from '@patch/catalogue/testing/rpm-repository-from.ts';
import { amazonlinuxFeed } from '@patch/catalogue/vendors/amazonlinux/amazonlinux-feed.ts';
import { amazonlinuxList } from '@patch/catalogue/vendors/amazonlinux/amazonlinux-list.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithBench } from '../testing/sync-bench.ts';

describeWithBench('a snapshot that moves to another address', (bench) => {
  const core = 'https://cdn.amazonlinux.com/al2023/core/';
  const mirrorList = pathInMirror(`${core}mirrors/latest/x86_64/mirror.list`);
  const createSnapshotUrl = (digit: string) => `${core}guids/${digit.repeat(64)}/x86_64/`;
  const [first, second, third] = [
    createSnapshotUrl('1'),
    createSnapshotUrl('2'),
    createSnapshotUrl('3'),
  ];
  const update = (id: string): PublishedUpdate => ({
    id,
    type: 'security',
    severity: 'important',
    title: `Title of ${id}`,
    issued: '2021-06-03 18:37',
    packages: [{ name: 'lantern', version: '4.1', release: '7.amzn2023' }],
  });

  /** Publishes a snapshot in place of the previous one, which then is not found. */
  async function release(
    snapshot: string,
    before: string | null,
    updateinfo: readonly string[] | null,
  ): Promise<void> {
    if (before !== null) await bench.publish(pathInMirror(`${before}repodata/repomd.xml`), null);
    const files =
      updateinfo === null
        ? { [pathInMirror(`${snapshot}repodata/repomd.xml`)]: '<repomd/>' }
        : rpmRepositoryFrom(snapshot, updateinfoFrom(updateinfo.map(update)));
    for (const [path, content] of Object.entries(files)) await bench.publish(path, content);
    await bench.publish(mirrorList, `${snapshot}\n`);
  }

  const sync = () => bench.sync(amazonlinuxFeed, { source: 'amazonLinux' });
  const listed = async () =>
    (
      await queryRows(
        bench.database,
        z.object({ key: z.string() }),
        `select natural_key as key from ${amazonlinuxList.key} where withdrawn_time is null order by 1`,
      )
    ).map(({ key }) => key.replace('2023:', ''));

  test('reads the new address, and writes added and removed records', async () => {
    await release(first, null, ['A', 'B', 'C']);
    expect(await sync()).toMatchObject({ state: 'succeeded', added: 3, warnings: [] });
    await release(second, first, ['B', 'C', 'D']);
    expect(await sync()).toMatchObject({
      state: 'succeeded',
      added: 1,
      withdrawn: 1,
      changed: 0,
      warnings: [],
    });
    expect(await listed()).toEqual(['B', 'C', 'D']);
    expect(await sync()).toMatchObject({ state: 'succeeded', added: 0, withdrawn: 0, changed: 0 });
  });

  test('withdraws nothing while the new address has no updateinfo', async () => {
    await release(first, null, ['A', 'B', 'C']);
    await sync();
    await release(second, first, null);
    const warning = expect.stringContaining(
      `${second}repodata/repomd.xml names no updateinfo at present`,
    );
    for (const _again of ['the first', 'the second', 'the third']) {
      expect(await sync()).toMatchObject({
        state: 'succeeded_with_warnings',
        added: 0,
        withdrawn: 0,
        changed: 0,
        warnings: [warning],
      });
      expect(await listed()).toEqual(['A', 'B', 'C']);
    }
    await release(third, second, ['A', 'B', 'C', 'D']);
    expect(await sync()).toMatchObject({
      state: 'succeeded',
      added: 1,
      withdrawn: 0,
      changed: 0,
      warnings: [],
    });
    expect(await listed()).toEqual(['A', 'B', 'C', 'D']);
  });

  test.each([
    [
      'a list that is broken',
      mirrorList,
      '<html>Sign in</html>',
      'is not an address of a snapshot',
    ],
    ['a list that is gone', mirrorList, null, 'mirror.list is no longer published'],
    [
      'a list that names a snapshot which is not there',
      mirrorList,
      `${third}\n`,
      'which is not there',
    ],
    [
      'a snapshot that is broken',
      pathInMirror(`${first}repodata/repomd.xml`),
      'no index',
      'cannot be read',
    ],
  ])(
    'keeps the rows after %s, and recovers with the next publication',
    async (_what, path, content, reason) => {
      await release(first, null, ['A', 'B']);
      await sync();
      await bench.publish(path, content);
      for (const _again of ['the first', 'the second']) {
        const { state, message, warnings } = await sync();
        expect([state, `${message} ${warnings.join(' ')}`]).toEqual([
          expect.stringMatching(/failed|warnings/),
          expect.stringContaining(reason),
        ]);
        expect(await listed()).toEqual(['A', 'B']);
      }
      await release(second, first, ['A', 'B', 'C']);
      expect(await sync()).toMatchObject({
        state: 'succeeded',
        added: 1,
        withdrawn: 0,
        changed: 0,
      });
    },
  );
});
