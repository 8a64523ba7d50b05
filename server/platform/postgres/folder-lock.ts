/**
 * Lets one service at a time use DATA_DIR. The owner of the lock may stop a PostgreSQL server that it finds there: its service is dead.
 * The lock is the operating system's lock on a file, taken through Node's SQLite: it is atomic, and it ends with the process, even
 * when that is killed.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../errors/startup-error.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  readonly command: string;
}

/** The folder is in use; the message names the owner. */
export class FolderInUse extends StartupError {
  override readonly name = 'FolderInUse';
}

export interface FolderLock {
  /** False once the folder was removed, or replaced by one that another service may have locked. */
  isOnFolder(): boolean;
  release(): void;
}

const busy = 5;

/** Keeps references to the locks: garbage collection would release them. */
const locks = new Set<DatabaseSync>();

export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const holderFile = join(folder, 'database-holder.json');
  const lockFile = join(folder, 'database.lock');
  const lock = new DatabaseSync(lockFile);
  try {
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: unknown }).errcode === busy)
      throw new FolderInUse(describeOwner(folder, readHolder(holderFile)));
    throw error;
  }
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    command: process.argv.slice(0, 3).join(' '),
  };
  writeFileSync(holderFile, JSON.stringify(holder));
  locks.add(lock);
  // No other file gets the number of this one while it is open.
  const readNumber = () => {
    const { dev, ino } = statSync(lockFile, { throwIfNoEntry: false }) ?? {};
    return ino === undefined ? null : `${dev} ${ino}`;
  };
  const number = readNumber();
  const isOnFolder = () => number !== null && readNumber() === number;
  return {
    isOnFolder,
    release() {
      if (!locks.delete(lock)) return;
      if (isOnFolder()) rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}

function readHolder(file: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Holder;
    // Throws for the file of a killed process; the current owner has yet to write its own.
    if (holder.host === hostname()) process.kill(holder.pid, 0);
    return holder;
  } catch {
    return null;
  }
}

function describeOwner(folder: string, holder: Holder | null): string {
  const problem = `The database in ${folder} is in use`;
  const advice =
    'Stop that process first, give this one another DATA_DIR, or let both use a PostgreSQL server (DATABASE_URL).';
  if (holder === null)
    return `${problem} by another process that is starting or stopping. ${advice}`;
  const owner =
    holder.pid === process.pid && holder.host === hostname()
      ? 'this process already'
      : `process ${holder.pid} on ${holder.host}`;
  return `${problem} by ${owner}, since ${holder.since} (${holder.command}). ${advice}`;
}
