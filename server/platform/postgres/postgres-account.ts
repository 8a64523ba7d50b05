/** The account of PostgreSQL, which refuses root: a service started by root runs it as another account. */
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
import { EmbeddedPostgresError } from './postgres-binaries.ts';

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

/**
 * Returns null when this process is not root: PostgreSQL runs as the same user.
 * @throws EmbeddedPostgresError when no account is suitable.
 */
export function postgresAccount(): PostgresAccount | null {
  if (process.getuid?.() !== 0) {
    assertAccountEntry();
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
    `PostgreSQL does not run as root, and this machine lacks the accounts ${candidates.join(', ')}. Start the service as an ordinary user, create one of these accounts, or set DATABASE_URL.`,
  );
}

/** Requires an entry in /etc/passwd: initdb looks its account up by id. */
function assertAccountEntry(): void {
  try {
    userInfo();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `PostgreSQL needs an account with a name, and user ${process.getuid?.()} of this service has no entry in /etc/passwd. Run the service as a user with an entry, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Makes a folder private. A process that does not own it, such as root without all rights of root, may not even repeat its mode. */
export function closeToOthers(folder: string): void {
  if ((statSync(folder).mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

/** Makes the account the owner of a folder. */
export function changeOwner(account: PostgresAccount | null, folder: string): void {
  if (account !== null && statSync(folder).uid !== account.uid)
    chownSync(folder, account.uid, account.gid);
}

/** Makes the account the owner of a copied or restored data folder and its files. PostgreSQL refuses a mode that lets others in. */
export function changeOwnerOfAll(account: PostgresAccount | null, data: string): void {
  closeToOthers(data);
  if (account === null || statSync(data).uid === account.uid) return;
  // The folder itself comes last, so that an interrupted pass starts again.
  for (const path of readdirSync(data, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(data, path), account.uid, account.gid);
  changeOwner(account, data);
}

const setpriv = '/usr/bin/setpriv';

/**
 * Returns the command that runs a program as the account. If folders of root above its files are closed to the account (a
 * clone in /root), the program retains the one capability to read and pass folders.
 * @throws EmbeddedPostgresError when the account cannot reach a path.
 */
export function commandAs(
  account: PostgresAccount | null,
  program: string,
  args: readonly string[],
  paths: readonly string[],
): Command {
  if (account === null) return { program, args };
  const { uid, gid } = account;
  const closed = [program, ...paths].flatMap((path) => findClosedFolder(path, account) ?? []);
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

/** Returns the nearest folder above a path that the account cannot enter; null when it can enter all. */
function findClosedFolder(path: string, { uid, gid }: PostgresAccount): string | null {
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
