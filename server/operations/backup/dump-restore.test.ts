import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { catalogueLists, listOfKey } from '@patch/catalogue/lists.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { createUser } from '../../identity/accounts/user-store.ts';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { Database } from '../../platform/database/database.ts';
import { writeEntries } from '../../platform/database/entry-writer.ts';
import { writeScores } from '../../platform/database/epss-score-store.ts';
import { IdRow, TotalRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { serverDatabase } from '../../platform/database/server-database.ts';
import { refreshStaleCves } from '../../platform/database/stale-cve-store.ts';
import { tableOfList } from '../../platform/database/table-sql.ts';
import { writeFacts } from '../../platform/database/vulnerability-store.ts';
import { readSearch } from '../../records/criteria/search-request.ts';
import { SearchStore } from '../../records/search/search-store.ts';
import { describeWithDatabase, openInFolder, openMigrated } from '../../testing/databases.ts';
import { findBinaries } from '../../testing/postgres-cluster.ts';
import { cellsOfCopyLine, copyLine } from './copy-lines.ts';
import { dumpSigner } from './database-dump.ts';
import type { DumpTrust } from './dump-signature.ts';
import { dumpedTables, rowsOfTable } from './dumped-tables-store.ts';
import { restoreDump } from './restore-dump.ts';
import { withSnapshot } from './snapshot.ts';
import { writeDumpFile } from './write-dump-file.ts';

const run = promisify(execFile);
/** Beside the server's binaries, or in the PATH. */
const beside = join(findBinaries() ?? '', 'psql');
const psql = existsSync(beside) ? beside : 'psql';
const signer = dumpSigner(Buffer.alloc(32, 7));
const trust: DumpTrust = { publicKeys: [signer.publicKey], acceptUnsigned: false };
const errata = listOfKey('almalinux_patch');
const folder = mkdtempSync(join(tmpdir(), 'patch-dump-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a careless writer would break its lines or columns with. */
const awkward = [
  'tab\there',
  'line\nfeed',
  'return\r\n',
  'back\\slash \\N \\.',
  '\\.',
  '\b\f\v',
  'Ünïcödé 漢字 🐧',
  'quote \' and " and $$',
  '',
  ' ',
];

const riskyCve = 'CVE-2031-1001';

/** What the risk sources say, and the risk of the records that follows from it. */
async function fillRisk(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const facts = {
      kind: 'kev',
      cve: riskyCve,
      vendorProject: awkward[0] ?? '',
      product: awkward[3] ?? '',
      name: awkward.join(' '),
      description: '',
      requiredAction: '',
      dateAdded: 1,
      dueDate: null,
      ransomware: null,
      notes: '',
      cwes: [],
    } as const;
    await writeFacts(tx, [{ of: 'kev', cve: riskyCve, facts, hash: 'hash' }], 1);
    const score = {
      kind: 'epss',
      cve: riskyCve.toLowerCase(),
      epss: 0.1,
      percentile: 0.9,
    } as const;
    await writeScores(tx, [score], { stale: new Set([score.cve]), now: 1 });
  });
  await refreshStaleCves(database);
}

const fill = (database: Database) =>
  database.transaction(async (session) => {
    const entries = Array.from({ length: 700 }, (_, n) => {
      const row = {
        title: `${awkward[n % awkward.length]} erratum ${n}`,
        severity: ['Critical', 'Low', null][n % 3],
        releaseDate: n % 7 === 0 ? null : n * 86_400_000,
        binaryPkgName: n % 2 === 0 ? ['one', `two-${n}`] : null,
      };
      const detail = {
        description: `${awkward[(n + 3) % awkward.length]} ${'long '.repeat(n % 90)}`,
        ...(n % 100 === 0 && { cve: [riskyCve] }),
      };
      return {
        key: `key ${n} ${awkward[n % awkward.length]}`,
        row,
        detail,
        contentHash: contentHash(row, detail),
      };
    });
    await writeEntries(session, errata, 'part', entries as never, 1_700_000_000_000);
  });

async function counts(database: Database): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { name } of await dumpedTables(database))
    found[name] =
      (await queryRows(database, TotalRow, `select count(*) as total from "${name}"`))[0]?.total ??
      -1;
  return found;
}

