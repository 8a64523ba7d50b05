/** Another account of the same machine reaches only the address of a running service. */
import { chmodSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceProcess } from '../testing/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const password = 'Correct-horse-7';
const secretKey = 'a secret of thirty-two characters and more';
/** An account of neither the service nor PostgreSQL: `daemon` on most systems. */
const neighbour = 1;
const isRoot = process.geteuid?.() === 0;

describe.skipIf(process.platform !== 'linux')('another account of the machine', () => {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  let service: ServiceProcess;
  let url: string;
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    const environment = {
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      ADMIN_EMAIL: 'admin@example.org',
      ADMIN_PASSWORD: password,
    };
    service = new ServiceProcess(environment, folder);
    url = await service.ready();
    await makeDump();
  }, 300_000);
  afterAll(() => service.stop());

  async function makeDump(): Promise<void> {
    const { call } = await service.signIn('admin', password);
    await call('/downloads', { kind: 'database_dump' });
    for (;;) {
      const downloads = JSON.stringify(await call('/downloads'));
      if (downloads.includes('"done"')) return;
      if (!/"queued"|"running"/.test(downloads)) throw new Error(downloads);
      await pause(100);
    }
  }

  /** An ordinary user cannot become another one, so the modes are checked instead. */
  async function isClosed(path: string): Promise<boolean> {
    const info = lstatSync(path);
    if (!isRoot) return isPrivate(path);
    process.setegid?.(neighbour);
    process.seteuid?.(neighbour);
    try {
      return info.isSocket() ? await refusesConnection(path) : refusesReader(path);
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  }

  /** Returns whether its own mode, or that of a parent folder, excludes other accounts. */
  function isPrivate(path: string): boolean {
    if ((lstatSync(path).mode & 0o077) === 0) return true;
    return path !== dataDir && isPrivate(join(path, '..'));
  }

  const everyPath = () => [
    dataDir,
    ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) =>
      join(dataDir, name),
    ),
  ];

  test('reads no file and no folder in DATA_DIR, and does not reach the socket of the database', async () => {
    const paths = everyPath();
    const names = paths.map((path) => path.slice(dataDir.length + 1));
    for (const expected of [
      /^downloads\/job-\d+\.gz$/,
      /^logs\/server\.log$/,
      /\/\.s\.PGSQL\.\d+$/,
      /PG_VERSION$/,
    ])
      expect(
        names.some((name) => expected.test(name)),
        String(expected),
      ).toBe(true);
    const open: string[] = [];
    for (const path of paths) if (!(await isClosed(path))) open.push(path);
    expect(open).toEqual([]);
  });

  test('finds no secret in the command lines of the processes, and does not read their environments', async () => {
    const readable: number[] = [];
    for (const pid of processes()) {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      expect(line).not.toContain(password);
      expect(line).not.toContain(secretKey);
      // The kernel shows an environment to its own account only, whatever the file's mode.
      if (isRoot && !(await isClosed(`/proc/${pid}/environ`))) readable.push(pid);
    }
    expect(readable).toEqual([]);
    const [, ...children] = processes();
    const lines = children.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    // The server and the shell that guards it.
    expect(lines).toContainEqual(expect.stringMatching(/bin\/postgres\0/));
    expect(lines).toContainEqual(expect.stringMatching(/guard-of-postgres\0/));
    for (const pid of children)
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(secretKey);
  });

  test('finds one port, on the loopback address, that of the service itself', () => {
    const { port } = new URL(url);
    expect(processes().length).toBeGreaterThan(3);
    expect(processes().flatMap(listeners)).toEqual([`0100007F:${hex(Number(port))}`]);
  });

  /** Returns the process ids: the service first, then the postmaster and its children. */
  function processes(): readonly number[] {
    const parents = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
          return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])] as const];
        } catch {
          return [];
        }
      });
    const listDescendants = (parent: number): readonly number[] =>
      parents
        .filter(([, parentId]) => parentId === parent)
        .flatMap(([pid]) => [pid, ...listDescendants(pid)]);
    const own = service.child.pid ?? 0;
    return [own, ...listDescendants(own)];
  }
});

function refusesReader(path: string): boolean {
  try {
    openSync(path, 'r');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

function refusesConnection(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EACCES'));
  });
}

const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

/** Returns the IPv4 and IPv6 addresses on which the process listens, as the kernel writes them. */
function listeners(pid: number): readonly string[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  const listening = '0A';
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = '']) => state === listening && sockets.has(inode))
      .map(([, address = '']) => address),
  );
}
