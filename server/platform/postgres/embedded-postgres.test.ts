import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { killAndCheck } from '../../testing/killed-writer.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts';
import { findPostgresBinaries, programPath } from './postgres-binaries.ts';
import { parsePostgresSettings } from './postgres-settings.ts';

/** A data folder with a stopped cluster, which was created beside an incomplete one; most tests begin with a copy. */
const template = temporaryFolder();
let root: string;
/** The contents of the database folder after the creation. */
let created: readonly string[];
beforeAll(async () => {
  mkdirSync(join(template, 'postgres', 'new'), { recursive: true });
  writeFileSync(join(template, 'postgres', 'new', 'PG_VERSION'), '18\n');
  const server = await start(template);
  created = readdirSync(join(template, 'postgres')).toSorted();
  await server.stop();
});
beforeEach(() => {
  root = temporaryFolder(onTestFinished);
});

/** Copies the cluster. The copy belongs to the account of the test, like a backup restored by root. */
function copyTemplate(dataDir: string): void {
  cpSync(join(template, 'postgres'), join(dataDir, 'postgres'), { recursive: true });
}

/** Starts a server without fsync, unless `options` has settings. */
const start = (dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}) =>
  startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, ...options });

async function queryServer(url: string, text: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

const postmasterFile = (dataDir: string) => join(dataDir, 'postgres', 'data', 'postmaster.pid');

describe('startEmbeddedPostgres', () => {
  it('keeps rows over a restart, in a path with spaces, other letters and 150 characters', async () => {
    const dataDir = join(root, `Yamalar ğüşİ ${'x'.repeat(150)}`);
    mkdirSync(dataDir);
    copyTemplate(dataDir);
    const first = await start(dataDir);
    await queryServer(first.url, 'create table example as select 42 as value');
    await first.stop();
    const second = await start(dataDir);
    expect(await queryServer(second.url, 'select value from example')).toEqual([{ value: 42 }]);
    await second.stop();
    expect(existsSync(postmasterFile(dataDir))).toBe(false);
  });

  it('opens a socket in a private folder and no port, for a role without superuser rights', async () => {
    copyTemplate(root);
    const server = await start(root, { settings: { work_mem: '7MB' } });
    const [found] = await queryServer(
      server.url,
      `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
         current_setting('full_page_writes') as pages, current_setting('work_mem') as work,
         (select rolsuper from pg_roles where rolname = current_user) as superuser,
         (select string_agg(letter, '' order by letter) from unnest(array['b','a','Z','ş','z']) as letter) as letters`,
    );
    expect(found).toEqual({
      addresses: '',
      fsync: 'on',
      pages: 'on',
      work: '7MB',
      superuser: false,
      letters: 'Zabzş',
    });
    expect(statSync(join(root, 'postgres')).mode & 0o077).toBe(0);
    expect(statSync(join(root, 'postgres', 'run')).mode & 0o077).toBe(0);
    await server.stop();
  });

  it('requires its password on a loopback port', async () => {
    const server = await start(root, { access: 'loopback' });
    expect(await queryServer(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    const wrong = new URL(server.url);
    wrong.password = 'guessed';
    await expect(queryServer(wrong.href, 'select 1')).rejects.toThrow(
      /password authentication failed/,
    );
    expect(statSync(join(root, 'postgres', 'password')).mode & 0o077).toBe(0);
    await server.stop();
  });

  it('refuses a second service on the folder and names the first', async () => {
    copyTemplate(root);
    const server = await start(root);
    await expect(start(root)).rejects.toThrow(/in use by this process already.*DATABASE_URL/s);
    await server.stop();
  });

  // killed-writer.long.ts kills the server, and both, while rows are written.
  it('stops the server of a killed service, and keeps the rows that it acknowledged', async () => {
    copyTemplate(root);
    const { acknowledged, last, rows } = await killAndCheck(root, 'service', 'write', 100);
    expect(last).toBeGreaterThanOrEqual(acknowledged);
    expect(rows).toBe(last);
  });

  it('restarts a killed server, and retries until it starts', async () => {
    copyTemplate(root);
    const settings = join(root, 'postgres', 'data', 'postgresql.conf');
    const before = readFileSync(settings);
    const messages: string[] = [];
    const addMessage = (_: unknown, words?: string) => void messages.push(words ?? '');
    const server = await start(root, {
      log: { debug: addMessage, info: addMessage, warn: addMessage },
    });
    await queryServer(server.url, 'create table example as select 42 as value');
    appendFileSync(settings, '\nno_such_setting = 1\n');
    const [pid = ''] = readFileSync(postmasterFile(root), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
    await expect
      .poll(() => messages, { timeout: 60_000 })
      .toContain('the embedded PostgreSQL does not start; will retry');
    writeFileSync(settings, before);
    await expect
      .poll(() => messages, { timeout: 60_000 })
      .toContain('started the embedded PostgreSQL again');
    expect(await queryServer(server.url, 'select value from example')).toEqual([{ value: 42 }]);
    await server.stop();
  });

  it('ignores a stale postmaster.pid, even when another program has its process id', async () => {
    copyTemplate(root);
    writeFileSync(postmasterFile(root), `${process.pid}\n${root}\n1\n5432\n\n\n`);
    const server = await start(root);
    expect(await queryServer(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('refuses the data folder of another major version and names the two commands', async () => {
    copyTemplate(root);
    writeFileSync(join(root, 'postgres', 'data', 'PG_VERSION'), '17\n');
    await expect(start(root)).rejects.toThrow(
      /made by PostgreSQL 17; this version brings PostgreSQL \d+.*npm run backup.*npm run restore/s,
    );
  });

  it('refuses a database of an earlier state', async () => {
    mkdirSync(join(root, 'database'));
    writeFileSync(join(root, 'database', 'PG_VERSION'), '17\n');
    await expect(start(root)).rejects.toThrow(/before the first release.*another DATA_DIR/s);
  });

  it('reports the message of PostgreSQL when it cannot start, and releases the folder', async () => {
    copyTemplate(root);
    const settings = join(root, 'postgres', 'data', 'postgresql.conf');
    const before = readFileSync(settings);
    appendFileSync(settings, '\nno_such_setting = 1\n');
    await expect(start(root)).rejects.toThrow(/did not start: .*no_such_setting.*DATABASE_URL/s);
    writeFileSync(settings, before);
    await (await start(root)).stop();
  });

  it('reports a setting of POSTGRES_SETTINGS that PostgreSQL refuses', async () => {
    copyTemplate(root);
    for (const settings of [{ nonsense_setting: '4' }, { work_mem: 'much' }, { work_mem: '1kB' }])
      await expect(start(root, { settings })).rejects.toThrow(
        new RegExp(`Correct or remove ${Object.keys(settings)[0]} in POSTGRES_SETTINGS\\.$`),
      );
  });

  it('reports that its folder cannot be created, with advice', async () => {
    writeFileSync(join(root, 'postgres'), '');
    await expect(start(root)).rejects.toThrow(
      /cannot be created.*another DATA_DIR, or set DATABASE_URL/,
    );
  });

  /** Writes programs to a folder that the account of PostgreSQL can enter. */
  function foreignBinaries(content: string) {
    const folder = join(root, 'foreign');
    mkdirSync(join(folder, 'bin'), { recursive: true });
    chmodSync(root, 0o755);
    for (const program of ['initdb', 'postgres'])
      writeFileSync(join(folder, 'bin', program), content, { mode: 0o755 });
    const [major = ''] = readFileSync(
      join(template, 'postgres', 'data', 'PG_VERSION'),
      'utf8',
    ).split('\n');
    return { folder, major: Number(major) };
  }

  it.each([
    ['needs a missing C library', '#!/lib/ld-of-another-library.so.1\n'],
    ['lacks a library', '#!/bin/sh\necho "error while loading shared libraries" >&2\nexit 127\n'],
  ])(
    'reports that PostgreSQL does not run here when its program %s, with advice',
    async (_, content) => {
      const binaries = foreignBinaries(content);
      const sentence = /does not run on this machine.*glibc.*DATABASE_URL/s;
      const dataDir = join(root, 'data');
      await expect(start(dataDir, { binaries })).rejects.toThrow(sentence);
      copyTemplate(dataDir);
      await expect(start(dataDir, { binaries })).rejects.toThrow(sentence);
      await (await start(dataDir)).stop();
    },
  );

  it('advises DATABASE_URL when its program is for another processor', async () => {
    const foreignElf = `\x7fELF\x02\x01\x01${'\0'.repeat(9)}\x03\0\xf3\0${'\0'.repeat(44)}`;
    const binaries = foreignBinaries(foreignElf);
    await expect(start(join(root, 'data'), { binaries })).rejects.toThrow(/DATABASE_URL/);
  });

  it('stops a server that a killed service was starting, and starts its own', async () => {
    const postgres = programPath(findPostgresBinaries(), 'postgres');
    // The first call finds no server, and another one is ready before its own.
    const binaries = foreignBinaries(`#!/bin/sh
if mkdir "$2/started"; then
  "${postgres}" "$@" &
  until grep -q ready "$2/postmaster.pid"; do sleep 0.1; done
  sleep 1
fi
exec "${postgres}" "$@"
`);
    copyTemplate(root);
    const server = await start(root, { binaries });
    const [pid = ''] = readFileSync(postmasterFile(root), 'utf8').split('\n');
    const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    expect(Number(parent)).toBe(process.pid);
    await server.stop();
  });

  it('replaces an incomplete cluster of a killed initdb', () => {
    expect(created).toEqual(['data', 'run']);
  });
});

describe('findPostgresBinaries', () => {
  it.each([
    ['sunos', 'x64'],
    ['linux', 'mips'],
  ])('reports that %s on %s has no package, with advice', (platform, processor) => {
    expect(() => findPostgresBinaries(platform, processor)).toThrow(
      /is not installed.*DATABASE_URL.*version 15/s,
    );
  });
});

describe('parsePostgresSettings', () => {
  it('reads single settings', () => {
    expect(parsePostgresSettings('shared_buffers=128MB, work_mem = 64MB')).toEqual({
      shared_buffers: '128MB',
      work_mem: '64MB',
    });
  });

  it.each([
    'listen_addresses=*',
    'port=5432',
    'unix_socket_directories=/tmp',
    'work_mem',
    '=1',
    'a=b;c',
  ])('refuses %s', (text) => {
    expect(parsePostgresSettings(text)).toBeNull();
  });
});
