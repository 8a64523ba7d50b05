/** Starts of the service on one folder by root and by ordinary accounts, in turn. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, lchownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { childEnvironment } from '../../testing/child-environment.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

// Each start is a process with PostgreSQL: on a busy machine several take more than a minute.
vi.setConfig({ testTimeout: 300_000 });

/** Accounts that every Linux has, of neither the service nor PostgreSQL. */
const [daemon, bin] = [1, 2];
const root = 0;
const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let dataDir: string;
beforeEach(() => {
  const parent = temporaryFolder(onTestFinished);
  chmodSync(parent, 0o755);
  dataDir = join(parent, 'data');
  mkdirSync(dataDir);
});

function run(account: number, program: string) {
  const child = spawn(process.execPath, [toPath(program), join(dataDir, 'none.sql')], {
    uid: account,
    gid: account,
    env: { ...childEnvironment, PORT: '0', DATA_DIR: dataDir },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Returns the line of the start, after which the process is stopped, or the error. */
async function start(account: number): Promise<string> {
  const service = run(account, '../../main.ts');
  const output = await readUntil(service, / is ready at /);
  service.kill('SIGTERM');
  if (service.exitCode === null) await once(service, 'exit');
  return output;
}

async function readUntil(child: ChildProcess, words: RegExp): Promise<string> {
  let output = '';
  const ended = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (words.test(output)) ended.resolve();
    });
  child.once('close', () => ended.resolve());
  await ended.promise;
  return output;
}

/** Returns the output of a command at the terminal. */
const backup = (account: number) =>
  readUntil(run(account, '../../operations/backup/backup-main.ts'), /never/);

function chownAll(account: number): void {
  for (const path of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(dataDir, path), account, account);
  chownSync(dataDir, account, account);
}

const ready = / is ready at /;
const refused = (own: string) =>
  new RegExp(
    `^DATA_DIR .*/data contains files of the account \\w+ that the account ${own} of this process cannot use \\(.+\\).* Nothing is lost\\. Run chown -R ${own} '.*/data' as root and start again, or start as the account that used it before\\.\\n$`,
  );

const canChangeAccounts = process.getuid?.() === root && process.platform === 'linux';

describe.skipIf(!canChangeAccounts)('a folder that several accounts use in turn', () => {
  test('is used by root again, and by another account after the command that its refusal names', async () => {
    chownSync(dataDir, daemon, daemon);
    expect(await start(daemon)).toMatch(ready);
    expect(await start(root)).toMatch(ready);
    expect(await start(daemon)).toMatch(refused('daemon'));
    expect(await backup(daemon)).toMatch(refused('daemon'));
    chownAll(daemon);
    expect(await start(daemon)).toMatch(ready);
  });

  test('is refused to an account that owns the folder but not the files of root', async () => {
    mkdirSync(join(dataDir, 'logs'), { mode: 0o700 });
    writeFileSync(join(dataDir, 'secret.key'), 'A key', { mode: 0o600 });
    chownSync(dataDir, daemon, daemon);
    expect(await start(daemon)).toMatch(refused('daemon'));
    expect(await backup(daemon)).toMatch(refused('daemon'));
    chmodSync(dataDir, 0o700);
    expect(await backup(bin)).toMatch(refused('bin'));
  });

  test('may have a key and trusted keys of root that the account can read, and files of others', async () => {
    chownSync(dataDir, daemon, daemon);
    writeFileSync(join(dataDir, 'secret.key'), 'A key', { mode: 0o644 });
    mkdirSync(join(dataDir, 'trusted-keys'), { mode: 0o755 });
    writeFileSync(join(dataDir, 'trusted-keys', 'one.asc'), 'A key', { mode: 0o644 });
    writeFileSync(join(dataDir, 'notes.txt'), 'Not of the service', { mode: 0o600 });
    expect(await backup(daemon)).toMatch(/ contains no database\. /);
  });
});
