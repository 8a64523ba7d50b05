/**
 * Kills the embedded PostgreSQL while every call of the contract is made. Each is answered as without the outage or with 503 and the
 * seconds to wait, never with an internal error, and nobody is signed out.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { drawnPng } from '../../identity/users/testing/drawn-png.ts';
import { readConfig } from '../../platform/config/config.ts';
import { createLog } from '../../platform/logging/logging.ts';
import { openInFolder } from '../../testing/databases.ts';
import { buildHints } from '../../testing/example-hints.ts';
import { buildExamples } from '../../testing/example-input.ts';
import { buildClient, buildUsers, password } from '../../testing/factories.ts';
import { readRefusal } from '../../testing/refusal.ts';
import { seedRecords } from '../../testing/seeded-resources.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type Service, startService } from '../start-service.ts';

/** They end the session of the caller or change how one signs in. */
const excluded = new Set([
  'sign_out',
  'change_password',
  'end_own_sessions',
  'change_own_profile',
  'save_password_policy',
  'save_sso_config',
]);

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | null;
  /** True for a reply that is not what its status promises. */
  readonly isBroken: boolean;
}

interface Kind {
  readonly name: string;
  readonly send: () => Promise<Answer>;
  /** The status and codes without an outage. */
  readonly calm: Set<string>;
}

/** Codes of the reply to a request that the outage prevented. */
const outageCodes = new Set([
  'audit_unwritten',
  'busy',
  'database_unavailable',
  'no_downloads',
  'not_ready',
]);

/** Codes of limits, which more calls reach, and of work in the background, which may be done or not. */
const timingCodes = new Set([
  'download_ended',
  'download_not_done',
  'download_running',
  'locked_out',
  'no_sync_running',
  'nothing_quarantined',
  'searches_busy',
  'sync_running',
  'too_many_downloads',
  'too_many_requests',
  'too_many_streams',
]);

const outcome = ({ status, code }: Answer) => (status < 400 ? 'answered' : `${status} ${code}`);

/** Returns what is wrong with an answer during or after an outage; null when nothing is. */
function findFault({ name, calm }: Kind, answer: Answer): string | null {
  const { code, status, retryAfter, isBroken } = answer;
  const seen = `${name}: ${status} ${code}`;
  if (isBroken) return `${seen}, not JSON or incomplete`;
  if (timingCodes.has(code) || calm.has(outcome(answer))) return null;
  if (status !== 503 || !outageCodes.has(code)) return `${seen} instead of ${[...calm].join()}`;
  return Number(retryAfter) > 0 ? null : `${seen} without Retry-After`;
}

