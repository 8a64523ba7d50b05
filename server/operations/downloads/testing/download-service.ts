/** An installation with downloads: the complete app on a database, with a data folder of its own and helpers for tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Download } from '@patch/contract/operations/download-endpoints.ts';
import { SignInApp } from '../../../identity/sign-in/testing/sign-in-app.ts';
import { type Config, readConfig } from '../../../platform/config/config.ts';
import type { OpenDatabase } from '../../../platform/database/schema/open-database.ts';
import { createLog } from '../../../platform/logging/logging.ts';
import { type SecretBox, secretBox } from '../../../platform/secrets/secret-box.ts';
import type { Reply } from '../../../testing/caller.ts';
import type { StartThread } from '../download-job-thread.ts';
import { type Downloads, startDownloads } from '../start-downloads.ts';
import { jobInProcess } from './job-in-process.ts';

export class DownloadService extends SignInApp {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'patch-downloads-'));
  override readonly box: SecretBox;
  override readonly database: OpenDatabase;
  readonly key: Uint8Array;
  readonly environment: Record<string, string>;
  readonly #startThread: StartThread | undefined;
  downloads!: Downloads;

  /** @param startThread Runs jobs in the test's own thread by default; 'worker' uses worker threads, as the service does. */
  constructor(
    database: OpenDatabase,
    key: Uint8Array,
    {
      environment = {},
      startThread = jobInProcess,
    }: { environment?: Record<string, string>; startThread?: StartThread | 'worker' } = {},
  ) {
    super();
    this.database = database;
    this.key = key;
    this.box = secretBox(key);
    this.environment = environment;
    this.#startThread = startThread === 'worker' ? undefined : startThread;
  }

  /** Starts the service and creates its users. */
  async begin(): Promise<this> {
    await this.restart();
    await this.repopulate();
    return this;
  }

  /** Starts the service, which must be stopped. */
  async restart(): Promise<void> {
    const config: Config = {
      ...readConfig({ DATA_DIR: this.dataDir, NODE_ENV: 'test', ...this.environment }, '/'),
      databaseUrl: this.database.url,
    };
    const { database, key } = this;
    this.downloads = await startDownloads({
      database,
      config,
      key,
      log: createLog('trace', { write: (line) => void this.lines.push(line) }),
      clock: () => this.now,
      startThread: this.#startThread,
    });
    this.app = await this.start({ config, downloads: this.downloads });
  }

  /** Returns the job once it has ended. */
  async ended<Of extends { readonly id: number; readonly state: string } = Download>(
    id: number,
    list = '/downloads',
  ): Promise<Of> {
    for (const until = Date.now() + 40_000; Date.now() < until; await after(10)) {
      const job = ((await this.operator.get(list).list) as unknown as Of[]).find(
        (one) => one.id === id,
      );
      if (job !== undefined && job.state !== 'queued' && job.state !== 'running') return job;
    }
    throw new Error(`Job ${id} did not end`);
  }

  /** Requests a download. */
  request(kind: Download['kind'], options: object = {}): Reply {
    return this.operator.post('/downloads', { kind, options });
  }

  async made(kind: Download['kind'], options: object = {}): Promise<Download> {
    const { status, json } = await this.request(kind, options);
    if (status !== 202) throw new Error(JSON.stringify(json));
    return this.ended(json['id'] as number);
  }

  async fetched(id: number): Promise<Buffer> {
    const { path } = await this.operator.post(`/downloads/${id}/ticket`).json;
    return (await this.anyone.get(String(path))).bytes;
  }

  writeLog(name: string, lines: readonly object[]): void {
    mkdirSync(join(this.dataDir, 'logs'), { recursive: true });
    writeFileSync(
      join(this.dataDir, 'logs', name),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
  }

  async stop(): Promise<void> {
    // A connection whose upload was cut would be kept for half a minute; the service ends it when it stops.
    this.app.server.closeAllConnections();
    await this.app.close();
    await this.downloads.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