/** Every row of every table, in an order of its own. */
async function allRows(database: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  await database.transaction(async (session) => {
    for (const table of await dumpedTables(session)) {
      const lines: string[] = [];
      for await (const rows of rowsOfTable(session, table)) lines.push(...rows.map(copyLine));
      found[table.name] = lines.toSorted();
    }
  });
  return found;
}

const epochOf = async (database: Database) =>
  (await database.query('select epoch from change_epoch')).rows;

async function answers(database: Database): Promise<unknown> {
  const store = new SearchStore(database);
  const asked: [string, object][] = [
    ['-releaseDate', {}],
    ['title', { filter: "lower(severity) in ('critical') and lower(title) like '%erratum%'" }],
    ['severity', { keyword: 'two-42' }],
    ['-severity', { filter: 'releaseDate is null' }],
    ['title', { keyword: '漢字' }],
    ['title', { keyword: 'slash \\n' }],
  ];
  return Promise.all(
    asked.map(([sort, search]) =>
      store.find(readSearch(errata, { offset: 0, size: 50, sort }, search)),
    ),
  );
}

async function schemaOf(database: Database): Promise<unknown> {
  const { rows: indexes } = await database.query(
    "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2",
  );
  const { rows: constraints } = await database.query(
    `select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as is from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`,
  );
  return { indexes, constraints };
}

