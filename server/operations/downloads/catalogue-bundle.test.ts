import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { readRunsPage } from '../../ingest/runs/run-history-store.ts';
import { addRun } from '../../ingest/runs/run-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { adoptFormerKeys } from '../../platform/database/records/former-keys.ts';
import {
  PackageStatuses,
  readUnfixed,
  writeStatuses,
} from '../../platform/database/records/package-status-store.ts';
import { readSearch } from '../../records/criteria/search-request.ts';
import { SearchStore } from '../../records/search/search-store.ts';
import { readSourceTimes } from '../../records/vulnerabilities/vulnerability-detail-store.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { addEndedRun } from '../../testing/factories.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { applyBundle } from './apply-bundle.ts';
import { openBundle } from './read-bundle.ts';
import { readCounts, withBundleExchange } from './testing/bundle-exchange.ts';
import { brokenBundles, madeAt } from './testing/changed-bundles.ts';
import { unzipped, zipped } from './testing/zip-files.ts';

const alma = getList('almalinux_patch');
const almaFile = 'lists/almalinux_patch.jsonl';
const errata = { sources: ['almaLinux'] };
const both = { sources: ['almaLinux', 'rockyLinux'] };
const imports = '/downloads/bundle-imports';

const write = (
  database: Database,
  titles: Readonly<Record<string, string>>,
  {
    list = 'almalinux_patch',
    part = 'part 9',
    now = 1000,
  }: {
    list?: 'almalinux_patch' | 'rockylinux_patch';
    part?: string;
    now?: number;
  } = {},
) =>
  writeRecords(
    database,
    list,
    Object.entries(titles).map(([key, title]) => ({
      key,
      row: {
        title,
        severity: 'Critical',
        releaseDate: 86_400_000,
        binaryPkgName: ['one\\', `two "${key}"`],
      },
      detail: {
        description: `About ${key}: 漢字 \u2028 line\nbreak`,
        cve: [`CVE-2024-${key.length}000`],
      },
    })),
    now,
    part,
  );
const titled = (...keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, `title of ${key}`]));
const numbered = (count: number) =>
  titled(...Array.from({ length: count }, (_, n) => `record ${n}`));

async function listed(database: Database, list = alma.key): Promise<Record<string, unknown>> {
  const { rows } = await database.query(
    `select natural_key as key, title from ${list} where withdrawn_time is null order by natural_key`,
  );
  return Object.fromEntries(rows.map(({ key, title }) => [String(key), title]));
}

async function findId(database: Database, key: string): Promise<number> {
  const text = 'select id from almalinux_patch where natural_key = $1';
  return Number((await database.query(text, [key])).rows[0]?.['id']);
}

/** The visible content of the errata, without ids and times, which differ between databases. */
async function seen(database: Database): Promise<unknown> {
  const { rows, total } = await new SearchStore(database).find(
    readSearch(alma, { offset: 0, size: 100, sort: 'title' }, {}),
  );
  const own = new Set(['id', 'createdTime', 'updatedTime', 'createdAt', 'updatedAt']);
  const plain = (JSON.parse(`[${rows}]`) as object[]).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !own.has(name))),
  );
  const { rows: details } = await database.query(
    `select natural_key, detail, content_hash, part from ${alma.key} where withdrawn_time is null order by 1`,
    [],
  );
  return { plain, total, details };
}

/** Records that the run changed the record. */
const noteChange = (database: Database, runId: number, kind: string, key: string) =>
  database.query(
    `insert into sync_change (run_id, list, row_id, identity, kind, fields)
     select $1, 'almalinux_patch', id, $3, $2, '{}' from almalinux_patch where natural_key = $3`,
    [runId, kind, key],
  );

const clear = `delete from download_job; delete from bundle_key; delete from bundle_applied; delete from almalinux_patch; delete from rockylinux_patch; delete from feed_former_key;
  delete from sync_change; delete from sync_run; update list_revision set listed = 0, revision = revision + 1;`;

