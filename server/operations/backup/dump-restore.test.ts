import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditKey } from '../../platform/audit/audit-hash.ts';
import { addEntries } from '../../platform/audit/audit-store.ts';
import { removeOldEntries, serviceEntry } from '../../platform/audit/service-entry.ts';
import { verifyChain } from '../../platform/audit/verify-chain.ts';
import { writeScores } from '../../platform/database/cves/epss-score-store.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { recordTable } from '../../platform/database/records/list-views.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase, openEmpty } from '../../testing/databases.ts';
import { buildUser } from '../../testing/factories.ts';
import { findBinaries } from '../../testing/postgres-cluster.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { dumpSigner, writeDumpFile } from './database-dump.ts';
import { copyLine, parseCopyLine } from './dump-lines.ts';
import { readDumpParts } from './dump-parts.ts';
import type { DumpTrust } from './dump-signature.ts';
import { readDumpedTables, readTableRows, withSnapshot } from './dumped-tables-store.ts';
import { restoreDump } from './restore-dump.ts';

const run = promisify(execFile);
/** Beside the server's binaries, or in the PATH. */
const beside = join(findBinaries() ?? '', 'psql');
const psql = existsSync(beside) ? beside : 'psql';
const signer = dumpSigner(Buffer.alloc(32, 7));
const trust: DumpTrust = { publicKeys: [signer.publicKey], acceptUnsigned: false };
const errata = getList('almalinux_patch');
const chainKey = auditKey(secretBox(Buffer.alloc(32, 5)));
const day = 24 * 3_600_000;
const keptDays = 400;
const folder = temporaryFolder();

/** Text that could break lines or columns. */
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

async function fill(database: Database): Promise<void> {
  const records = Array.from({ length: 700 }, (_, n) => ({
    key: `key ${n} ${awkward[n % awkward.length]}`,
    row: {
      title: `${awkward[n % awkward.length]} erratum ${n}`,
      severity: ['Critical', 'Low', null][n % 3],
      releaseDate: n % 7 === 0 ? null : n * 86_400_000,
      binaryPkgName: n % 2 === 0 ? ['one', `two-${n}`] : null,
    },
    detail: {
      description: `${awkward[(n + 3) % awkward.length]} ${'long '.repeat(n % 90)}`,
      ...(n % 100 === 0 && { cve: [riskyCve] }),
    },
  }));
  await writeRecords(database, errata, records, 1_700_000_000_000);
  // Facts of the risk sources, and the resulting risk of the records.
  const [vendorProject = '', , , product = ''] = awkward;
  const facts = { vendorProject, product, name: awkward.join(' ') };
  await writeCveFacts(database, buildKevFacts(riskyCve, facts));
  const score = { kind: 'epss', cve: riskyCve.toLowerCase(), epss: 0.1, percentile: 0.9 } as const;
  await database.transaction((tx) =>
    writeScores(tx, [score], { stale: new Set([score.cve]), now: 1 }),
  );
  await refreshStaleCves(database);
}

/** Every row of every table, in an order of its own. */
async function allRows(database: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  await database.transaction(async (session) => {
    for (const table of await readDumpedTables(session)) {
      const lines: string[] = [];
      for await (const rows of readTableRows(session, table)) lines.push(...rows.map(copyLine));
      found[table.name] = lines.toSorted();
    }
  });
  return found;
}

const readEpoch = async (database: Database) =>
  (await database.query('select epoch from change_epoch')).rows;

async function readSchema(database: Database): Promise<unknown> {
  const { rows: indexes } = await database.query(
    "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2",
  );
  const { rows: constraints } = await database.query(
    `select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as is from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`,
  );
  const { rows: triggers } = await database.query(
    'select tgrelid::regclass::text as of, tgname as name, pg_get_triggerdef(oid) as is from pg_trigger where not tgisinternal order by 1, 2',
  );
  return { indexes, constraints, triggers };
}

