/** An installation with downloads: the whole app on a database, a separate data folder, and helpers for tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Download } from '@patch/contract/download-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { type Config, readConfig } from '../../../platform/config/config.ts';
import type { OpenDatabase } from '../../../platform/database/open-database.ts';
import { createLog } from '../../../platform/logging/logging.ts';
import { secretBox } from '../../../platform/secrets/secret-box.ts';
import { buildUsers, openApp, signIn } from '../../../testing/factories.ts';
import type { StartThread } from '../download-job-thread.ts';
import { type Downloads, startDownloads } from '../start-downloads.ts';
import { jobInProcess } from './job-in-process.ts';

interface Asked {
  readonly as?: 'Operator' | 'Stan' | 'nobody';
  readonly body?: object;
  readonly file?: Buffer;
}

export class DownloadService {
  now = Date.UTC(2026, 10, 21);
  readonly lines: string[] = [];
  readonly dataDir = mkdtempSync(join(tmpdir(), 'patch-downloads-'));
  readonly database: OpenDatabase;
  readonly key: Uint8Array;
  readonly environment: Record<string, string>;
  readonly #startThread: StartThread | undefined;
  downloads!: Downloads;
  app!: FastifyInstance;
  #tokens: Record<string, string> = {};

  /** Jobs run in the test's own thread, or with 'worker' each in a worker thread, as in the service. */
  constructor(
    database: OpenDatabase,
    key: Uint8Array,
    {
      environment = {},
      startThread = jobInProcess,
    }: { environment?: Record<string, string>; startThread?: StartThread | 'worker' } = {},
  ) {
    this.database = database;
    this.key = key;
    this.environment = environment;
    this.#startThread = startThread === 'worker' ? undefined : startThread;
  }

  async start(): Promise<void> {
    const config: Config = {
      ...readConfig({ DATA_DIR: this.dataDir, NODE_ENV: 'test', ...this.environment }, '/'),
      databaseUrl: this.database.url,
    };
    const log = createLog('trace', { write: (line) => void this.lines.push(line) });
    const clock = () => this.now;
    const { database } = this;
    this.downloads = await startDownloads({
      database,
      config,
      key: this.key,
      log,
      clock,
      startThread: this.#startThread,
    });
    this.app = await openApp({
      database,
      config,
      log,
      box: secretBox(this.key),
      downloads: this.downloads,
      clock,
    });
  }

  async makePeople(): Promise<void> {
    await buildUsers(this.database);
    for (const name of ['Operator', 'Stan']) this.#tokens[name] = await signIn(this.app, name);
  }

  async ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { as = 'Operator', body, file }: Asked = {},
  ) {
    const reply = await this.app.inject({
      method,
      url: `/api${path}`,
      headers: {
        ...(as !== 'nobody' && { authorization: `Apikey ${this.#tokens[as]}` }),
        ...(file !== undefined && { 'content-type': 'application/zip' }),
      },
      ...(body !== undefined && { payload: body }),
      ...(file !== undefined && { payload: file }),
    });
    const text = reply.body;
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    return {
      status: reply.statusCode,
      headers: reply.headers,
      bytes: reply.rawPayload,
      json: (isJson ? JSON.parse(text) : {}) as Record<string, unknown>,
    };
  }

  /** The job once it has ended. */
  async ended<Of extends { readonly id: number; readonly state: string } = Download>(
    id: number,
    list = '/downloads',
  ): Promise<Of> {
    for (const until = Date.now() + 40_000; Date.now() < until; await after(10)) {
      const { json } = await this.ask('GET', list);
      const job = (json['objList'] as Of[]).find((one) => one.id === id);
      if (job !== undefined && job.state !== 'queued' && job.state !== 'running') return job;
    }
    throw new Error(`Job ${id} did not end`);
  }

  async made(kind: Download['kind'], options: object = {}): Promise<Download> {
    const { json, status } = await this.ask('POST', '/downloads', { body: { kind, options } });
    if (status !== 202) throw new Error(JSON.stringify(json));
    return this.ended(json['id'] as number);
  }

  async fetched(id: number) {
    const { json } = await this.ask('POST', `/downloads/${id}/ticket`);
    return this.ask('GET', String(json['path']), { as: 'nobody' });
  }

  writeLog(name: string, lines: readonly object[]): void {
    mkdirSync(join(this.dataDir, 'logs'), { recursive: true });
    writeFileSync(
      join(this.dataDir, 'logs', name),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.downloads.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
