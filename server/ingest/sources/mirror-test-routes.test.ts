import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { appWithRoutes, ask } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { addRun, endRun, takeRun } from '../runs/run-store.ts';
import { smallFeed } from '../testing/small-feed.ts';
import { mirrorTestRoutes } from './mirror-test-routes.ts';
import { saveSettings, standardSettings } from './source-setting-store.ts';

const path = '/patchsync/sources/almaLinux/mirror-test';
const failedOn = 'https://small.example/two.json';

describeWithDatabase('mirror test endpoint', (openFresh) => {
  let database: Database;
  let app: FastifyInstance;
  let server: Server;
  let answer: RequestListener;
  let requested: (string | undefined)[];
  let address: string;

  beforeEach(async () => {
    requested = [];
    server = createServer((request, response) => {
      requested.push(request.url);
      answer(request, response);
    });
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    database = await openFresh();
  });
  afterEach(async () => {
    await app.close();
    server.closeAllConnections();
    server.close();
  });

  async function start(feedMirror: string | null, { isMirrorFixed = false, limitMs = 5000 } = {}) {
    app = await appWithRoutes((route) =>
      mirrorTestRoutes(route, {
        database,
        feeds: { almaLinux: smallFeed },
        feedMirror: () => feedMirror,
        isMirrorFixed,
        limitMs,
      }),
    );
    return ask(app, 'POST', path);
  }

  async function failedRun(): Promise<void> {
    const run = await addRun(database, 'almaLinux', 'schedule', 1);
    if (run === null) throw new Error('No run was added');
    await takeRun(database, run.id, 1);
    const problem = { code: 'status', params: { status: 503 } } as const;
    const cause = {
      code: 'not_fetched',
      params: { url: failedOn, problem, attempts: 4, milliseconds: 1 },
    } as const;
    await endRun(
      database,
      run.id,
      {
        state: 'failed',
        message: {
          code: 'failed',
          params: { part: 'two', partLabel: 'Small two', parts: 2, failures: 1, cause },
        },
        warnings: [],
        added: 0,
        changed: 0,
        withdrawn: 0,
        unchanged: 0,
        rejected: 0,
      },
      2,
    );
  }

  test('requests the document on which the last run failed', async () => {
    await failedRun();
    answer = (_, response) => void response.end('[]');
    const { status, body } = await start(address);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      mirror: { address, setting: 'configuration' },
      url: failedOn,
      problem: null,
    });
    expect(requested).toEqual(['/small.example/two.json']);
  });

  test('requests the first document of a sync that arrives, and says what it is', async () => {
    answer = (request, response) =>
      request.url === '/small.example/one.json'
        ? void response.writeHead(404).end()
        : void response.end('[{"id": "1"}]');
    const { body } = await start(address);
    expect(body).toMatchObject({
      url: 'https://small.example/two.json',
      problem: null,
      size: 13,
      format: 'JSON',
    });
    expect(requested).toEqual(['/small.example/one.json', '/small.example/two.json']);
  });

  test.each([
    ['<!DOCTYPE html><title>Sign in</title>', /web page in place of data/],
    ['', /empty/],
  ])('refuses what is no document: %j', async (sent, problem) => {
    answer = (_, response) => void response.end(sent);
    const { body } = await start(address);
    expect(body).toMatchObject({
      url: 'https://small.example/one.json',
      problem: { code: 'unreadable', params: { problem: expect.stringMatching(problem) } },
    });
  });

  test('reports the first document when none arrives', async () => {
    answer = (_, response) => void response.writeHead(404).end();
    const { body } = await start(address);
    expect(body).toMatchObject({
      url: 'https://small.example/one.json',
      problem: { code: 'status', params: { status: 404 } },
    });
  });

  test('returns the status of the mirror, and that the environment sets it', async () => {
    answer = (_, response) => void response.writeHead(503).end();
    const { body } = await start(address, { isMirrorFixed: true });
    expect(body).toMatchObject({
      mirror: { address, setting: 'environment' },
      problem: { code: 'status', params: { status: 503 } },
    });
  });

  test('tests the mirror of the source first, and hides its password', async () => {
    answer = (_, response) => void response.writeHead(404).end();
    const mirror = address.replace('http://', 'http://reader:secret@');
    await saveSettings(
      database,
      'almaLinux',
      { ...standardSettings, leftOut: [], added: [], mirror },
      'admin',
      1,
    );
    const { body } = await start('http://127.0.0.1:9');
    expect(body).toMatchObject({
      mirror: { address, setting: 'source' },
      problem: { code: 'status', params: { status: 404 } },
    });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('stops after the time limit when the mirror does not respond', async () => {
    answer = () => undefined;
    const { body } = await start(address, { limitMs: 200 });
    expect(body).toMatchObject({ problem: { code: 'slow', params: { milliseconds: 200 } } });
  });

  test('does not read a long document to its end', async () => {
    let ended = false;
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Length': 1_000_000_000 });
      response.write('x'.repeat(1000));
      response.on('close', () => {
        ended = true;
      });
    };
    const { body } = await start(address);
    expect(body['problem']).toBeNull();
    await expect.poll(() => ended).toBe(true);
  });
});
