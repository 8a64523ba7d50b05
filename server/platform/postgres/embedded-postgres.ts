/** Runs the embedded PostgreSQL: a child process in DATA_DIR/postgres that ends with the service. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Log } from '../logging/logging.ts';
import {
  lastLines,
  postgresEnvironment,
  prepareCluster,
  refuseEarlierState,
  superuser,
} from './data-folder.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import {
  readPostmasterId,
  signalPostmaster,
  stopLeftover,
  stopPostmaster,
} from './leftover-postmaster.ts';
import { canConnect, makeOwnDatabase, ownDatabase } from './own-database-store.ts';
import {
  accessSettings,
  accessUrl,
  closeSocketFolder,
  openAccess,
  type PostgresAccess,
} from './postgres-access.ts';
import {
  changeOwner,
  closeToOthers,
  commandAs,
  type PostgresAccount,
  postgresAccount,
} from './postgres-account.ts';
import {
  EmbeddedPostgresError,
  findPostgresBinaries,
  isUnusable,
  type PostgresBinaries,
  programPath,
  unusableBinaryError,
} from './postgres-binaries.ts';
import { type PostgresSettings, smallMachine } from './postgres-settings.ts';
import { startGuard } from './server-guard.ts';

export interface EmbeddedPostgres {
  /** Address of the product's database, with the role that owns it, which has no superuser rights. */
  readonly url: string;
  /** Address of the same database, with the superuser. */
  readonly superuserUrl: string;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Absolute. */
  readonly dataDir: string;
  /** Override the defaults for a small machine. */
  readonly settings?: PostgresSettings;
  /** Windows, which has no sockets in folders, uses a port with a password. */
  readonly access?: PostgresAccess['kind'];
  /** Replace the binaries of the package for this platform. */
  readonly binaries?: PostgresBinaries;
  /** Absent: nothing is logged. The output of PostgreSQL is logged at level debug. */
  readonly log?: Pick<Log, 'debug' | 'info' | 'warn'>;
}

/** Limits of the delay between two attempts to restart the server. */
const minRestMs = 500;
const maxRestMs = 10_000;

/** Allows for a recovery after a power failure, which may read hundreds of megabytes. */
const startTimeoutMs = 10 * 60_000;
/** Children of a killed server end within this time. */
const sharedMemoryWaitMs = 20_000;