describeWithDatabase('catalogue bundle', (open) => {
  const exchange = withBundleExchange(open);
  let from: Database;
  let to: Database;
  beforeEach(async () => {
    from = exchange.from.database;
    to = exchange.to.database;
    for (const database of [from, to]) await database.script(clear);
    await write(from, titled('a', 'b', 'c'));
    await write(from, titled('r'), { list: 'rockylinux_patch' });
    await exchange.trust();
  });

  const almaCounts = (bundle: Parameters<typeof readCounts>[0]) => readCounts(bundle)[alma.key];
  const check = async (options: object = errata) => exchange.upload(await exchange.bundle(options));
  const readFiles = async (options: object = errata) => unzipped(await exchange.bundle(options));
  const readRuns = async (source: Parameters<typeof readRunsPage>[1] = null) =>
    (await readRunsPage(to, source, 0, 10)).runs;

  test('is imported after a dry run that changes nothing', async () => {
    await write(to, { ...titled('a', 'old'), b: 'as it was' });
    await write(to, titled('elsewhere'), { part: 'part 10' });
    const before = await listed(to);
    const checked = await check();
    const report = { signedBy: 'Head office', families: ['AlmaLinux'], since: null };
    expect(checked).toMatchObject({
      state: 'done',
      step: 'check',
      rows: 3,
      total: 3,
      report: { ...report, appliedAt: null },
    });
    expect(almaCounts(checked)).toEqual([1, 1, 1, 1]);
    expect(checked.message).toBe(
      'Nothing is changed yet. Applying it means: 1 record added, 1 record changed, 1 record withdrawn.',
    );
    expect(await listed(to)).toEqual(before);

    await to.script(
      `insert into feed_part (source, part, feed_version, read_time) values ('almaLinux', '8', 3, 1), ('debian', '12', 3, 1)`,
    );
    const applied = await exchange.apply(checked);
    const appliedAt = expect.any(Number);
    expect(applied).toMatchObject({ state: 'done', step: 'apply', report: { appliedAt } });
    expect(almaCounts(applied)).toEqual(almaCounts(checked));
    // The next sync of the family reads its parts, also where the vendor's documents are as before.
    const parts = await to.query('select source, feed_version from feed_part order by source');
    expect(parts.rows).toEqual([
      { source: 'almaLinux', feed_version: 0 },
      { source: 'debian', feed_version: 3 },
    ]);
    await to.script('delete from feed_part');
    expect(await listed(to)).toEqual(titled('a', 'b', 'c', 'elsewhere'));
    // Records of a part that the bundle does not contain stay.
    await to.script(
      "delete from almalinux_patch where natural_key = 'elsewhere'; update list_revision set listed = listed - 1, revision = revision + 1",
    );
    expect(await seen(to)).toEqual(await seen(from));

    expect(await readRuns('almaLinux')).toMatchObject([
      {
        state: 'succeeded',
        startedBy: 'Operator (bundle)',
        added: 1,
        changed: 1,
        withdrawn: 1,
        message: { code: 'bundle_applied', params: { signedBy: 'Head office' } },
      },
    ]);
    const { rows } = await to.query('select kind from sync_change order by kind');
    expect(rows.map(({ kind }) => kind)).toEqual(['added', 'changed', 'withdrawn']);
    expect(await exchange.requestApply(applied).status).toBe(409);
    expect(almaCounts(await check())).toEqual([0, 0, 0, 3]);
  });

  test('carries what vendors say of vulnerabilities without a fix, and replaces it', async () => {
    const unfixed = async (database: Database, part: string, ...cves: readonly string[]) => {
      const statuses = new PackageStatuses();
      const stated = { release: 'AlmaLinux 9', package: 'tiff', word: 'open' } as const;
      for (const cve of cves) statuses.add({ kind: 'status', cve, ...stated });
      const { signal } = new AbortController();
      await writeStatuses(database, { source: 'almaLinux', part }, statuses, signal);
    };
    const known = (database: Database) =>
      readUnfixed(database, { releases: ['AlmaLinux 9'], packages: ['tiff'] });
    const named = (...cves: readonly string[]) => cves.map((cve) => ({ cve, package: 'tiff' }));
    await unfixed(from, 'part 9', 'CVE-2024-1001', 'CVE-2024-1002');
    await unfixed(from, 'part 8', 'CVE-2024-1008');
    await unfixed(from, 'part 8');
    await unfixed(to, 'part 9', 'CVE-2024-1002', 'CVE-2024-1003');
    await unfixed(to, 'part 8', 'CVE-2024-1008');
    await unfixed(to, 'part 7', 'CVE-2024-1007');
    const before = await known(to);
    const checked = await check();
    expect(await known(to)).toEqual(before);
    await exchange.apply(checked);
    // A part that the bundle does not contain stays.
    expect(await known(to)).toEqual(named('CVE-2024-1001', 'CVE-2024-1002', 'CVE-2024-1007'));
    const readAt = (await readSourceTimes(to)).get('almaLinux');
    expect(readAt).toBeTypeOf('number');
    for (const database of [from, to]) await database.script('delete from package_status');
  });

  test('contains only the requested families', async () => {
    const others = ['lists/rockylinux_patch.jsonl', 'manifest.json', 'signature.json'];
    expect(Object.keys(await readFiles(both))).toEqual([almaFile, ...others]);
    expect(Object.keys(await readFiles({ sources: ['rockyLinux'] }))).toEqual(others);
    for (const sources of [['floto'], []])
      expect(await exchange.from.request('catalogue_bundle', { sources }).status).toBe(422);
  });

  test('contains what was added, changed, withdrawn and returned since a run', async () => {
    await exchange.bring(errata);
    const now = 5000;
    const sinceRun = await addEndedRun(from, 'almaLinux', now);
    await write(from, { ...titled('new'), b: 'changed' }, { now });
    await withdrawRecords(from, alma, [await findId(from, 'c')], now);

    const since = { ...errata, sinceRun };
    const checked = await check(since);
    expect(checked.report?.since).toBe(now);
    expect(almaCounts(checked)).toEqual([1, 1, 1, 0]);
    await exchange.apply(checked);
    expect(await listed(to)).toEqual({ ...titled('a', 'new'), b: 'changed' });

    // It returns unchanged: only the run's own record shows that.
    await write(from, titled('c'), { now: now + 10 });
    await noteChange(from, sinceRun, 'returned', 'c');
    await exchange.bring(since);
    expect(await listed(to)).toEqual(await listed(from));

    for (const options of [
      { ...both, sinceRun },
      { sources: ['rockyLinux'], sinceRun },
      { ...errata, sinceRun: 987_654 },
    ])
      expect(await exchange.from.request('catalogue_bundle', options).status).toBe(422);
  });

  test('tells of changes that are missing before those since a run', async () => {
    const concerns = async (sinceRun: number) =>
      (await check({ ...errata, sinceRun })).report?.concerns.map(({ kind }) => kind);
    const first = await addEndedRun(from, 'almaLinux', 5000);
    // Nothing was listed before the first run.
    expect(await concerns(first)).toEqual([]);
    await exchange.bring(errata);
    const afterBundle = Date.now() + 1_000;
    const second = await addEndedRun(from, 'almaLinux', afterBundle);
    expect(await concerns(second)).toEqual([]);
    await write(from, titled('lost'), { now: afterBundle });
    const third = await addEndedRun(from, 'almaLinux', afterBundle + 60_000);
    const checked = await check({ ...errata, sinceRun: third });
    expect(checked.report?.concerns).toEqual([
      {
        kind: 'gap',
        words: expect.stringMatching(/^It has the changes since .* alone, .* here \(AlmaLinux\)/),
      },
    ]);
    expect(await exchange.requestApply(checked).outcome).toBe('409 concerns_not_accepted');
  });

  test('withdraws the records of a part of which nothing is listed any more', async () => {
    await exchange.bring(errata);
    await write(from, titled('elsewhere'), { part: 'part 10' });
    await exchange.bring(errata);
    expect(Object.keys(await listed(to))).toHaveLength(4);
    await withdrawRecords(from, alma, [await findId(from, 'elsewhere')], 5000);
    await exchange.bring(errata);
    expect(await listed(to)).toEqual(titled('a', 'b', 'c'));
  });

  test('includes rows since a run that were written while the clock was behind', async () => {
    const sinceRun = await addEndedRun(from, 'almaLinux', 5000);
    await write(from, { b: 'changed' }, { now: 3000 });
    await noteChange(from, sinceRun, 'changed', 'b');
    const files = await readFiles({ ...errata, sinceRun });
    expect(String(files[almaFile])).toContain('"key":"b"');
  });

  test('keeps the id of a record whose key changed', async () => {
    await exchange.bring(errata);
    const id = await findId(to, 'b');
    await from.transaction((tx) =>
      adoptFormerKeys(tx, alma, [{ key: 'b, renamed', formerKeys: ['b'] }], () => false),
    );
    const renamed = { 'b, renamed': 'another title' };
    await write(from, renamed, { now: 2000 });
    const checked = await check();
    expect(almaCounts(checked)).toEqual([0, 1, 0, 2]);
    expect(almaCounts(await exchange.apply(checked))).toEqual([0, 1, 0, 2]);
    expect(await listed(to)).toEqual({ ...titled('a', 'c'), ...renamed });
    expect(await findId(to, 'b, renamed')).toBe(id);

    // Once another record has the former key, the bundle does not contain it.
    await write(from, titled('b'), { now: 3000 });
    expect(String((await readFiles())[almaFile])).not.toContain('formerKeys');
    expect(almaCounts(await exchange.bring(errata))).toEqual([1, 0, 0, 3]);
  });

  test('withdraws nothing from 1970 until an administrator accepts that it is older', async () => {
    const old = await madeAt(await exchange.bundle(errata), 86_400_000);
    await write(from, numbered(60));
    await exchange.bring(errata);
    const before = await listed(to);
    expect(Object.keys(before)).toHaveLength(63);

    const checked = await exchange.upload(old);
    expect(checked.report?.concerns).toEqual([
      {
        kind: 'older',
        words: expect.stringMatching(
          /^It was made at 1970-01-02T00:00:00\.000Z\. A bundle that the same installation made at .* was applied before \(AlmaLinux\)/,
        ),
      },
      {
        kind: 'withdrawals',
        words:
          'It withdraws 60 of the 63 records of AlmaLinux patches that are listed from part 9.',
      },
    ]);
    for (const accept of [[], ['older'], ['withdrawals']]) {
      const refused = exchange.requestApply(checked, accept);
      expect(await refused.outcome).toBe('409 concerns_not_accepted');
      expect(await listed(to)).toEqual(before);
    }
    expect(await exchange.requestApply(checked, ['anything']).status).toBe(422);
    const applied = await exchange.apply(checked, ['older', 'withdrawals']);
    expect(applied).toMatchObject({ state: 'done', step: 'apply' });
    expect(Object.keys(await listed(to))).toHaveLength(3);
    // The newest stays the newest: the same bundle needs approval again.
    expect((await exchange.upload(old)).report?.concerns).toMatchObject([{ kind: 'older' }]);
  });

  test('is checked again when it is applied, since a newer one may have been applied in between', async () => {
    const earlier = await check();
    expect(earlier.report?.concerns).toEqual([]);
    await write(from, titled('d'));
    await exchange.bring(errata);
    const { state, message } = await exchange.apply(earlier);
    expect(state).toBe('failed');
    expect(message).toMatch(/^Nothing was changed: It was made at /);
    expect(Object.keys(await listed(to))).toHaveLength(4);
  });

  test('is refused when it is from the future', async () => {
    const future = await madeAt(await exchange.bundle(errata), Date.now() + 3 * 86_400_000);
    const { state, message } = await exchange.upload(future);
    expect(state).toBe('failed');
    expect(message).toContain('which is in the future');
  });

  test('is refused with a clear message when damaged, foreign or newer, and changes nothing', async () => {
    const good = await exchange.bundle(errata);
    for (const [name, made, words] of brokenBundles(good, await unzipped(good))) {
      const file = Buffer.isBuffer(made) ? made : await zipped(made);
      const refused = await exchange.upload(file);
      expect([refused.state, refused.report], name).toEqual(['failed', null]);
      expect(refused.message, name).toContain(words);
      expect(await exchange.requestApply(refused).status, name).toBe(409);
    }
    expect(await listed(to)).toEqual({});
    expect(await readRuns()).toEqual([]);
  });

  test('waits while its family is being synced, and is applied afterwards', async () => {
    const checked = await check(both);
    const run = await addRun(to, 'rockyLinux', 'schedule', 1);
    const { state, message } = await exchange.apply(checked);
    expect(state).toBe('failed');
    expect(message).toContain('Rocky Linux is being synced. Nothing was changed');
    expect(await listed(to)).toEqual({});
    expect(await readRuns('almaLinux')).toMatchObject([{ state: 'cancelled' }]);
    await to.query('delete from sync_run where id = $1', [run?.id]);
    expect(await exchange.apply(checked)).toMatchObject({ state: 'done' });
    expect(await listed(to, 'rockylinux_patch')).toEqual(titled('r'));
  });

  test('leaves nothing behind when it fails midway', async () => {
    const { id } = await check(both);
    const trusted = [{ name: 'x', publicKey: exchange.from.downloads.signer.publicKey }];
    const opened = await openBundle(exchange.to.downloads.filePath(id), trusted);
    const lists = opened.lists.map((list) => ({
      ...list,
      async *lines() {
        yield* list.lines();
        if (list.list.key === 'rockylinux_patch') throw new Error('the disk failed');
      },
    }));
    const applying = {
      database: to,
      bundle: { ...opened, lists },
      by: 'x',
      clock: Date.now,
      onRows: () => undefined,
      signal: new AbortController().signal,
    };
    await expect(applyBundle(applying)).rejects.toThrow('the disk failed');
    opened.close();
    expect([await listed(to), await listed(to, 'rockylinux_patch')]).toEqual([{}, {}]);
    expect((await to.query('select * from sync_change')).rows).toEqual([]);
    expect((await readRuns()).map(({ state }) => state)).toEqual(['failed', 'failed']);
  });

  test.skipIf(!existsSync('/dev/full'))(
    'an upload is refused with a clear message when the disk is full',
    async () => {
      const { downloads, dataDir, operator } = exchange.to;
      const full = join(dataDir, 'full');
      symlinkSync('/dev/full', full);
      const newUpload = vi.spyOn(downloads, 'newUpload').mockReturnValue(full);
      const reply = operator.post(imports, Buffer.from('PK'));
      expect(await reply.outcome).toBe('503 disk_full');
      expect((await reply.refusal)[1]).toContain('Free some space');
      newUpload.mockRestore();
      expect(await operator.get(imports).list).toEqual([]);
    },
  );

  test('trusts keys of other installations by name until they are removed', async () => {
    const { operator, downloads } = exchange.to;
    const keys = '/downloads/bundle-keys';
    const { publicKey } = downloads.signer;
    const { own, objList } = await operator.get(keys).json;
    expect(own).toMatchObject({ publicKey });
    expect(objList).toMatchObject([{ name: 'Head office', addedBy: 'Operator' }]);
    expect(await operator.post(keys, { name: 'me', publicKey }).status).toBe(409);
    expect(await operator.post(keys, { name: 'x', publicKey: 'short' }).status).toBe(422);
    expect(await exchange.trust().status).toBe(409);
    const path = `${keys}/${exchange.from.downloads.signer.fingerprint}`;
    expect(await operator.delete(path).status).toBe(200);
    expect((await check()).message).toContain('not trusted here');
    expect(await operator.delete(path).status).toBe(404);
  });

  test('streams an upload to disk, and discards it when it is not a file or is interrupted', async () => {
    const { app, downloads, operator } = exchange.to;
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const authorization = `Apikey ${await operator.token()}`;
    const send = (
      body: string | Uint8Array<ArrayBuffer> | ReadableStream,
      type = 'application/zip',
    ) =>
      fetch(`http://127.0.0.1:${port}/api${imports}`, {
        method: 'POST',
        headers: { authorization, 'content-type': type },
        body,
        duplex: 'half',
      } as RequestInit);
    expect((await send(new Uint8Array(await exchange.bundle(errata)))).status).toBe(202);
    expect((await send('{}', 'application/json')).status).toBe(422);
    expect((await send('')).status).toBe(422);
    const breaking = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(1000));
        setTimeout(() => controller.error(new Error('cut')), 50);
      },
    });
    await expect(send(breaking)).rejects.toThrow(/failed|cut/);
    Object.assign(downloads, { maxBytes: 10_000_000 });
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)),
    });
    const reply = await send(endless).then(
      (answered) => answered.status,
      () => 'cut',
    );
    expect([413, 'cut']).toContain(reply);
    expect(await operator.get(imports).list).toHaveLength(1);
    expect(readFileSync(`${downloads.folder}/place.id`, 'utf8')).toBe(downloads.place);
  });
});