export function testOutages(kills: number): void {
  const dataDir = join(temporaryFolder(), 'data');
  const lines: string[] = [];
  let service: Service;
  let token = '';
  let clientToken = '';
  let kinds: readonly Kind[] = [];
  let addresses = 0;
  const now = Date.now();

  beforeAll(async () => {
    const database = await openInFolder(dataDir);
    await buildUsers(database, { createdTime: now });
    const records = await seedRecords(database);
    await database.close();
    const config = readConfig(
      {
        DATA_DIR: dataDir,
        PORT: '0',
        FEED_MIRROR: 'http://127.0.0.1:9',
        MAIL_TARGETS: '127.0.0.1',
        POSTGRES_SETTINGS: 'fsync=off',
      },
      dataDir,
    );
    service = await startService(
      { config, log: createLog('debug', { write: (line) => void lines.push(line) }), buildApp },
      { onFirstAdministrator: () => undefined },
    );
    token = await readText(post('/authenticate', '', { username: 'Operator', password }), 'token');
    clientToken = await activateClient();
    kinds = [
      ...endpoints
        .filter(({ name }) => !excluded.has(name))
        .map((call) => toKind(call.name, () => makeCall(call, records))),
      toKind('a poll of a client', () =>
        ask('GET', '/client/changes?list=almalinux_patch', {}, clientToken),
      ),
      toKind('an export', exportList),
      toKind('a wrong password', () =>
        ask('POST', '/authenticate', { body: { username: 'Stan', password: 'Wrong-horse-1' } }, ''),
      ),
    ];
  });
  afterAll(() => service.stop());

  const toKind = (name: string, send: Kind['send']): Kind => ({ name, send, calm: new Set() });

  async function ask(
    method: string,
    path: string,
    { body, file }: { readonly body?: unknown; readonly file?: Buffer },
    as: string,
  ): Promise<Answer> {
    addresses += 1;
    const ending = new AbortController();
    const reply = await fetch(`${service.url}/api${path}`, {
      method,
      redirect: 'manual',
      signal: ending.signal,
      headers: {
        'x-forwarded-for': `10.0.${addresses >> 8}.${addresses & 255}`,
        ...(as !== '' && { authorization: `Apikey ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file !== undefined && { body: new Uint8Array(file) }),
    });
    const { status } = reply;
    const retryAfter = reply.headers.get('retry-after');
    const type = reply.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) {
      ending.abort();
      return { status, code: '', retryAfter, isBroken: false };
    }
    try {
      const text = await reply.text();
      const json: unknown = type.startsWith('application/json') ? JSON.parse(text) : null;
      const code = status < 400 ? '' : (readRefusal(json)?.code ?? '');
      return { status, code, retryAfter, isBroken: status >= 400 && code === '' };
    } catch {
      // A file whose making an outage ended must look broken off to its receiver.
      return { status, code: '', retryAfter, isBroken: type.startsWith('application/json') };
    }
  }

  const post = (path: string, as: string, body: object) =>
    fetch(`${service.url}/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(as !== '' && { authorization: `Apikey ${as}` }),
      },
      body: JSON.stringify(body),
    });

  async function readText(reply: Promise<Response>, field: string): Promise<string> {
    const json = (await (await reply).json()) as Readonly<Record<string, unknown>>;
    if (typeof json[field] !== 'string') throw new Error(JSON.stringify(json));
    return json[field];
  }

  async function activateClient(): Promise<string> {
    const entry = buildClient(now, { reportsMachines: true });
    const activationCode = await readText(post('/windows/user', token, entry), 'activationCode');
    const body = { activationCode, applicationVersion: '1.0', hostName: 'repo-1' };
    return readText(post('/client/activate', '', body), 'token');
  }

  function makeCall(call: Endpoint, records: ReadonlyMap<string, number>): Promise<Answer> {
    const params: Readonly<Record<string, string>> = {
      prefix: 'windows',
      type: 'all',
      source: 'almaLinux',
      list: 'almalinux_patch',
      moduleName: 'almalinux_patch',
      cve: 'CVE-2024-3094',
      identifier: 'CVE-2024-3094',
      id: String(call.method === 'GET' ? (records.get('almalinux_patch') ?? 1) : 999_999),
    };
    const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '999999');
    const hints = buildHints(call, now);
    const [query] = buildExamples(call.query, hints) as readonly Record<string, string>[];
    const search = new URLSearchParams(query).toString();
    const takesBody = call.method !== 'GET' && call.receives !== 'file';
    return ask(
      call.method,
      search === '' ? path : `${path}?${search}`,
      {
        ...(takesBody && { body: buildExamples(call.body, hints)[0] }),
        ...(call.receives === 'file' && { file: drawnPng(4, 4, () => [1, 2, 3, 255]) }),
      },
      call.access === 'client' ? clientToken : call.access === 'public' ? '' : token,
    );
  }

  async function exportList(): Promise<Answer> {
    const call = endpoints.find(({ name }) => name === 'export_ticket') as Endpoint;
    const body = buildExamples(call.body, buildHints(call, now))[0] as object;
    const reply = await post('/export', token, body);
    const json = (await reply.json()) as Readonly<Record<string, unknown>>;
    if (reply.status >= 400)
      return {
        status: reply.status,
        code: readRefusal(json)?.code ?? '',
        retryAfter: reply.headers.get('retry-after'),
        isBroken: false,
      };
    return ask('GET', `/export/${String(json['ticket'])}`, {}, '');
  }

  /** Makes all calls, some at once. */
  async function makeCalls(onAnswer: (kind: Kind, answer: Answer) => void): Promise<void> {
    const waiting = [...kinds];
    const work = async () => {
      for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift())
        onAnswer(kind, await kind.send());
    };
    await Promise.all(Array.from({ length: 12 }, work));
  }

  const addCalm = ({ calm }: Kind, answer: Answer) => void calm.add(outcome(answer));

  /** Kills the server as often as wanted, each time within a second after it answers again. */
  async function killRepeatedly(): Promise<void> {
    for (let kill = 0; kill < kills; kill += 1) {
      await after(Math.random() * 1000);
      const [pid = ''] = readFileSync(
        join(dataDir, 'postgres', 'data', 'postmaster.pid'),
        'utf8',
      ).split('\n');
      process.kill(Number(pid), kill % 2 === 0 ? 'SIGKILL' : 'SIGQUIT');
      while ((await ask('GET', '/health/ready', {}, '')).status !== 200) await after(20);
    }
  }

  test(`answers every call or says 503 through ${kills} kills of the database, and as before afterwards`, {
    timeout: 120_000 + kills * 20_000,
  }, async () => {
    // The second calls find what the first have made.
    for (let pass = 0; pass < 2; pass += 1) await makeCalls(addCalm);
    const faults = new Set<string>();
    const outages = new Map<string, number>();
    const note = (kind: Kind, answer: Answer) => {
      const fault = findFault(kind, answer);
      if (fault !== null) faults.add(fault);
      if (answer.status === 503 && !kind.calm.has(outcome(answer)))
        outages.set(kind.name, (outages.get(kind.name) ?? 0) + 1);
    };
    const killed = new AbortController();
    const killing = killRepeatedly().finally(() => killed.abort());
    for (;;) {
      await makeCalls(note);
      if (killed.signal.aborted) break;
    }
    await killing;
    expect([...faults]).toEqual([]);
    // The outages met many kinds of calls.
    expect(outages.size).toBeGreaterThan(kills * 4);
    const changed: string[] = [];
    await makeCalls((kind, answer) => {
      if (!kind.calm.has(outcome(answer)) && !timingCodes.has(answer.code))
        changed.push(`${kind.name}: ${outcome(answer)} instead of ${[...kind.calm].join()}`);
    });
    expect(changed).toEqual([]);
  });
}