/**
 * @throws FolderInUse when another process has the folder.
 * @throws EmbeddedPostgresError when it cannot start, with advice.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  refuseEarlierState(options.dataDir);
  const supervisor = new Supervisor(options, lockFolder(options.dataDir));
  try {
    await supervisor.start();
    return supervisor;
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

const noLog = { debug: () => undefined, info: () => undefined, warn: () => undefined };
const isWindows = process.platform === 'win32';

class Supervisor implements EmbeddedPostgres {
  readonly #options: EmbeddedPostgresOptions;
  readonly #log: Pick<Log, 'debug' | 'info' | 'warn'>;
  readonly #lock: FolderLock;
  readonly #folder: string;
  #data = '';
  #account: PostgresAccount | null = null;
  #access: PostgresAccess | null = null;
  #server: ChildProcess | null = null;
  #binaries: PostgresBinaries | null = null;
  #stopping = false;
  /** Resolves when the server answers again or is stopped. */
  #restart: Promise<void> = Promise.resolve();
  /** Signals the server when the process exits without stopping it. */
  readonly #onExit = () => this.#signal('SIGINT');

  constructor(options: EmbeddedPostgresOptions, lock: FolderLock) {
    this.#options = options;
    this.#log = options.log ?? noLog;
    this.#lock = lock;
    this.#folder = join(options.dataDir, 'postgres');
  }

  get url(): string {
    return accessUrl(this.#requireAccess(), ownDatabase, ownDatabase);
  }

  get superuserUrl(): string {
    return accessUrl(this.#requireAccess(), superuser, ownDatabase);
  }

  async start(): Promise<void> {
    const { access = isWindows ? 'loopback' : 'socket', binaries = findPostgresBinaries() } =
      this.#options;
    this.#binaries = binaries;
    this.#account = postgresAccount();
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      closeToOthers(this.#folder);
      changeOwner(this.#account, this.#folder);
      this.#access = await openAccess(access, this.#folder, this.#account);
    } catch (error) {
      throw new EmbeddedPostgresError(
        `The folder ${this.#folder} of the database cannot be created: ${(error as Error).message}. Let this account write in DATA_DIR, give it another DATA_DIR, or set DATABASE_URL.`,
        { cause: error },
      );
    }
    const account = this.#account;
    this.#data = await prepareCluster({ binaries, account, folder: this.#folder, access });
    const started = performance.now();
    await this.#launch(binaries);
    const opened = this.#requireAccess();
    try {
      await makeOwnDatabase(
        accessUrl(opened, superuser, 'postgres'),
        opened.kind === 'loopback' ? opened.password : null,
      );
    } catch (error) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL in ${this.#folder} ended or failed after its start: ${(error as Error).message}. Nothing is lost; start again, or set DATABASE_URL.`,
        { cause: error },
      );
    }
    process.on('exit', this.#onExit);
    this.#log.info(
      { durationMs: Math.round(performance.now() - started), account: account?.name ?? null },
      'started the embedded PostgreSQL',
    );
  }

  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    process.off('exit', this.#onExit);
    await this.#end(this.#server);
    // A server that was restarting meanwhile is stopped too.
    await this.#restart;
    await this.#end(this.#server);
    if (this.#access?.kind === 'socket') closeSocketFolder(this.#access.folder);
    this.#lock.release();
  }

  #requireAccess(): PostgresAccess {
    if (this.#access === null) throw new Error('The embedded PostgreSQL is not started');
    return this.#access;
  }

  async #end(server: ChildProcess | null): Promise<void> {
    if (server !== null)
      await stopPostmaster(
        (name) => this.#signal(name, server),
        () => hasEnded(server),
      );
  }

  #signal(name: NodeJS.Signals, server = this.#server): void {
    if (server === null || hasEnded(server) || this.#binaries === null) return;
    if (server.pid !== undefined) signalPostmaster(this.#binaries, server.pid, name);
  }

  /** Stops the server of a killed service, which may have appeared since the last attempt when it was still starting. */
  async #stopLeftover(binaries: PostgresBinaries): Promise<void> {
    const { pid, socketFolder } = await stopLeftover(this.#data, binaries);
    if (pid !== null) this.#log.warn({ pid }, 'stopped the database of a service that was killed');
    const isOwn = this.#access?.kind === 'socket' && this.#access.folder === socketFolder;
    if (socketFolder !== null && !isOwn) closeSocketFolder(socketFolder);
  }

  /** Starts the server and waits until it answers. */
  async #launch(binaries: PostgresBinaries): Promise<void> {
    for (const deadline = performance.now() + sharedMemoryWaitMs; ; await after(250)) {
      // A server that is found in another folder at this path belongs to another service.
      if (!this.#lock.isOnFolder())
        throw new EmbeddedPostgresError(
          `${this.#options.dataDir} was removed or replaced while this service used it. Stop this service; start it again when no other one uses the folder.`,
        );
      await this.#stopLeftover(binaries);
      const postgres = programPath(binaries, 'postgres');
      const { server, output } = this.#spawn(postgres);
      this.#server = server;
      const failure = await this.#waitForAnswer(postgres, server, output);
      if (failure === null) {
        server.once('exit', () => this.#onEnd(binaries, output()));
        if (hasEnded(server)) this.#onEnd(binaries, output());
        return;
      }
      await this.#end(server);
      // Children of a killed server may not have noticed its end yet, or the server of a killed service was still starting.
      if (
        this.#stopping ||
        performance.now() > deadline ||
        !/shared memory block|lock file/.test(output())
      )
        throw failure;
    }
  }

  #spawn(postgres: string) {
    const settings = {
      ...smallMachine,
      ...this.#options.settings,
      ...accessSettings(this.#requireAccess()),
    };
    const command = commandAs(
      this.#account,
      postgres,
      [
        '-D',
        this.#data,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      [this.#data],
    );
    const guard = startGuard();
    const { program, args, ...as } = guard?.wrap(command) ?? command;
    const server = spawn(program, args, {
      ...as,
      // In its own process group or console, an interrupt at the terminal reaches only the service, which then stops the server.
      detached: !isWindows,
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe', ...(guard === null ? [] : [guard.pipe])],
      env: postgresEnvironment(),
    });
    for (const end of ['exit', 'error']) server.once(end, () => guard?.close());
    let output = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-8_000);
      this.#log.debug({ output: text }, 'the embedded PostgreSQL wrote');
    });
    // A running server does not keep the process alive.
    server.unref();
    (server.stderr as unknown as { unref?(): void }).unref?.();
    return { server, output: () => output };
  }

  /** Waits until the server answers. Returns null, or the reason why it does not answer. */
  async #waitForAnswer(
    postgres: string,
    server: ChildProcess,
    output: () => string,
  ): Promise<Error | null> {
    let broken: Error | null = null;
    server.once('error', (error) => {
      broken = error;
    });
    const url = accessUrl(this.#requireAccess(), superuser, 'postgres');
    for (
      const deadline = performance.now() + startTimeoutMs;
      performance.now() < deadline;
      await after(25)
    ) {
      if (broken !== null) return unusableBinaryError(postgres, broken);
      if (isUnusable(server.exitCode))
        return unusableBinaryError(postgres, new Error(lastLines(output())));
      if (hasEnded(server)) return this.#startFailure(output());
      // Another server of the folder may answer at the same address.
      if (readPostmasterId(this.#data) === server.pid && (await canConnect(url))) return null;
    }
    return this.#startFailure(`It did not answer within ${startTimeoutMs / 60_000} minutes.`);
  }

  #startFailure(output: string): EmbeddedPostgresError {
    const setting = Object.keys(this.#options.settings ?? {}).find((name) =>
      output.includes(`parameter "${name}"`),
    );
    const advice =
      setting === undefined
        ? 'Free disk space or correct the folder, restore a backup, or set DATABASE_URL.'
        : `Correct or remove ${setting} in POSTGRES_SETTINGS.`;
    return new EmbeddedPostgresError(
      `The embedded PostgreSQL in ${this.#folder} did not start: ${lastLines(output)} ${advice}`,
    );
  }

  /** Restarts a server that was killed or gave up, for example on a full disk. */
  #onEnd(binaries: PostgresBinaries, output: string): void {
    if (this.#stopping) return;
    this.#server = null;
    this.#log.warn({ output: lastLines(output) }, 'the embedded PostgreSQL ended');
    this.#restart = this.#restartServer(binaries);
  }

  async #restartServer(binaries: PostgresBinaries): Promise<void> {
    for (
      let restMs = 0;
      !this.#stopping;
      restMs = Math.min(Math.max(restMs * 2, minRestMs), maxRestMs)
    ) {
      await after(restMs, undefined, { ref: false });
      if (this.#stopping) return;
      try {
        await this.#launch(binaries);
        this.#log.info({}, 'started the embedded PostgreSQL again');
        return;
      } catch (error) {
        if (!this.#stopping)
          this.#log.warn({ err: error }, 'the embedded PostgreSQL does not start; will retry');
      }
    }
  }
}

const hasEnded = (server: ChildProcess) => server.exitCode !== null || server.signalCode !== null;