describeWithDatabase('database dump', (open) => {
  let database: Database;
  let path: string;

  beforeAll(async () => {
    database = await open();
    await fill(database);
    const id = await buildUser(database, { name: 'Jane', userType: 'Admin' });
    await database.script(`
      insert into settings values ('email_config', '{"sealedPassword": "v1.sealed"}');
      insert into avatar values (${id}, 'a.png', decode('00ff0a5c09', 'hex'));
      insert into sessions (token_hash, user_id, address, created_time, last_used_time, expires_time, ends_time) values ('session-hash', ${id}, 'address', 1, 1, 1, 1);
      insert into export_ticket values ('ticket-hash', ${id}, '{}', 1);
      insert into password_reset values ('reset-hash', ${id}, 1, 1);
      insert into outbox (kind, recipient, subject, body, state, queued_time, next_time) values
        ('reset', 'a@example.org', 's', 'secret-link', 'queued', 1, 1), ('reset', 'b@example.org', 's', '', 'sent', 1, 1);`);
    // The chain of the audit log begins at the second entry.
    const entry = (subject: string, time: number) =>
      serviceEntry({ time, action: 'made_up', subject, after: '{"text":"line\\nfeed \\\\N"}' });
    for (const time of [0, 1, 2])
      await addEntries(database, chainKey, [entry(awkward.join(), time * keptDays * day)]);
    await removeOldEntries(database, chainKey, keptDays, 2 * keptDays * day);
    path = join(folder, 'all.sql.gz');
    await withSnapshot(database, (session) =>
      writeDumpFile(session, path, 1_700_000_000_000, signer),
    );
  });

  let copy: OpenDatabase;
  beforeAll(async () => {
    copy = await openEmpty();
  });
  beforeEach(() => copy.script('drop schema public cascade; create schema public'));
  afterAll(() => copy.close());
  const restore = (file = path, trusted = trust, replace = false) =>
    restoreDump({ database: copy, path: file, trust: trusted, replace });
  const readText = () => gunzipSync(readFileSync(path)).toString();

  /** Tables of which rows are excluded. */
  const shortLived = ['sessions', 'export_ticket', 'password_reset', 'outbox'];

  async function expectTheSame(): Promise<void> {
    expect(await allRows(copy)).toEqual(await allRows(database));
    const { rows: left } = await copy.query(
      `select ${shortLived.map((table) => `(select count(*) from ${table}) as ${table}`).join()}`,
    );
    expect(left).toEqual([{ sessions: 0, export_ticket: 0, password_reset: 0, outbox: 1 }]);
    expect(await verifyChain(copy, chainKey, [])).toMatchObject({ intact: true, firstId: 2 });
    // Clients that have read from the old one begin again.
    expect(await readEpoch(copy)).not.toEqual(await readEpoch(database));
    expect(await readSchema(copy)).toEqual(await readSchema(database));
    // The next row gets the next id.
    const addOne = `insert into stored_record (list, natural_key, part, content_hash, created_time, updated_time, own) values ('almalinux_patch', 'new', '', '', 0, 0, '{}') returning id`;
    expect((await copy.query(addOne)).rows).toEqual([{ id: 701 }]);
  }

  test('restores into an empty database: the same rows, indexes and ids', async () => {
    const { rows } = await restore();
    expect(rows).toBeGreaterThan(700);
    await expectTheSame();
    // Including the risk of the records that name the CVEs of the risk sources.
    const { rows: cves } = await copy.query('select cve, epss, title from vulnerabilities');
    expect(cves).toEqual([{ cve: riskyCve, epss: 0.1, title: awkward.join(' ') }]);
    const { rows: records } = await copy.query(
      'select count(*)::int as many, min(epss) as epss from all_patches where exploited',
    );
    expect(records).toEqual([{ many: 7, epss: 0.1 }]);
  });

  test('is restored by psql into an empty database: the same rows, indexes and ids', async () => {
    const plain = join(folder, 'plain.sql');
    writeFileSync(plain, readText());
    const { stderr } = await run(psql, ['-X', '-q', '-d', copy.url, '-f', plain]);
    expect(stderr).toBe('');
    await expectTheSame();
  });

  test('leaves a database empty when psql restores a truncated dump', async () => {
    const plain = join(folder, 'cut.sql');
    const text = readText();
    // Truncated at the end of a line, which psql takes for the end of the rows.
    const end = text.lastIndexOf('\n', Math.floor(text.length * 0.7)) + 1;
    writeFileSync(plain, text.slice(0, end));
    const { stdout } = await run(psql, ['-X', '-d', copy.url, '-f', plain]);
    expect(stdout).toContain('COPY');
    expect(await readDumpedTables(copy)).toEqual([]);
  });

  test('contains every list', async () => {
    const names = (await readDumpedTables(database)).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(catalogueLists.map(({ viewOf }) => viewOf ?? recordTable)),
    );
  });

  test('contains no session, ticket, link or waiting mail, and secrets only sealed', () => {
    for (const secret of ['session-hash', 'ticket-hash', 'reset-hash', 'secret-link'])
      expect(readText()).not.toContain(secret);
    expect(readText()).toContain('v1.sealed');
  });

  test('leaves a database that is not empty unchanged, unless it may be replaced, also by an uncompressed dump', async () => {
    await restore();
    await copy.script("delete from users; insert into settings values ('later', '1')");
    await expect(restore()).rejects.toThrow('with --replace');
    const plain = join(folder, 'plain-text.sql');
    writeFileSync(plain, readText());
    await restore(plain, trust, true);
    expect(await allRows(copy)).toEqual(await allRows(database));
    await copy.script(
      'drop schema public cascade; create schema public; create table somebodys (id int)',
    );
    await expect(restore(path, trust, true)).rejects.toThrow(
      'tables of another product (somebodys)',
    );
  });

  const writeDamaged = (damage: (text: string) => Buffer | string) => {
    const file = join(folder, 'broken.sql.gz');
    writeFileSync(file, damage(readText()));
    return file;
  };

  test.each<[string, (text: string) => Buffer | string, string]>([
    ['cut gzip', () => readFileSync(path).subarray(0, -200), 'cannot be unpacked'],
    ['cut text', (text) => text.slice(0, text.length / 2), 'it is damaged'],
    ['an end cut off', (text) => text.replace(/(\n-- end .{10})[^]*/, '$1'), 'ends too early'],
    ['no end', (text) => text.replace(/\n-- end .*/, '\n'), 'ends too early'],
    ['no checksum', (text) => text.replace(/\n-- crc32 [^]*/, '\n'), 'ends too early'],
    ['a tab less', (text) => text.replace('\tpart\t', 'part\t'), 'values instead of'],
    [
      'rows after its end',
      (text) => `${text}copy "users" ("id") from stdin;\n`,
      'Something follows',
    ],
    ['other content', () => 'select 1;\n', 'This is not a dump'],
    ['no content', () => '', 'The file is empty'],
    [
      'another format',
      (text) => text.replace('"format":2', '"format":1'),
      'The dump has format 1, of',
    ],
  ])('is not read to its end with %s', async (_, damage, words) => {
    const reading = Array.fromAsync(readDumpParts(writeDamaged(damage)));
    await expect(reading).rejects.toThrow(words);
  });

  test.each<[string, (text: string) => string, string | RegExp]>([
    [
      'a letter changed',
      (text) => text.replace(/(\n1\t.*key) 0 /, '$1 O '),
      'does not match its checksum',
    ],
    ['a row less', (text) => text.replace(/\n1\t.*key 0 .*\n/, '\n'), 'it is damaged'],
    [
      'another schema',
      (text) => text.replace(/"schema":"\d{3}-/, '"schema":"999-'),
      /The dump has the schema 999-[\da-f]{8}, of version .*; this version has the schema \d{3}-[\da-f]{8}\. Restore the dump with the version that made it/,
    ],
  ])('changes nothing when the dump has %s', async (_, damage, words) => {
    await copy.script('create table migration (name text); create table list_revision (list text)');
    const accepting = { publicKeys: [], acceptUnsigned: true };
    await expect(restore(writeDamaged(damage), accepting, true)).rejects.toThrow(words);
    expect((await copy.query('select name from migration')).rows).toEqual([]);
  });

  test('excludes every table of short-lived data', async () => {
    const names = /session|ticket|attempt|challenge|reset/;
    await database.transaction(async (session) => {
      for (const table of await readDumpedTables(session)) {
        if (!names.test(table.name)) continue;
        for await (const rows of readTableRows(session, table))
          expect(rows, table.name).toEqual([]);
      }
    });
  });

  test('reads cells of any text unchanged', () => {
    const cell = fc.oneof(
      fc.constant(null),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...awkward),
    );
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
        const line = copyLine(cells);
        expect(line).not.toContain('\n');
        expect(parseCopyLine(line)).toEqual(cells);
      }),
    );
  });
});

test('shows one moment while others continue to write', async () => {
  const database = await openEmpty();
  await database.script(
    'create table written (n bigint); insert into written select generate_series(1, 1000)',
  );
  const total = async (connection: Pick<Database, 'query'>) =>
    Number((await connection.query('select count(*) as n from written')).rows[0]?.['n']);
  await withSnapshot(database, async (session) => {
    expect(await total(session)).toBe(1000);
    await database.script('insert into written values (1001)');
    expect(await total(session)).toBe(1000);
    expect(await total(database)).toBe(1001);
  });
  await database.close();
});
