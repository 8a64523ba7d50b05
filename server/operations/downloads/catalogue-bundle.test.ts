import { createHash } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type CatalogueList, listOfKey } from '@patch/catalogue/lists.ts';
import type { BundleImport } from '@patch/contract/bundle-endpoints.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { runsPage } from '../../ingest/sync/run-history-store.ts';
import { addRun, endRun, takeRun } from '../../ingest/sync/run-store.ts';
import { nothingNew } from '../../ingest/sync/testing/nothing-new.ts';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { Database } from '../../platform/database/database.ts';
import { withdraw, writeEntries } from '../../platform/database/entry-writer.ts';
import { adoptFormerKeys } from '../../platform/database/former-keys.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { fingerprintOf } from '../../platform/secrets/service-signer.ts';
import { readSearch } from '../../records/criteria/search-request.ts';
import { SearchStore } from '../../records/search/search-store.ts';
import { describeWithDatabase, openMigrated } from '../../testing/databases.ts';
import { applyBundle } from './apply-bundle.ts';
import { bundleSigner } from './bundle-signature.ts';
import { openBundle } from './read-bundle.ts';
import { DownloadService } from './testing/download-service.ts';
import { type Files, unzipped, zipped } from './testing/zip-files.ts';

const alma = listOfKey('almalinux_patch');
const rocky = listOfKey('rockylinux_patch');

interface Sample {
  readonly key: string;
  readonly part?: string;
  readonly title?: string;
}

async function write(
  database: Database,
  list: CatalogueList,
  samples: readonly Sample[],
  now = 1000,
): Promise<void> {
  const entryOf = ({ key, title = `title of ${key}` }: Sample) => {
    const row = {
      title,
      severity: 'Critical',
      releaseDate: 86_400_000,
      binaryPkgName: ['one\\', `two "${key}"`],
    };
    const detail = {
      description: `About ${key}: 漢字 \u2028 line\nbreak`,
      cve: [`CVE-2024-${key.length}000`],
    };
    return { key, row, detail, contentHash: contentHash(row, detail) };
  };
  const parts = Object.groupBy(samples, ({ part = 'part 9' }) => part);
  await database.transaction(async (tx) => {
    for (const [part, ofPart = []] of Object.entries(parts))
      await writeEntries(tx, list, part, ofPart.map(entryOf) as never, now);
  });
}

async function listed(database: Database, list: CatalogueList): Promise<Record<string, string>> {
  const rows = await queryRows(
    database,
    z.object({ key: z.string(), title: z.string() }),
    `select natural_key as key, title from ${list.key} where withdrawn_time is null order by natural_key`,
  );
  return Object.fromEntries(rows.map(({ key, title }) => [key, title]));
}

async function idOf(database: Database, key: string): Promise<number> {
  const text = 'select id from almalinux_patch where natural_key = $1';
  return (await queryRows(database, IdRow, text, [key]))[0]?.id ?? 0;
}

/** The visible content of a row, without numbers and times, which differ between databases. */
async function seen(database: Database, list: CatalogueList): Promise<unknown> {
  const { rows, total } = await new SearchStore(database).find(
    readSearch(list, { offset: 0, size: 100, sort: 'title' }, {}),
  );
  const own = new Set(['id', 'createdTime', 'updatedTime', 'createdAt', 'updatedAt']);
  const plain = (JSON.parse(`[${rows}]`) as object[]).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !own.has(name))),
  );
  const { rows: details } = await database.query(
    `select natural_key, detail, content_hash, part from ${list.key} join entry_detail on list = $1 and row_id = id where withdrawn_time is null order by 1`,
    [list.key],
  );
  return { plain, total, details };
}

const clear = `delete from download_job; delete from bundle_key; delete from bundle_applied; delete from almalinux_patch; delete from rockylinux_patch; delete from entry_detail; delete from feed_former_key;
  delete from sync_change; delete from sync_run; update list_revision set listed = 0, revision = revision + 1;`;

