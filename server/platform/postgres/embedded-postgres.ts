/** The service's own PostgreSQL: a child process in DATA_DIR/postgres that ends with the service. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
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
import { signalPostmaster, stopLeftover, stopPostmaster } from './leftover-postmaster.ts';
import { answers, makeOwnDatabase, ownDatabase } from './own-database-store.ts';
import {
  accessSettings,
  accessUrl,
  closeSocketFolder,
  openAccess,
  type PostgresAccess,
} from './postgres-access.ts';
import { commandAs, giveTo, type PostgresAccount, postgresAccount } from './postgres-account.ts';
import {
  findPostgresBinaries,
  isUnusable,
  type PostgresBinaries,
  programPath,
  unusableBinary,
} from './postgres-binaries.ts';
import { EmbeddedPostgresError } from './postgres-error.ts';
import { type PostgresSettings, smallMachine } from './postgres-settings.ts';

export interface EmbeddedPostgres {
  /** Address of the product's database, as a role that owns it and is no superuser. */
  readonly url: string;
  /** The same database, as the superuser. */
  readonly superuserUrl: string;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Absolute. */
  readonly dataDir: string;
  /** Beside those of a small machine. */
  readonly settings?: PostgresSettings;
  /** A port with a password is for Windows, which has no sockets in folders. */
  readonly access?: PostgresAccess['kind'];
  /** Others than those of the package for this platform. */
  readonly binaries?: PostgresBinaries;
  /** Nothing is logged when absent. What PostgreSQL itself writes is logged as debug. */
  readonly log?: Pick<Log, 'debug' | 'info' | 'warn'>;
}

/** Between two attempts to start a server again. */
const minRestMs = 500;
const maxRestMs = 10_000;

/** A recovery after a power failure may read hundreds of megabytes. */
const startTimeoutMs = 10 * 60_000;
/** Processes of a killed server see its end within this time. */
const sharedMemoryWaitMs = 20_000;

