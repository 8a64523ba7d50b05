/** The account that PostgreSQL runs as: it refuses root, so that a service started by root gives it another one. */
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lchownSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './postgres-error.ts';

export interface PostgresAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

const candidates = ['patch-repository', 'postgres', 'nobody'];

/** Null when this process is not root: PostgreSQL runs as the same user. */
export function postgresAccount(): PostgresAccount | null {
  if (process.getuid?.() !== 0) {
    assertEntry();
    return null;
  }
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of candidates) {
    const [, , uid, gid] = entries.find(([entry]) => entry === name) ?? [];
    if (Number(uid) > 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and this machine has none of the accounts ${candidates.join(', ')}. Start the service as an ordinary user, create one of these accounts, or set DATABASE_URL.`,
  );
}

/** initdb looks its account up by number. */
function assertEntry(): void {
  try {
    userInfo();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `PostgreSQL needs an account with a name, and the user ${process.getuid?.()} that this service runs as has none in /etc/passwd. Run it as a user that has one, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Gives a folder to the account. */
export function giveTo(account: PostgresAccount | null, folder: string): void {
  if (account !== null) chownSync(folder, account.uid, account.gid);
}

/** Gives a data folder to the account with everything in it, where a copy or a restored backup belongs to another. PostgreSQL refuses a mode that lets others in. */
export function takeOver(account: PostgresAccount | null, data: string): void {
  chmodSync(data, 0o700);
  if (account === null || statSync(data).uid === account.uid) return;
  // The folder itself comes last: an interrupted pass begins again.
  for (const path of readdirSync(data, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(data, path), account.uid, account.gid);
  giveTo(account, data);
}

const setpriv = '/usr/bin/setpriv';

/**
 * Lets a program run as the account. Folders of root above its files may be closed to it (a clone in /root): there it
 * keeps the one capability to read and pass folders.
 * @throws EmbeddedPostgresError where the account cannot reach a path.
 */
export function commandAs(
  account: PostgresAccount | null,
  program: string,
  args: readonly string[],
  paths: readonly string[],
): Command {
  if (account === null) return { program, args };
  const { uid, gid } = account;
  const closed = [program, ...paths].flatMap((path) => closedFolder(path, account) ?? []);
  if (closed.length === 0) return { program, args, uid, gid };
  if (!existsSync(setpriv) || !hasReadSearch())
    throw new EmbeddedPostgresError(
      `PostgreSQL runs as ${account.name}, since it refuses root, and ${account.name} cannot enter ${closed[0]}. Start the service as the owner of that folder, let others pass it (chmod o+x ${closed[0]}), or set DATABASE_URL.`,
    );
  const capability = '+dac_read_search';
  return {
    program: setpriv,
    args: [
      // Without it access(2) ignores the capability.
      '--securebits=+no_setuid_fixup',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=${capability}`,
      `--ambient-caps=${capability}`,
      program,
      ...args,
    ],
  };
}

/** The first folder on the way to a path that the account cannot pass. */
function closedFolder(path: string, { uid, gid }: PostgresAccount): string | null {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = statSync(folder);
    const passes = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & passes) === 0) return folder;
    if (dirname(folder) === folder) return null;
  }
}

const readSearchBit = 1n << 2n;

function hasReadSearch(): boolean {
  try {
    accessSync(setpriv, constants.X_OK);
    const found = /^CapEff:\s*([\da-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return found !== undefined && (BigInt(`0x${found}`) & readSearchBit) !== 0n;
  } catch {
    return false;
  }
}
