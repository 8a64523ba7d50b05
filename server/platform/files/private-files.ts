/** Makes files of DATA_DIR private to the service's account: they contain password hashes, sealed secrets and the secret key. */
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';
import type { Log } from '../logging/logging.ts';

const folderMode = 0o700;
/** Lets the group of the folder pass through it, but not list or change it. */
const passableMode = 0o710;
/** PostgreSQL manages the modes of its files itself, and refuses a folder that others can enter. */
const postgresFolder = 'postgres';
const fileMode = 0o600;
const permissionBits = 0o777;

/** Entries that the service creates in DATA_DIR. Other files belong to an administrator; the mode of the folder protects them. */
const ownNames: ReadonlySet<string> = new Set([
  'database.lock',
  'database-holder.json',
  'downloads',
  'feed-cache',
  'feed-spool',
  'formats',
  'logs',
  'postgres',
  'secret.key',
  'trusted-keys',
]);

/** The audit anchors include files that restores have retired. */
export const isOwn = (name: string): boolean =>
  ownNames.has(name) || name.startsWith('audit-anchor.');

export interface PrivateFiles {
  /** Paths whose mode let others read or write, and was corrected. */
  readonly repaired: readonly string[];
  /** Paths whose mode lets others read or write and could not be corrected, with the reason. */
  readonly loose: readonly { readonly path: string; readonly reason: string }[];
}

/** Makes this process create private files and folders. Every command that writes to DATA_DIR calls it first. */
export function createPrivateFiles(): void {
  process.umask(0o077);
}

/**
 * Removes the permissions of group and others from the folder and from the service's files in it. Does not follow links, and
 * skips files that disappear meanwhile. Does nothing on Windows, where modes have no effect.
 * @param passingGroup - Of the other account as which a service started by root runs PostgreSQL: it passes through the folder to
 *   its own. Null: nobody else passes.
 */
export function repairModes(dataDir: string, passingGroup: number | null = null): PrivateFiles {
  const found: { repaired: string[]; loose: PrivateFiles['loose'][number][] } = {
    repaired: [],
    loose: [],
  };
  if (process.platform === 'win32') return found;
  if (isShared(dataDir)) {
    const reason =
      'It contains files of other programs, so its mode was not changed. Give the service a folder of its own.';
    if ((lstatSync(dataDir).mode & 0o077) !== 0) found.loose.push({ path: dataDir, reason });
    for (const name of readdirSync(dataDir)) if (isOwn(name)) repair(join(dataDir, name), found);
  } else {
    repair(dataDir, found, passingGroup === null ? folderMode : passableMode);
    if (passingGroup !== null) letPass(dataDir, passingGroup, found);
  }
  return found;
}

/** Logs the files that others could read or write. */
export function warnOfLooseModes({ repaired, loose }: PrivateFiles, log: Pick<Log, 'warn'>): void {
  if (repaired.length > 0)
    log.warn(
      { count: repaired.length, examples: repaired.slice(0, 5) },
      'other accounts of this machine could read or change files in DATA_DIR; their modes are corrected',
    );
  for (const { path, reason } of loose)
    log.warn({ path, reason }, 'other accounts of this machine may be able to read or change this');
}

/** DATA_DIR may be /srv or a home folder; a private mode would lock other programs out. */
function isShared(dataDir: string): boolean {
  return readdirSync(dataDir).some((name) => !isOwn(name) && name !== 'lost+found');
}

function letPass(
  dataDir: string,
  group: number,
  { loose }: { readonly loose: PrivateFiles['loose'][number][] },
): void {
  try {
    const { uid, gid } = lstatSync(dataDir);
    if (gid !== group) chownSync(dataDir, uid, group);
  } catch (error) {
    loose.push({ path: dataDir, reason: error instanceof Error ? error.message : String(error) });
  }
}

function repair(
  path: string,
  found: { repaired: string[]; loose: PrivateFiles['loose'][number][] },
  mode = folderMode,
): void {
  try {
    const info = lstatSync(path);
    if (!info.isDirectory() && !info.isFile()) return;
    const wanted = info.isDirectory() ? mode : fileMode & info.mode & permissionBits;
    if ((info.mode & 0o077 & ~wanted) !== 0) {
      chmodSync(path, wanted);
      found.repaired.push(path);
    } else if (info.isDirectory() && (info.mode & permissionBits) !== wanted)
      chmodSync(path, wanted);
    if (!info.isDirectory()) return;
    for (const name of readdirSync(path))
      if (name !== postgresFolder) repair(join(path, name), found);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    found.loose.push({ path, reason: error instanceof Error ? error.message : String(error) });
  }
}

const shownFiles = 3;

/** Files that an administrator may put there; reading them is enough. */
const readOnlyNames: ReadonlySet<string> = new Set(['secret.key', 'trusted-keys']);
/** @throws StartupError with the command that repairs it, unless the account is root or can use all files. */
export function assertUsableFiles(dataDir: string): void {
  const uid = process.getuid?.() ?? 0;
  if (uid === 0 || !existsSync(dataDir)) return;
  const foreign = canAccess(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    ? readdirSync(dataDir)
        .filter(isOwn)
        .flatMap((name) => findForeignFiles(join(dataDir, name), uid, name))
    : [dataDir];
  const [first] = foreign;
  if (first === undefined) return;
  const more = foreign.length > shownFiles ? ` and ${foreign.length - shownFiles} more` : '';
  const names = foreign
    .slice(0, shownFiles)
    .map((path) => relative(dataDir, path) || 'the folder itself');
  const [own, other] = [uid, lstatSync(first).uid].map(accountName);
  throw new StartupError(
    `DATA_DIR ${dataDir} contains files of the account ${other} that the account ${own} of this process cannot use (${names.join(', ')}${more}): the service ran as another account before. Nothing is lost. Run chown -R ${own} '${dataDir}' as root and start again, or start as the account that used it before.`,
  );
}

/** Returns the highest paths that the account cannot use. Follows no links. */
function findForeignFiles(path: string, uid: number, topName: string): readonly string[] {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined || !(info.isDirectory() || info.isFile())) return [];
  const isForeign = info.uid !== uid;
  // PostgreSQL requires that its account owns its folders, whatever their modes allow.
  if (isForeign && topName === postgresFolder) return [path];
  const wanted =
    constants.R_OK |
    (readOnlyNames.has(topName) ? 0 : constants.W_OK) |
    (info.isDirectory() ? constants.X_OK : 0);
  if (isForeign && !canAccess(path, wanted)) return [path];
  // PostgreSQL's account owns all files in its data folder, of which there are thousands.
  if (!info.isDirectory() || path.endsWith(join(postgresFolder, 'data'))) return [];
  return readdirSync(path).flatMap((name) => findForeignFiles(join(path, name), uid, topName));
}

function canAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Returns the account's name, or its id when it has none. */
function accountName(uid: number): string {
  const entries = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  const entry = entries.map((line) => line.split(':')).find(([, , id]) => id === String(uid));
  return entry?.[0] ?? String(uid);
}
