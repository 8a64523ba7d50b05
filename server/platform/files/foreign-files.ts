/** Refuses a DATA_DIR with files of another account, which a service that ran as root or as that account has left. */
import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';
import { isOwn } from './private-files.ts';

const shownFiles = 3;

/** Files that an administrator may put there; reading them is enough. */
const readOnlyNames: ReadonlySet<string> = new Set(['secret.key', 'trusted-keys']);
/** PostgreSQL requires that its account owns its folders, whatever their modes allow. */
const postgresFolder = 'postgres';

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