describeWithDatabase('a dump', (open) => {
  let database: Database;
  let path: string;
  const restored: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    database = await open();
    await fill(database);
    await fillRisk(database);
    const jane = {
      name: 'Jane',
      email: '',
      userType: 'Admin',
      passwordHash: 'argon',
      mustChangePassword: false,
      createdTime: 5,
    } as const;
    const id = await createUser(database, jane).then(() => 1);
    await database.script(`
      insert into settings values ('email_config', '{"sealedPassword": "v1.sealed"}');
      insert into avatar values (${id}, 'a.png', decode('00ff0a5c09', 'hex'));
      insert into sessions (token_hash, user_id, address, created_time, last_used_time, expires_time, ends_time) values ('session-hash', ${id}, 'address', 1, 1, 1, 1);
      insert into export_ticket values ('ticket-hash', ${id}, '{}', 1);
      insert into password_reset values ('reset-hash', ${id}, 1, 1);
      insert into mail_outbox (kind, recipient, subject, body, state, queued_time, next_time) values
        ('reset', 'a@example.org', 's', 'secret-link', 'queued', 1, 1), ('reset', 'b@example.org', 's', '', 'sent', 1, 1);`);
    path = join(folder, 'all.sql.gz');
    await withSnapshot(database, (session) =>
      writeDumpFile(session, path, 1_700_000_000_000, signer),
    );
  });
  afterEach(async () => {
    for (let close = restored.pop(); close !== undefined; close = restored.pop()) await close();
  });

  let embedded: Database | null = null;
  afterAll(() => embedded?.close());
  /** The same database each time, without a table. */
  const emptyEmbedded = async () => {
    embedded ??= await openMigrated();
    await embedded.script('drop schema public cascade; create schema public');
    return embedded;
  };

  /** Left out on purpose. */
  const leftOut = { sessions: 0, export_ticket: 0, password_reset: 0, mail_outbox: 1 };

  async function expectTheSame(copy: Database): Promise<void> {
    const before = await allRows(database);
    expect(await allRows(copy)).toEqual(before);
    expect(await counts(copy)).toEqual({ ...(await counts(database)), ...leftOut });
    expect(await answers(copy)).toEqual(await answers(database));
    // Clients that have read from the old one begin again.
    expect(await epochOf(copy)).not.toEqual(await epochOf(database));
    expect(await schemaOf(copy)).toEqual(await schemaOf(database));
    // The next row gets the next number.
    const addOne = `insert into almalinux_patch (natural_key, part, content_hash, created_time, updated_time, keyword) values ('new', '', '', 0, 0, '') returning id`;
    expect(await queryRows(copy, IdRow, addOne)).toEqual([{ id: 701 }]);
  }

  test('restores into an empty embedded database: the same rows, search answers, indexes and numbers', async () => {
    const copy = await emptyEmbedded();
    const { rows } = await restoreDump({ database: copy, path, trust, replace: false });
    expect(rows).toBeGreaterThan(1400);
    await expectTheSame(copy);
    // With the risk of the records that name the CVEs of the risk sources.
    const { rows: cves } = await copy.query('select cve, epss, title from vulnerabilities');
    expect(cves).toEqual([{ cve: riskyCve, epss: 0.1, title: awkward.join(' ') }]);
    const { rows: records } = await copy.query(
      'select count(*)::int as many, min(epss) as epss from all_patches where exploited',
    );
    expect(records).toEqual([{ many: 7, epss: 0.1 }]);
  });

  const { url } = inject('cluster');
  describe('on a PostgreSQL server', () => {
    const emptyServer = async () => {
      const name = `restored_${Math.random().toString(36).slice(2)}`;
      const maintenance = serverDatabase({ url, connections: 1 });
      await maintenance.script(`create database ${name}`);
      await maintenance.close();
      const address = new URL(url);
      address.pathname = `/${name}`;
      const empty = serverDatabase({ url: address.href, connections: 2 });
      restored.push(() => empty.close());
      return { empty, address: address.href };
    };

    test('psql restores it into an empty database: the same rows, search answers, indexes and numbers', async () => {
      const { empty, address } = await emptyServer();
      const plain = join(folder, 'plain.sql');
      writeFileSync(plain, gunzipSync(readFileSync(path)));
      const { stderr } = await run(psql, ['-X', '-q', '-d', address, '-f', plain]);
      expect(stderr).toBe('');
      await expectTheSame(empty);
    });

    test('psql leaves a database empty when the dump is cut off', async () => {
      const { empty, address } = await emptyServer();
      const plain = join(folder, 'cut.sql');
      const whole = gunzipSync(readFileSync(path));
      // At the end of a line: psql takes that for the end of the rows.
      writeFileSync(
        plain,
        whole.subarray(0, whole.lastIndexOf('\n', Math.floor(whole.length * 0.7)) + 1),
      );
      const { stdout } = await run(psql, ['-X', '-d', address, '-f', plain]);
      expect(stdout).toContain('COPY');
      expect(await dumpedTables(empty)).toEqual([]);
    });

    test('our own restore brings it into a server as well', async () => {
      const { empty } = await emptyServer();
      expect(
        (await restoreDump({ database: empty, path, trust, replace: false })).rows,
      ).toBeGreaterThan(1400);
      await expectTheSame(empty);
    });
  });

  test('takes every list along', async () => {
    const names = (await dumpedTables(database)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(catalogueLists.map(tableOfList)));
  });

  test('holds no session, ticket, link or waiting mail, and secrets as they are sealed', () => {
    const text = gunzipSync(readFileSync(path)).toString();
    for (const secret of ['session-hash', 'ticket-hash', 'reset-hash', 'secret-link'])
      expect(text).not.toContain(secret);
    expect(text).toContain('v1.sealed');
  });

  test('a database that is not empty is left alone, unless it may be replaced', async () => {
    const copy = await emptyEmbedded();
    await restoreDump({ database: copy, path, trust, replace: false });
    await copy.script("delete from users; insert into settings values ('later', '1')");
    await expect(restoreDump({ database: copy, path, trust, replace: false })).rejects.toThrow(
      'with --replace',
    );
    await restoreDump({ database: copy, path, trust, replace: true });
    expect(await allRows(copy)).toEqual(await allRows(database));
    await copy.script(
      'drop schema public cascade; create schema public; create table somebodys (id int)',
    );
    await expect(restoreDump({ database: copy, path, trust, replace: true })).rejects.toThrow(
      'tables of something else (somebodys)',
    );
  });

  test('a damaged dump changes nothing', async () => {
    const copy = await emptyEmbedded();
    await copy.script('create table migration (name text); create table list_revision (list text)');
    const whole = gunzipSync(readFileSync(path)).toString();
    const broken: [string, Buffer | string, string | RegExp][] = [
      ['cut gzip', readFileSync(path).subarray(0, -200), 'cannot be unpacked'],
      ['cut text', whole.slice(0, -2000), ''],
      ['an end cut off', whole.replace(/(\n-- end .{10})[^]*/, '$1'), 'ends too early'],
      [
        'a letter changed',
        whole.replace(/(\n1\t.*key) 0 /, '$1 O '),
        'does not match its checksum',
      ],
      ['no end', whole.replace(/\n-- end .*/, '\n'), 'ends too early'],
      ['a row less', whole.replace(/\n1\t.*key 0 .*\n/, '\n'), 'it is damaged'],
      ['a tab less', whole.replace('\tpart\t', 'part\t'), 'values instead of'],
      ['other file', 'select 1;\n', 'This is not a dump'],
      ['empty', '', 'The file is empty'],
      ['another format', whole.replace('"format":2', '"format":1'), 'The dump has format 1, of'],
      ['no checksum', whole.replace(/\n-- crc32 [^]*/, '\n'), 'ends too early'],
      [
        'another schema',
        whole.replace(/"schema":"\d{3}-/, '"schema":"999-'),
        /The dump has the schema 999-[\da-f]{8}, of version .*; this version has the schema \d{3}-[\da-f]{8}\. Restore the dump with the version that made it/,
      ],
    ];
    for (const [name, content, words] of broken) {
      const file = join(folder, 'broken.sql.gz');
      writeFileSync(file, typeof content === 'string' ? content : content);
      const accepting = { publicKeys: [], acceptUnsigned: true };
      await expect(
        restoreDump({ database: copy, path: file, trust: accepting, replace: true }),
        name,
      ).rejects.toThrow(words);
      expect(await copy.query('select name from migration'), name).toMatchObject({ rows: [] });
    }
    const packed = join(folder, 'plain-text.sql');
    writeFileSync(packed, gunzipSync(gzipSync(whole)));
    await restoreDump({ database: copy, path: packed, trust, replace: true });
    expect(await allRows(copy)).toEqual(await allRows(database));
  });

  test('every table of what ends within hours is left out', async () => {
    const named = /session|ticket|attempt|challenge|reset/;
    await database.transaction(async (session) => {
      for (const table of await dumpedTables(session)) {
        if (!named.test(table.name)) continue;
        for await (const rows of rowsOfTable(session, table)) expect(rows, table.name).toEqual([]);
      }
    });
  });

  test('reads cells of any text as they were', () => {
    const cell = fc.oneof(
      fc.constant(null),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...awkward),
    );
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
        const line = copyLine(cells);
        expect(line).not.toContain('\n');
        expect(cellsOfCopyLine(line)).toEqual(cells);
      }),
    );
  });
});

describe('a dump of an embedded database that others use', () => {
  let dataDir: string;
  let database: Awaited<ReturnType<typeof openInFolder>>;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'patch-snapshot-'));
    database = await openInFolder(dataDir);
    await database.script('create table written (n bigint)');
  });
  afterEach(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('shows one moment, while others go on to write', async () => {
    await database.script('insert into written select generate_series(1, 1000)');
    const total = async (asked: Pick<Database, 'query'>) =>
      (await queryRows(asked, z.object({ n: z.number() }), 'select count(*) as n from written'))[0]
        ?.n;
    await withSnapshot(database, async (session) => {
      expect(await total(session)).toBe(1000);
      await database.script('insert into written values (1001)');
      expect(await total(session)).toBe(1000);
      expect(await total(database)).toBe(1001);
    });
  });
});
