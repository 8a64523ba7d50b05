/** The service's own PostgreSQL: a child process in DATA_DIR/postgres that ends with the service. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../logging/logging.ts';
import { lastLines, postgresEnvironment, prepareCluster, superuser } from './data-folder.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { stopLeftover, stopPostmaster } from './leftover-postmaster.ts';
import { makeOwnDatabase, ownDatabase } from './own-database-store.ts';
import {
  accessSettings,
  accessUrl,
  closeSocketFolder,
  openAccess,
  type PostgresAccess,
} from './postgres-access.ts';
import { commandAs, giveTo, type PostgresAccount, postgresAccount } from './postgres-account.ts';
import { findPostgresBinaries, programPath, unusableBinary } from './postgres-binaries.ts';
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
  /** Nothing is logged when absent. */
  readonly log?: Pick<Log, 'info' | 'warn'>;
  /** The server ended and could not be started again: the process should end. Without it the error is thrown, uncaught. */
  readonly onFatal?: (error: Error) => void;
}

/** Starts of one crash after another. */
const maxRestarts = 5;
const restartWindowMs = 60_000;

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

/** Before the first release the database was another one, whose files nothing reads any more. */
function refuseEarlierState(dataDir: string): void {
  const earlier = join(dataDir, 'database');
  if (existsSync(join(earlier, 'PG_VERSION')))
    throw new EmbeddedPostgresError(
      `${earlier} holds a database of a state before the first release, which this version does not open. Give the service another DATA_DIR, or move that folder away.`,
    );
}

const defaults = {
  log: { info: () => undefined, warn: () => undefined },
  onFatal: (error: Error) => {
    throw error;
  },
} satisfies Partial<EmbeddedPostgresOptions>;
type Defaulted = EmbeddedPostgresOptions &
  Required<Pick<EmbeddedPostgresOptions, 'log' | 'onFatal'>>;

class Supervisor implements EmbeddedPostgres {
  readonly #options: Defaulted;
  readonly #lock: FolderLock;
  readonly #folder: string;
  #data = '';
  #account: PostgresAccount | null = null;
  #access: PostgresAccess | null = null;
  #server: ChildProcess | null = null;
  #stopping = false;
  #restarts: number[] = [];
  /** A process that ends without stopping the server asks it to stop by itself. */
  readonly #onExit = () => void this.#server?.kill('SIGINT');

  constructor(options: EmbeddedPostgresOptions, lock: FolderLock) {
    this.#options = { ...defaults, ...options };
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
    const { access = process.platform === 'win32' ? 'loopback' : 'socket' } = this.#options;
    const binaries = findPostgresBinaries();
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
    const { pid, socketFolder } = await stopLeftover(this.#data);
    if (pid !== null)
      this.#options.log.warn({ pid }, 'stopped the database of a service that was killed');
    if (socketFolder !== null) closeSocketFolder(socketFolder);
    const started = performance.now();
    await this.#launch(programPath(binaries, 'postgres'));
    const opened = this.#opened();
    await makeOwnDatabase(
      accessUrl(opened, superuser, 'postgres'),
      opened.kind === 'loopback' ? opened.password : null,
    );
    process.on('exit', this.#onExit);
    this.#options.log.info(
      { durationMs: Math.round(performance.now() - started), account: account?.name ?? null },
      'started the embedded PostgreSQL',
    );
  }

  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    process.off('exit', this.#onExit);
    const server = this.#server;
    if (server !== null)
      await stopPostmaster(
        (signal) => void server.kill(signal),
        () => hasEnded(server),
      );
    if (this.#access?.kind === 'socket') closeSocketFolder(this.#access.folder);
    this.#lock.release();
  }

  #opened(): PostgresAccess {
    if (this.#access === null) throw new Error('The embedded PostgreSQL is not started');
    return this.#access;
  }

  /** Starts the server and waits until it answers. */
  async #launch(program: string): Promise<void> {
    for (const until = Date.now() + sharedMemoryWaitMs; ; await after(250)) {
      const { server, output } = this.#spawn(program);
      this.#server = server;
      const failure = await this.#answered(server, output);
      if (failure === null) {
        server.once('exit', () => this.#onEnd(program, output()));
        if (hasEnded(server)) this.#onEnd(program, output());
        return;
      }
      await stopPostmaster(
        (signal) => void server.kill(signal),
        () => hasEnded(server),
      );
      // Children of a killed server have not noticed its end yet.
      if (!/shared memory block|is another postmaster/.test(output()) || Date.now() > until)
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
      // A group of its own: an interrupt at the terminal reaches the service, which stops the server when it is done.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: postgresEnvironment(),
    });
    let output = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-8_000);
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
    for (const until = Date.now() + startTimeoutMs; Date.now() < until; await after(25)) {
      if (broken !== null) return unusableBinary(server.spawnfile, broken);
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

  /** Starts a server again that was killed or crashed as a whole. */
  #onEnd(program: string, output: string): void {
    if (this.#stopping) return;
    this.#server = null;
    const now = Date.now();
    this.#restarts = [...this.#restarts.filter((time) => time > now - restartWindowMs), now];
    this.#options.log.warn({ output: lastLines(output) }, 'the embedded PostgreSQL ended');
    if (this.#restarts.length > maxRestarts) {
      this.#options.onFatal(this.#startFailure(output));
      return;
    }
    this.#startAgain(program).then(
      () => this.#options.log.info({}, 'started the embedded PostgreSQL again'),
      (error: unknown) => this.#options.onFatal(error as Error),
    );
  }

  async #startAgain(program: string): Promise<void> {
    await stopLeftover(this.#data);
    await this.#launch(program);
  }
}

const hasEnded = (server: ChildProcess) => server.exitCode !== null || server.signalCode !== null;

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
