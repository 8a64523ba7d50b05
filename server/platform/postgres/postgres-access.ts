/** Access to the embedded PostgreSQL: a socket in a private folder or, on Windows, a loopback port with a password. */
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { changeOwner, closeToOthers, type PostgresAccount } from './postgres-account.ts';

export type PostgresAccess =
  /** The port is part of the socket's name alone. */
  | { readonly kind: 'socket'; readonly folder: string; readonly port: number }
  | { readonly kind: 'loopback'; readonly port: number; readonly password: string };

/** Maximum bytes of a socket's path, less the file name that PostgreSQL appends. */
const maxSocketFolder = 107 - '/.s.PGSQL.65535'.length;
const temporaryPrefix = 'patch-postgres-';

/** @param folder - The private folder of the embedded PostgreSQL in DATA_DIR. */
export async function openAccess(
  kind: PostgresAccess['kind'],
  folder: string,
  account: PostgresAccount | null,
): Promise<PostgresAccess> {
  if (kind === 'loopback') return { kind, port: await freePort(), password: readPassword(folder) };
  // A server removes its socket by name when it ends: this name is not that of another server, of a folder that was here before.
  const port = randomInt(1024, 65_536);
  const own = join(folder, 'run');
  if (Buffer.byteLength(own) <= maxSocketFolder) {
    mkdirSync(own, { recursive: true, mode: 0o700 });
    closeToOthers(own);
    changeOwner(account, own);
    return { kind, folder: own, port };
  }
  const short = mkdtempSync(join(tmpdir(), temporaryPrefix));
  changeOwner(account, short);
  return { kind, folder: short, port };
}

/** Removes the folder of a socket if it is outside DATA_DIR. */
export function closeSocketFolder(folder: string): void {
  if (basename(folder).startsWith(temporaryPrefix))
    rmSync(folder, { recursive: true, force: true });
}

/** Path of the file with the password, which initdb reads too. */
export const passwordFile = (folder: string): string => join(folder, 'password');

function readPassword(folder: string): string {
  const file = passwordFile(folder);
  if (!existsSync(file))
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** Returns options of `postgres` that open this access only. */
export function accessSettings(access: PostgresAccess): Readonly<Record<string, string>> {
  return access.kind === 'socket'
    ? {
        listen_addresses: '',
        port: String(access.port),
        unix_socket_directories: access.folder,
        unix_socket_permissions: '0700',
      }
    : {
        listen_addresses: '127.0.0.1',
        port: String(access.port),
        unix_socket_directories: '',
      };
}

export function accessUrl(access: PostgresAccess, role: string, database: string): string {
  return access.kind === 'socket'
    ? `postgres://${role}@localhost:${access.port}/${database}?host=${encodeURIComponent(access.folder)}`
    : `postgres://${role}:${access.password}@127.0.0.1:${access.port}/${database}`;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : 0),
      );
    });
  });
}
