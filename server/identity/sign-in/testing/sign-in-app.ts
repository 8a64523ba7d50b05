/** The complete app with two users, Operator the administrator and Stan, a clock that tests set, and the logged lines. */
import { randomBytes } from 'node:crypto';
import type { ApiKeyScope } from '@patch/contract/base/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { createLog } from '../../../platform/logging/logging.ts';
import { secretBox } from '../../../platform/secrets/secret-box.ts';
import type { AppParts } from '../../../service/app-parts.ts';
import { Caller, type Method, type Reply, send } from '../../../testing/caller.ts';
import { describeWithDatabase, type OpenFresh } from '../../../testing/databases.ts';
import { buildUsers, openApp, password } from '../../../testing/factories.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The address of every caller without one of its own. */
const address = '192.0.2.1';

interface RequestOptions {
  readonly token?: string;
  readonly body?: object;
  /** The client's address. */
  readonly from?: string;
  /** Another process on the same database. */
  readonly of?: FastifyInstance;
}

export class SignInApp {
  now = Date.UTC(2026, 10, 21);
  readonly lines: string[] = [];
  readonly box = secretBox(randomBytes(32));
  database!: Database;
  app!: FastifyInstance;
  readonly #tokens = new Map<string, { readonly token: Promise<string>; readonly at: number }>();
  #addresses = 0;
  readonly operator = this.#person('operator');
  readonly stan = this.#person('stan');
  readonly anyone = this.as('');

  start(more: Partial<AppParts> = {}): Promise<FastifyInstance> {
    return openApp({
      database: this.database,
      box: this.box,
      log: createLog('trace', { write: (line) => void this.lines.push(line) }),
      clock: () => this.now,
      ...more,
    });
  }

  async repopulate(): Promise<void> {
    this.#tokens.clear();
    await this.database.script(
      'delete from sessions; delete from users; delete from sign_in_attempts; delete from settings;',
    );
    await buildUsers(this.database, { createdTime: this.now });
  }

  as(token: unknown): Caller {
    return this.#caller(() => String(token));
  }

  #caller(token: Caller['token']): Caller {
    return new Caller(() => this.app, token, { 'x-forwarded-for': address });
  }

  /** Signs in at the first call, and again when the session is old. */
  #person(name: string): Caller {
    const token = () => {
      const known = this.#tokens.get(name);
      if (known !== undefined && Math.abs(this.now - known.at) < 5 * minute) return known.token;
      const signedIn = { token: this.createToken(name), at: this.now };
      this.#tokens.set(name, signedIn);
      return signedIn.token;
    };
    return this.#caller(token);
  }

  ask(
    method: Method,
    path: string,
    { token, body, from = address, of = this.app }: RequestOptions = {},
  ): Reply {
    const headers = {
      'x-forwarded-for': from,
      ...(token !== undefined && { authorization: `Apikey ${token}` }),
    };
    return send(of, method, path, { body, headers });
  }

  signIn(
    username: string,
    typed = password,
    options: RequestOptions & { otp?: string } = {},
  ): Reply {
    const body = { username, password: typed, otp: options.otp };
    return this.ask('POST', '/authenticate', { body, ...options });
  }

  /** Returns a new address each time: sign-ins per address are limited. */
  newAddress(): string {
    this.#addresses += 1;
    const turn = this.#addresses;
    return `10.${turn >> 16}.${(turn >> 8) & 255}.${turn & 255}`;
  }

  async createToken(username: string): Promise<string> {
    return String((await this.signIn(username)).json['token']);
  }

  async rows(
    text: string,
    values: unknown[] = [],
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.database.query(text, values)).rows;
  }

  /** Creates a key of the caller, valid for an hour. */
  async createKey(caller: Caller, ...scopes: readonly ApiKeyScope[]): Promise<string> {
    const name = `Key ${randomBytes(4).toString('hex')}`;
    const group = scopes.includes('report') ? { group: 'Servers' } : {};
    const body = { name, scopes, expiresAt: this.now + hour, ...group };
    return String((await caller.post('/me/apikeys', body).json)['key']);
  }

  /** Returns the status of a request for the signed-in user. */
  me(token: string, of = this.app): Promise<number> {
    return this.as(token).at(of).get('/me').status;
  }
}

export function withSignInApp(open: OpenFresh): SignInApp {
  const service = new SignInApp();
  beforeAll(async () => {
    service.database = await open();
    service.app = await service.start();
  });
  afterAll(() => service.app.close());
  beforeEach(() => service.repopulate());
  return service;
}

export function describeApp(name: string, tests: (service: SignInApp) => void): void {
  describeWithDatabase(name, (open) => tests(withSignInApp(open)));
}
