/** Kills services, and expects that their PostgreSQL ends without another start on the folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { kill } from '../../testing/killed-writer.ts';
import { findProcesses } from '../../testing/running-processes.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openDatabase } from '../database/schema/open-database.ts';
import { startGuard } from './server-guard.ts';

// Each service starts PostgreSQL: on a busy machine several take more than a minute.
vi.setConfig({ testTimeout: 300_000 });

const holder = fileURLToPath(new URL('../../testing/database-holder.ts', import.meta.url));
/** A busy machine writes its last checkpoint for some seconds. */
const soon = { timeout: 30_000, interval: 50 };
/** Each test begins with a copy of a stopped cluster. */
const template = temporaryFolder();
const copyTemplate = () => cpSync(template, dataDir, { recursive: true });
let dataDir: string;
beforeAll(async () => {
  await (await openDatabase({ dataDir: template, databaseUrl: null })).close();
});
beforeEach(() => {
  dataDir = temporaryFolder(onTestFinished);
  copyTemplate();
});

/** Starts a process with the embedded database. */
function startService(): ChildProcess {
  const service = spawn(process.execPath, [holder, dataDir, 'write'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => kill(service));
  return service;
}

const firstRow = (service: ChildProcess) =>
  once(createInterface({ input: service.stdout as NodeJS.ReadableStream }), 'line');

const postmasterFile = () => join(dataDir, 'postgres', 'data', 'postmaster.pid');
const readPostmaster = () =>
  existsSync(postmasterFile()) ? Number(readFileSync(postmasterFile(), 'utf8').split('\n')[0]) : 0;

async function untilRestarted(before: number): Promise<void> {
  while (readPostmaster() === before) await after(5);
}

const open = () => openDatabase({ dataDir, databaseUrl: null });

/** All programs of PostgreSQL have the folder in their command line. */
const servers = () => findProcesses(dataDir);

/** Starts PostgreSQL, and returns the rows of a query. */
async function readRows() {
  const database = await open();
  const { rows } = await database.query('select 1 as one');
  await database.close();
  return rows;
}

describe.skipIf(process.platform !== 'linux')('a killed service', () => {
  test('takes its server and the guard with it, and the next start has the rows', async () => {
    const guards = findProcesses('guard-of-postgres');
    const service = startService();
    await firstRow(service);
    const own = findProcesses('guard-of-postgres').filter((pid) => !guards.includes(pid));
    await kill(service);
    await expect.poll(servers, soon).toEqual([]);
    const running = () => findProcesses('guard-of-postgres').filter((pid) => own.includes(pid));
    await expect.poll(running, soon).toEqual([]);
    expect(existsSync(postmasterFile())).toBe(false);
    expect(await readRows()).toEqual([{ one: 1 }]);
  });

  test.each([
    ['before its server recovered', false],
    ['while its server recovered', true],
  ])('leaves nothing when it was killed %s', async (_, isRecovering) => {
    const service = startService();
    await firstRow(service);
    const before = readPostmaster();
    process.kill(before, 'SIGKILL');
    if (isRecovering) await untilRestarted(before);
    await kill(service);
    await expect.poll(servers, soon).toEqual([]);
    expect(await readRows()).toEqual([{ one: 1 }]);
  });

  test('leaves the server of the next service alone', async () => {
    const service = startService();
    await firstRow(service);
    await kill(service);
    const database = await open();
    const server = readPostmaster();
    // Longer than a guard watches for the end of its own server after the first signal.
    await after(3000);
    expect(readPostmaster()).toBe(server);
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await database.close();
  });
});

describe.skipIf(process.platform === 'win32')('startGuard', () => {
  /** Runs a program under a guard, which it tells its process id. */
  function run(program: string, ...args: string[]) {
    const guard = startGuard([1, 1, 1]);
    if (guard === null) throw new Error('This machine has no shell');
    const command = guard.wrap({ program, args });
    const child = spawn(command.program, command.args, {
      stdio: ['ignore', 'pipe', 'ignore', guard.pipe],
    });
    return { guard, child };
  }

  test('stops a program that ignores the first two signals', async () => {
    const { guard, child } = run(
      '/bin/sh',
      '-c',
      "trap '' INT QUIT; echo on; while :; do sleep 1; done",
    );
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    guard.close();
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  });

  test('keeps arguments with spaces and quotes, and closes its pipe in the program', async () => {
    const { guard, child } = run(
      '/bin/sh',
      '-c',
      'echo "$1"; { true >&3; } 2>/dev/null || echo closed',
      'name',
      `a 'b' "c" $d`,
    );
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    expect(output).toBe(`a 'b' "c" $d\nclosed\n`);
    guard.close();
  });
});

describe('a service whose folder was replaced', () => {
  test('leaves the server and the files of the service in the new folder alone', async () => {
    const first = await open();
    const before = readPostmaster();
    // The first server still runs in the removed folder.
    const away = `${dataDir}-away`;
    renameSync(dataDir, away);
    onTestFinished(() => rmSync(away, { recursive: true, force: true }));
    copyTemplate();
    const second = await open();
    const server = readPostmaster();
    process.kill(before, 'SIGINT');
    await after(2500);
    expect((await second.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await first.close();
    expect(readPostmaster()).toBe(server);
    const other = await open().catch((error: unknown) => String(error));
    expect(other).toMatch(/in use by this process already/);
    // A new connection, for which the socket must be there.
    const again = Array.from({ length: 4 }, () => second.query('select pg_sleep(0.2)'));
    await Promise.all(again);
    await second.close();
    expect(existsSync(postmasterFile())).toBe(false);
  });
});
