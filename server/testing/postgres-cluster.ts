/**
 * Starts a temporary PostgreSQL server for tests from installed binaries, never the system's own cluster, and removes it completely.
 * Binaries are searched in PATH and in Debian's folder. `apt-get install postgresql` installs them (with `create_main_cluster = false`
 * in /etc/postgresql-common/createcluster.conf it starts no cluster).
 */
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { postgresAccount } from '../platform/postgres/postgres-account.ts';
import { type RunningServer, runProgram, startServer } from './postgres-process.ts';

export interface Cluster extends RunningServer {
  /** Starts a streaming replica of this server. It ends with the cluster. */
  addReplica(settings?: ServerSettings): Promise<RunningServer>;
  stop(): Promise<void>;
}

export type ServerSettings = Readonly<Record<string, string>>;

/** Faster settings, since tests need no safety against power failures. */
const fastSettings: ServerSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '60',
};

/** Returns the folder of the newest binaries; null when no PostgreSQL server is installed. */
export function findBinaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const programs = ['initdb', 'postgres', 'pg_basebackup'];
  return (
    folders.find((folder) => programs.every((program) => existsSync(join(folder, program)))) ?? null
  );
}

export async function startCluster(
  binaries: string,
  settings: ServerSettings = {},
): Promise<Cluster> {
  const owner = postgresAccount();
  const root = await mkdtemp(join(tmpdir(), 'patch-postgres-'));
  if (owner !== null) await chown(root, owner.uid, owner.gid);
  const location = { binaries, root };
  const folder = join(root, 'cluster');
  const replicas: RunningServer[] = [];
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    await runProgram(location, 'initdb', [
      '-D',
      folder,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ]);
    const primary = await startServer(location, folder, { ...fastSettings, ...settings });
    return {
      ...primary,
      async addReplica(own = {}) {
        const copy = join(root, `replica-${replicas.length}`);
        await runProgram(location, 'pg_basebackup', [
          '-d',
          primary.url,
          '-D',
          copy,
          '-R',
          '-X',
          'stream',
          '-c',
          'fast',
          '--no-sync',
        ]);
        const replica = await startServer(location, copy, { ...fastSettings, ...settings, ...own });
        replicas.push(replica);
        return replica;
      },
      async stop() {
        await Promise.all([primary, ...replicas].map((server) => server.goAway()));
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