/**
 * @throws FolderInUse when another process has the folder.
 * @throws EmbeddedPostgresError in a sentence that says what to do.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  refuseEarlierState(options.dataDir);
  const lock = lockFolder(options.dataDir);
  try {
    const supervisor = new Supervisor(options, lock);
    await supervisor.start();
    return supervisor;
  } catch (error) {
    lock.release();
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
  /** Ends when the server answers again, or is stopped. */
  #restart: Promise<void> = Promise.resolve();
  /** A process that ends without stopping the server asks it to stop by itself. */
  readonly #onExit = () => this.#signal('SIGINT');

  constructor(options: EmbeddedPostgresOptions, lock: FolderLock) {
    this.#options = options;
    this.#log = options.log ?? noLog;
    this.#lock = lock;
    this.#folder = join(options.dataDir, 'postgres');
  }

  get url(): string {
    return accessUrl(this.#opened(), ownDatabase, ownDatabase);
  }

  get superuserUrl(): string {
    return accessUrl(this.#opened(), superuser, ownDatabase);
  }

  async start(): Promise<void> {
    const { access = isWindows ? 'loopback' : 'socket', binaries = findPostgresBinaries() } =
      this.#options;
    this.#binaries = binaries;
    this.#account = postgresAccount();
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      chmodSync(this.#folder, 0o700);
      giveTo(this.#account, this.#folder);
      this.#access = await openAccess(access, this.#folder, this.#account);
    } catch (error) {
      throw new EmbeddedPostgresError(
        `The folder ${this.#folder} of the database cannot be made: ${(error as Error).message}. Let this account write in DATA_DIR, give it another DATA_DIR, or set DATABASE_URL.`,
        { cause: error },
      );
    }
    const account = this.#account;
    this.#data = await prepareCluster({ binaries, account, folder: this.#folder, access });
    const { pid, socketFolder } = await stopLeftover(this.#data, binaries);
    if (pid !== null) this.#log.warn({ pid }, 'stopped the database of a service that was killed');
    if (socketFolder !== null) closeSocketFolder(socketFolder);
    const started = performance.now();
    await this.#launch(binaries);
    const opened = this.#opened();
    await makeOwnDatabase(
      accessUrl(opened, superuser, 'postgres'),
      opened.kind === 'loopback' ? opened.password : null,
    );
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
    // A server that was being started again meanwhile is ended as well.
    await this.#restart;
    await this.#end(this.#server);
    if (this.#access?.kind === 'socket') closeSocketFolder(this.#access.folder);
    this.#lock.release();
  }

  #opened(): PostgresAccess {
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

  /** Starts the server and waits until it answers. */
  async #launch(binaries: PostgresBinaries): Promise<void> {
    for (const until = performance.now() + sharedMemoryWaitMs; ; await after(250)) {
      const { server, output } = this.#spawn(programPath(binaries, 'postgres'));
      this.#server = server;
      const failure = await this.#answered(server, output);
      if (failure === null) {
        server.once('exit', () => this.#onEnd(binaries, output()));
        if (hasEnded(server)) this.#onEnd(binaries, output());
        return;
      }
      await this.#end(server);
      // Children of a killed server have not noticed its end yet.
      if (
        this.#stopping ||
        performance.now() > until ||
        !/shared memory block|is another postmaster/.test(output())
      )
        throw failure;
    }
  }

  #spawn(postgres: string) {
    const settings = {
      ...smallMachine,
      ...this.#options.settings,
      ...accessSettings(this.#opened()),
    };
    const { program, args, ...as } = commandAs(
      this.#account,
      postgres,
      [
        '-D',
        this.#data,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      [this.#data],
    );
    const server = spawn(program, args, {
      ...as,
      // A group of its own, or a console of its own: an interrupt at the terminal reaches the service, which stops the server when it is done.
      detached: !isWindows,
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: postgresEnvironment(),
    });
    let output = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-8_000);
      this.#log.debug({ output: text }, 'the embedded PostgreSQL wrote');
    });
    // The server alone keeps no process alive.
    server.unref();
    (server.stderr as unknown as { unref?(): void }).unref?.();
    return { server, output: () => output };
  }

  /** @returns null once the server answers, or why it does not. */
  async #answered(server: ChildProcess, output: () => string): Promise<Error | null> {
    let broken: Error | null = null;
    server.once('error', (error) => {
      broken = error;
    });
    const url = accessUrl(this.#opened(), superuser, 'postgres');
    for (
      const until = performance.now() + startTimeoutMs;
      performance.now() < until;
      await after(25)
    ) {
      if (broken !== null) return unusableBinary(server.spawnfile, broken);
      if (isUnusable(server.exitCode))
        return unusableBinary(server.spawnfile, new Error(lastLines(output())));
      if (hasEnded(server)) return this.#startFailure(output());
      if (await answers(url)) return null;
    }
    return this.#startFailure(`It did not answer within ${startTimeoutMs / 60_000} minutes.`);
  }

  #startFailure(output: string): EmbeddedPostgresError {
    return new EmbeddedPostgresError(
      `The embedded PostgreSQL in ${this.#folder} did not start: ${lastLines(output)} Make room or correct the folder, restore a backup, or set DATABASE_URL.`,
    );
  }

  /** Starts a server again that was killed, or that gave up: on a full disk, until there is room. */
  #onEnd(binaries: PostgresBinaries, output: string): void {
    if (this.#stopping) return;
    this.#server = null;
    this.#log.warn({ output: lastLines(output) }, 'the embedded PostgreSQL ended');
    this.#restart = this.#startAgain(binaries);
  }

  async #startAgain(binaries: PostgresBinaries): Promise<void> {
    for (
      let restMs = 0;
      !this.#stopping;
      restMs = Math.min(Math.max(restMs * 2, minRestMs), maxRestMs)
    ) {
      await after(restMs, undefined, { ref: false });
      if (this.#stopping) return;
      try {
        await stopLeftover(this.#data, binaries);
        await this.#launch(binaries);
        this.#log.info({}, 'started the embedded PostgreSQL again');
        return;
      } catch (error) {
        if (!this.#stopping)
          this.#log.warn(
            { err: error },
            'the embedded PostgreSQL does not start; it is tried again',
          );
      }
    }
  }
}

const hasEnded = (server: ChildProcess) => server.exitCode !== null || server.signalCode !== null;
