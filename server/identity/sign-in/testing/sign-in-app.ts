/** The whole app with two people in it, Operator the administrator and Stan, a clock that is set by hand, and all that was logged. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { createLog } from '../../../platform/logging/logging.ts';
import { secretBox } from '../../../platform/secrets/secret-box.ts';
import type { AppParts } from '../../../service/app-parts.ts';
import type { OpenFresh } from '../../../testing/databases.ts';
import { buildUsers, openApp, password } from '../../../testing/factories.ts';

export const minute = 60_000;

export interface Answered {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly json: Record<string, unknown>;
}

interface Asked {
  readonly token?: string;
  readonly body?: object;
  /** The client's address. */
  readonly from?: string;
  /** Another process on the same database. */
  readonly of?: FastifyInstance;
}

class SignInApp {
  now = Date.UTC(2026, 10, 21);
  readonly lines: string[] = [];
  readonly box = secretBox(randomBytes(32));
  database!: Database;
  app!: FastifyInstance;

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
    await this.database.script(
      'delete from sessions; delete from users; delete from sign_in_attempts; delete from settings;',
    );
    await buildUsers(this.database, { createdTime: this.now });
  }

  async ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { token, body, from = '192.0.2.1', of = this.app }: Asked = {},
  ): Promise<Answered> {
    const reply = await of.inject({
      method,
      url: `/api${path}`,
      headers: {
        'x-forwarded-for': from,
        ...(token !== undefined && { authorization: `Apikey ${token}` }),
      },
      ...(body !== undefined && { payload: body }),
    });
    return { status: reply.statusCode, headers: reply.headers, json: reply.json() };
  }

  signIn(username: string, typed = password, asked: Asked = {}): Promise<Answered> {
    return this.ask('POST', '/authenticate', { body: { username, password: typed }, ...asked });
  }

  async tokenOf(username: string): Promise<string> {
    const { json } = await this.signIn(username);
    return String(json['token']);
  }

  /** The status of asking who is signed in. */
  async me(token: string, of = this.app): Promise<number> {
    return (await this.ask('GET', '/me', { token, of })).status;
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