describeWithDatabase('a catalogue bundle', (open) => {
  let from: DownloadService;
  let to: DownloadService;

  beforeAll(async () => {
    const other = await openMigrated();
    from = new DownloadService(other, new Uint8Array(32).fill(3));
    to = new DownloadService(await open(), new Uint8Array(32).fill(4));
    for (const service of [from, to]) {
      await service.start();
      await service.makePeople();
    }
  });
  afterAll(async () => {
    await from.stop();
    await to.stop();
    await from.database.close();
  });
  beforeEach(async () => {
    for (const { database } of [from, to]) await database.script(clear);
    await write(from.database, alma, [{ key: 'a' }, { key: 'b' }, { key: 'c' }]);
    await write(from.database, rocky, [{ key: 'r' }]);
  });

  const trust = () =>
    to.ask('POST', '/downloads/bundle-keys', {
      body: { name: 'Head office', publicKey: from.downloads.signer.publicKey },
    });

  const requestBundle = (options: object) =>
    from.ask('POST', '/downloads', { body: { kind: 'catalogue_bundle', options } });

  async function bundle(options: object = { sources: ['almaLinux'] }): Promise<Buffer> {
    const { id, state, message } = await from.made('catalogue_bundle', options);
    expect(state, message).toBe('done');
    return (await from.fetched(id)).bytes;
  }

  async function upload(file: Buffer): Promise<BundleImport> {
    const { status, json } = await to.ask(
      'POST',
      '/downloads/bundle-imports?fileName=head-office.zip',
      { file },
    );
    expect(status, JSON.stringify(json)).toBe(202);
    return to.ended<BundleImport>(json['id'] as number, '/downloads/bundle-imports');
  }

  async function apply({ id }: BundleImport): Promise<BundleImport> {
    const { status, json } = await to.ask('POST', `/downloads/bundle-imports/${id}/apply`);
    expect(status, JSON.stringify(json)).toBe(202);
    return to.ended<BundleImport>(id, '/downloads/bundle-imports');
  }

  const changesOf = ({ report }: BundleImport, list = alma) => {
    const { added, changed, withdrawn, unchanged } =
      report?.lists.find(({ list: key }) => key === list.key) ?? {};
    return { added, changed, withdrawn, unchanged };
  };

  test('is imported after a dry run that changes nothing', async () => {
    await trust();
    await write(to.database, alma, [
      { key: 'a' },
      { key: 'b', title: 'as it was' },
      { key: 'old' },
      { key: 'elsewhere', part: 'part 10' },
    ]);
    const before = await listed(to.database, alma);
    const checked = await upload(await bundle());
    expect(checked).toMatchObject({
      state: 'done',
      step: 'check',
      rows: 3,
      total: 3,
      report: { signedBy: 'Head office', families: ['AlmaLinux'], since: null, appliedAt: null },
    });
    expect(changesOf(checked)).toEqual({ added: 1, changed: 1, withdrawn: 1, unchanged: 1 });
    expect(checked.message).toBe(
      'Nothing is changed yet. Applied, it means: 1 record added, 1 record changed, 1 record withdrawn.',
    );
    expect(await listed(to.database, alma)).toEqual(before);

    const applied = await apply(checked);
    expect(applied).toMatchObject({
      state: 'done',
      step: 'apply',
      report: { appliedAt: expect.any(Number) },
    });
    expect(changesOf(applied)).toEqual(changesOf(checked));
    expect(await listed(to.database, alma)).toEqual({
      a: 'title of a',
      b: 'title of b',
      c: 'title of c',
      elsewhere: 'title of elsewhere',
    });
    // Records of a part that the bundle does not contain stay.
    await to.database.script("delete from almalinux_patch where natural_key = 'elsewhere'");
    await to.database.script(
      'update list_revision set listed = listed - 1, revision = revision + 1',
    );
    expect(await seen(to.database, alma)).toEqual(await seen(from.database, alma));

    const { runs } = await runsPage(to.database, 'almaLinux', 0, 10);
    expect(runs).toMatchObject([
      {
        state: 'succeeded',
        startedBy: 'Operator (bundle)',
        added: 1,
        changed: 1,
        withdrawn: 1,
        message: { code: 'bundle_applied', params: { signedBy: 'Head office' } },
      },
    ]);
    const { rows } = await to.database.query(
      'select kind, identity from sync_change order by kind',
    );
    expect(rows).toMatchObject([{ kind: 'added' }, { kind: 'changed' }, { kind: 'withdrawn' }]);
    expect((await to.ask('POST', `/downloads/bundle-imports/${applied.id}/apply`)).status).toBe(
      409,
    );
    expect(changesOf(await upload(await bundle()))).toEqual({
      added: 0,
      changed: 0,
      withdrawn: 0,
      unchanged: 3,
    });
  });

  test('holds only the requested families', async () => {
    const files = await unzipped(await bundle({ sources: ['almaLinux', 'rockyLinux'] }));
    expect(Object.keys(files)).toEqual([
      'lists/almalinux_patch.jsonl',
      'lists/rockylinux_patch.jsonl',
      'manifest.json',
      'signature.json',
    ]);
    expect(Object.keys(await unzipped(await bundle({ sources: ['rockyLinux'] })))).toEqual([
      'lists/rockylinux_patch.jsonl',
      'manifest.json',
      'signature.json',
    ]);
    for (const sources of [['floto'], []])
      expect(await requestBundle({ sources })).toMatchObject({ status: 422 });
  });

  test('since a run holds what was added, changed, withdrawn and returned since', async () => {
    await trust();
    const { database } = from;
    await apply(await upload(await bundle()));
    const start = 5000;
    const run = await addRun(database, 'almaLinux', 'schedule', start);
    await takeRun(database, run?.id ?? 0, start);
    await write(database, alma, [{ key: 'new' }, { key: 'b', title: 'changed' }], start);
    const gone = await idOf(database, 'c');
    await database.transaction((tx) => withdraw(tx, alma, [gone], start));
    const none = { added: 0, changed: 0, withdrawn: 0, unchanged: 0, rejected: 0 };
    await endRun(
      database,
      run?.id ?? 0,
      { ...none, state: 'succeeded', message: nothingNew, warnings: [] },
      start + 1,
    );

    const since = { sources: ['almaLinux'], sinceRun: run?.id };
    const checked = await upload(await bundle(since));
    expect(checked.report?.since).toBe(start);
    expect(changesOf(checked)).toEqual({ added: 1, changed: 1, withdrawn: 1, unchanged: 0 });
    await apply(checked);
    expect(await listed(to.database, alma)).toEqual({
      a: 'title of a',
      b: 'changed',
      new: 'title of new',
    });

    // It returns unchanged: only the run's own record knows that.
    await write(database, alma, [{ key: 'c' }], start + 10);
    await database.query(
      `insert into sync_change (run_id, list, row_id, identity, kind, fields) values ($1, 'almalinux_patch', $2, 'c', 'returned', '{}')`,
      [run?.id, gone],
    );
    await apply(await upload(await bundle(since)));
    expect(await listed(to.database, alma)).toEqual(await listed(database, alma));

    for (const options of [
      { sources: ['almaLinux', 'rockyLinux'], sinceRun: run?.id },
      { sources: ['rockyLinux'], sinceRun: run?.id },
      { sources: ['almaLinux'], sinceRun: 987_654 },
    ])
      expect(await requestBundle(options)).toMatchObject({ status: 422 });
  });

  test('keeps the id of a record whose key changed', async () => {
    await trust();
    await apply(await upload(await bundle()));
    const id = await idOf(to.database, 'b');
    await from.database.transaction((tx) =>
      adoptFormerKeys(tx, alma, [{ key: 'b, renamed', formerKeys: ['b'] }], () => false),
    );
    await write(from.database, alma, [{ key: 'b, renamed', title: 'another title' }], 2000);
    const checked = await upload(await bundle());
    expect(changesOf(checked)).toEqual({ added: 0, changed: 1, withdrawn: 0, unchanged: 2 });
    expect(changesOf(await apply(checked))).toEqual(changesOf(checked));
    expect(await listed(to.database, alma)).toEqual({
      a: 'title of a',
      'b, renamed': 'another title',
      c: 'title of c',
    });
    expect(await idOf(to.database, 'b, renamed')).toBe(id);

    // Once another record has the former key, the bundle does not name it.
    await write(from.database, alma, [{ key: 'b' }], 3000);
    expect(String((await unzipped(await bundle()))[almaFile])).not.toContain('formerKeys');
    expect(changesOf(await apply(await upload(await bundle())))).toEqual({
      added: 1,
      changed: 0,
      withdrawn: 0,
      unchanged: 3,
    });
  });

  const resigned = (files: Files, key = 3): Files => {
    const signer = bundleSigner(new Uint8Array(32).fill(key));
    const manifest = Buffer.from(files['manifest.json'] ?? '');
    return {
      ...files,
      'signature.json': JSON.stringify({
        algorithm: 'Ed25519',
        publicKey: signer.publicKey,
        signature: signer.sign(manifest),
      }),
    };
  };
  const withManifest = (
    files: Files,
    change: (manifest: { lists: Record<string, unknown>[] } & Record<string, unknown>) => void,
  ): Files => {
    const manifest = JSON.parse(String(files['manifest.json'])) as {
      lists: Record<string, unknown>[];
    };
    change(manifest);
    return { ...files, 'manifest.json': JSON.stringify(manifest) };
  };
  const almaFile = 'lists/almalinux_patch.jsonl';

  const madeAt = async (file: Buffer, time: number): Promise<Buffer> => {
    const files = await unzipped(file);
    const manifest = JSON.parse(String(files['manifest.json'])) as object;
    return zipped(
      resigned({ ...files, 'manifest.json': JSON.stringify({ ...manifest, madeAt: time }) }),
    );
  };
  const applyAs = ({ id }: BundleImport, accept: readonly string[]) =>
    to.ask('POST', `/downloads/bundle-imports/${id}/apply`, { body: { accept } });

  test('from 1970 withdraws nothing until an administrator accepts that it is older', async () => {
    await trust();
    const samples = Array.from({ length: 60 }, (_, n) => ({ key: `record ${n}` }));
    const old = await madeAt(await bundle(), 86_400_000);
    await write(from.database, alma, samples);
    await apply(await upload(await bundle()));
    const before = await listed(to.database, alma);
    expect(Object.keys(before)).toHaveLength(63);

    const checked = await upload(old);
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
      expect(await applyAs(checked, accept)).toMatchObject({
        status: 409,
        json: { code: 'concerns_not_accepted' },
      });
      expect(await listed(to.database, alma)).toEqual(before);
    }
    expect((await applyAs(checked, ['anything'])).status).toBe(422);
    expect((await applyAs(checked, ['older', 'withdrawals'])).status).toBe(202);
    expect(await to.ended<BundleImport>(checked.id, '/downloads/bundle-imports')).toMatchObject({
      state: 'done',
      step: 'apply',
    });
    expect(Object.keys(await listed(to.database, alma))).toHaveLength(3);
    // The newest stays the newest: the same bundle needs approval again.
    expect((await upload(old)).report?.concerns).toMatchObject([{ kind: 'older' }]);
  });

  test('is checked again when it is applied, since a newer one may have been applied in between', async () => {
    await trust();
    const earlier = await upload(await bundle());
    expect(earlier.report?.concerns).toEqual([]);
    await write(from.database, alma, [{ key: 'd' }]);
    await apply(await upload(await bundle()));
    const late = await apply(earlier);
    expect(late).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^Nothing was changed: It was made at /),
    });
    expect(Object.keys(await listed(to.database, alma))).toHaveLength(4);
  });

  test('an update that withdraws much is asked about as well, and one of the future is refused', async () => {
    await trust();
    await write(
      from.database,
      alma,
      Array.from({ length: 40 }, (_, n) => ({ key: `record ${n}` })),
    );
    await apply(await upload(await bundle()));
    const ids = await queryRows(
      from.database,
      IdRow,
      "select id from almalinux_patch where natural_key like 'record%'",
    );
    await from.database.transaction((tx) =>
      withdraw(
        tx,
        alma,
        ids.map(({ id }) => id),
        5000,
      ),
    );
    expect((await upload(await bundle())).report?.concerns).toMatchObject([
      { kind: 'withdrawals' },
    ]);
    const future = await upload(await madeAt(await bundle(), Date.now() + 3 * 86_400_000));
    expect(future).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('which is in the future'),
    });
  });

  /** Signed by a trusted key, with invalid content. */
  const withLines = (files: Files, lines: string): Files =>
    resigned(
      withManifest({ ...files, [almaFile]: lines }, ({ lists }) =>
        Object.assign(lists[0] ?? {}, {
          bytes: Buffer.byteLength(lines),
          sha256: createHash('sha256').update(lines).digest('hex'),
          rows: lines.split('\n').length - 1,
        }),
      ),
    );

  /** Each with its name and words of its refusal. */
  function brokenBundles(good: Buffer, files: Files): [string, Buffer | Files, string][] {
    const text = String(files[almaFile]);
    const [first = ''] = text.split('\n');
    return [
      ['no zip', Buffer.from('not a zip'), 'not a catalogue bundle'],
      ['cut off', good.subarray(0, -100), 'not a catalogue bundle, or is damaged'],
      ['a bit flipped', Buffer.from(good).fill(0x5a, 200, 230), 'damaged'],
      ['another zip', { 'readme.txt': 'hello' }, 'it has no manifest.json'],
      [
        'other content',
        { ...files, [almaFile]: text.replace('title of a', 'title of x') },
        'is not what was signed',
      ],
      ['shorter content', { ...files, [almaFile]: `${first}\n` }, 'has the wrong size'],
      [
        'a list missing',
        {
          'manifest.json': files['manifest.json'] ?? '',
          'signature.json': files['signature.json'] ?? '',
        },
        'is missing',
      ],
      ['a stranger', { ...files, 'lists/other.jsonl': '' }, 'which is not in its manifest'],
      [
        'manifest changed',
        withManifest(files, (manifest) => void (manifest['madeAt'] = 1)),
        'signature does not match',
      ],
      [
        'foreign key',
        resigned(files, 9),
        `not trusted here (key ${fingerprintOf(bundleSigner(new Uint8Array(32).fill(9)).publicKey)})`,
      ],
      [
        'newer',
        resigned(withManifest(files, (manifest) => void (manifest['version'] = 4))),
        'The bundle has format 4',
      ],
      [
        'unknown list',
        resigned(
          withManifest(
            files,
            ({ lists }) => void Object.assign(lists[0] ?? {}, { list: 'fedora_patch' }),
          ),
        ),
        'the list fedora_patch, which this version does not know',
      ],
      [
        'unknown field',
        withLines(files, text.replace('"title"', '"heading"')),
        'There is no field heading',
      ],
      ['no record', withLines(files, `${text}{}\n`), 'line 4 of AlmaLinux'],
      // The database cannot store either one: the job must end all the same.
      ['a name with a NUL', { ...files, 'lists/\0.jsonl': '' }, 'which is not in its manifest'],
      [
        'a version that is a novel',
        withManifest(files, (manifest) =>
          Object.assign(manifest, { version: 4, product: `\0${'9'.repeat(100_000)}` }),
        ),
        'The bundle has format 4, of version 999',
      ],
      ['twice', withLines(files, `${text}${first}\n`), 'twice'],
      ['no end', withLines(files, `${text}${first}`), 'middle of a line'],
    ];
  }

  test('damaged, foreign or newer bundles are refused in clear words, and nothing is changed', async () => {
    await trust();
    const good = await bundle();
    const files = await unzipped(good);
    for (const [name, made, words] of brokenBundles(good, files)) {
      const refused = await upload(Buffer.isBuffer(made) ? made : await zipped(made as Files));
      expect([refused.state, refused.report], name).toEqual(['failed', null]);
      expect(refused.message, name).toContain(words);
      expect(
        (await to.ask('POST', `/downloads/bundle-imports/${refused.id}/apply`)).status,
        name,
      ).toBe(409);
    }
    expect(await listed(to.database, alma)).toEqual({});
    expect((await runsPage(to.database, null, 0, 10)).total).toBe(0);
  });

  test('waits while its family is being synced, and is applied afterwards', async () => {
    await trust();
    const checked = await upload(await bundle({ sources: ['almaLinux', 'rockyLinux'] }));
    const run = await addRun(to.database, 'rockyLinux', 'schedule', 1);
    const refused = await apply(checked);
    expect(refused).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('Rocky Linux is being synced. Nothing was changed'),
    });
    expect(await listed(to.database, alma)).toEqual({});
    expect((await runsPage(to.database, 'almaLinux', 0, 10)).runs).toMatchObject([
      { state: 'cancelled' },
    ]);
    await to.database.query('delete from sync_run where id = $1', [run?.id]);
    expect(await apply(checked)).toMatchObject({ state: 'done' });
    expect(Object.keys(await listed(to.database, rocky))).toEqual(['r']);
  });

  test('leaves nothing behind when it fails midway', async () => {
    await trust();
    const checked = await upload(await bundle({ sources: ['almaLinux', 'rockyLinux'] }));
    const opened = await openBundle(to.downloads.fileOf(checked.id), [
      { name: 'x', publicKey: from.downloads.signer.publicKey },
    ]);
    const broken = {
      ...opened,
      lists: opened.lists.map((list) => ({
        ...list,
        async *lines() {
          yield* list.lines();
          if (list.list.key === rocky.key) throw new Error('the disk failed');
        },
      })),
    };
    const applying = {
      database: to.database,
      bundle: broken,
      by: 'x',
      clock: Date.now,
      onRows: () => undefined,
      signal: new AbortController().signal,
    };
    await expect(applyBundle(applying)).rejects.toThrow('the disk failed');
    opened.close();
    expect([await listed(to.database, alma), await listed(to.database, rocky)]).toEqual([{}, {}]);
    expect((await to.database.query('select * from sync_change')).rows).toEqual([]);
    expect((await runsPage(to.database, null, 0, 10)).runs.map(({ state }) => state)).toEqual([
      'failed',
      'failed',
    ]);
  });

  test('since a run includes what was written while the clock was behind', async () => {
    const { database } = from;
    const run = await addRun(database, 'almaLinux', 'schedule', 5000);
    await takeRun(database, run?.id ?? 0, 5000);
    await write(database, alma, [{ key: 'b', title: 'changed' }], 3000);
    await database.query(
      `insert into sync_change (run_id, list, row_id, identity, kind, fields)
       select $1, 'almalinux_patch', id, 'b', 'changed', '{}' from almalinux_patch where natural_key = 'b'`,
      [run?.id],
    );
    const files = await unzipped(await bundle({ sources: ['almaLinux'], sinceRun: run?.id }));
    expect(String(files[almaFile])).toContain('"key":"b"');
  });

  test.skipIf(!existsSync('/dev/full'))(
    'an upload is refused with a clear message when the disk is full',
    async () => {
      const full = join(to.dataDir, 'full');
      symlinkSync('/dev/full', full);
      const newUpload = vi.spyOn(to.downloads, 'newUpload').mockReturnValue(full);
      expect(
        await to.ask('POST', '/downloads/bundle-imports', { file: Buffer.from('PK') }),
      ).toMatchObject({
        status: 503,
        json: { code: 'disk_full', userMessage: expect.stringContaining('Free some space') },
      });
      newUpload.mockRestore();
      expect((await to.ask('GET', '/downloads/bundle-imports')).json['totalCount']).toBe(0);
    },
  );

  test('keys of other installations are trusted by name until they are removed', async () => {
    expect(
      await to.ask('POST', '/downloads/bundle-keys', {
        body: { name: 'a\nb', publicKey: from.downloads.signer.publicKey },
      }),
    ).toMatchObject({
      status: 422,
      json: { userMessage: 'name must be one line without control or invisible characters.' },
    });
    const own = await to.ask('GET', '/downloads/bundle-keys');
    expect(own.json).toMatchObject({
      own: { publicKey: to.downloads.signer.publicKey },
      objList: [],
    });
    expect(
      await to.ask('POST', '/downloads/bundle-keys', {
        body: { name: 'me', publicKey: to.downloads.signer.publicKey },
      }),
    ).toMatchObject({ status: 409 });
    expect(
      await to.ask('POST', '/downloads/bundle-keys', { body: { name: 'x', publicKey: 'short' } }),
    ).toMatchObject({ status: 422 });
    const { json } = await trust();
    expect((await trust()).status).toBe(409);
    expect(json).toMatchObject({ name: 'Head office', addedBy: 'Operator' });
    expect(
      await to.ask('DELETE', `/downloads/bundle-keys/${String(json['fingerprint'])}`),
    ).toMatchObject({ status: 200 });
    expect((await upload(await bundle())).message).toContain('not trusted here');
    expect(
      (await to.ask('DELETE', `/downloads/bundle-keys/${String(json['fingerprint'])}`)).status,
    ).toBe(404);
  });

  test('an upload is streamed to disk, and discarded if it is not a file or breaks off', async () => {
    await trust();
    await to.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = to.app.server.address() as AddressInfo;
    const { json } = await to.ask('POST', '/authenticate', {
      as: 'nobody',
      body: { username: 'Operator', password: 'Correct-Horse-7' },
    });
    const send = (
      body: string | Uint8Array<ArrayBuffer> | ReadableStream,
      type = 'application/zip',
    ) =>
      fetch(`http://127.0.0.1:${port}/api/downloads/bundle-imports`, {
        method: 'POST',
        headers: { authorization: `Apikey ${String(json['token'])}`, 'content-type': type },
        body,
        duplex: 'half',
      } as RequestInit);
    expect((await send(new Uint8Array(await bundle()))).status).toBe(202);
    expect((await send('{}', 'application/json')).status).toBe(422);
    expect((await send('')).status).toBe(422);
    const breaking = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(1000));
        setTimeout(() => controller.error(new Error('cut')), 50);
      },
    });
    await expect(send(breaking)).rejects.toThrow(/failed|cut/);
    Object.assign(to.downloads, { maxBytes: 10_000_000 });
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)),
    });
    const reply = await send(endless).then(
      (answered) => answered.status,
      () => 'cut',
    );
    expect([413, 'cut']).toContain(reply);
    const { json: imports } = await to.ask('GET', '/downloads/bundle-imports');
    expect(imports['totalCount']).toBe(1);
    expect(readFileSync(`${to.downloads.folder}/place.id`, 'utf8')).toBe(to.downloads.place);
  });
});
