/** The product's own calls, for what a walk needs to be there and for comparing what a screen shows with what the service answers. */
import { getList } from '@patch/catalogue/lists.ts';
import { sourceKeys } from '@patch/catalogue/sources.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { administrator } from './running-product.ts';
import type { Credentials } from './sign-in.ts';

/** Sources that are synced for the walks after AlmaLinux. */
export const otherSources = ['wsus', 'kev', 'rockyLinux', 'debian'] as const;

export const exampleClient = {
  clientName: 'Example Hospital',
  licenseType: 'subscription',
  licenseExpiry: Date.UTC(2099, 0, 1),
  deploymentMode: 'master',
  environment: 'production',
  technicianLicence: 'named',
  technicians: 12,
  itAssets: 4200,
  nonItAssets: 310,
  endPoints: 9600,
  families: ['almaLinux', 'wsus', 'ubuntu'],
  contactEmail: 'patches@example.org',
  notes: '',
};

const important: readonly FieldCriterion[] = [
  { paramName: 'severity', operator: 'in', value: ['Important', 'Critical'] },
];

const exampleView = {
  list: 'almalinux_patch',
  name: 'Important and critical',
  shared: true,
  isDefault: false,
  search: {
    criteria: writeCriteria(getList('almalinux_patch'), important),
    keyword: '',
    sort: '-releaseDate',
    columns: null,
  },
};

export class Service {
  readonly #request: APIRequestContext;
  readonly #token: string;
  readonly #user: unknown;

  private constructor(request: APIRequestContext, token: string, user: unknown) {
    this.#request = request;
    this.#token = token;
    this.#user = user;
  }

  static async signedIn(
    request: APIRequestContext,
    data: Credentials = administrator,
  ): Promise<Service> {
    const reply = await request.post('/api/authenticate', { data });
    const { token, user } = (await reply.json()) as { token: string; user: unknown };
    return new Service(request, token, user);
  }

  /** The page begins signed in, as after a sign-in in another tab. */
  async enter(page: Page): Promise<void> {
    const stored = JSON.stringify({
      token: this.#token,
      user: this.#user,
      loginType: 'support-portal',
    });
    await page.addInitScript(
      (session) => localStorage.setItem('patch-repository.session', session),
      stored,
    );
  }

  async ask<Reply>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    data?: object,
  ): Promise<Reply> {
    const headers = { authorization: `Apikey ${this.#token}` };
    const reply = await this.#request.fetch(`/api${path}`, {
      method,
      headers,
      ...(data !== undefined && { data }),
    });
    expect(reply.ok(), `${method} ${path}: ${await reply.text()}`).toBe(true);
    return (await reply.json()) as Reply;
  }

  /** Nothing is synced by schedule while a walk counts what was synced: each source is due half a year from now. */
  async withoutSchedules(): Promise<void> {
    const month = ((new Date().getUTCMonth() + 6) % 12) + 1;
    for (const source of sourceKeys)
      await this.ask('PUT', `/patchsync/sources/${source}/settings`, {
        schedule: `0 0 1 ${month} *`,
      });
  }

  /** Syncs the sources once, whatever the result, each after a run that its schedule began before. */
  async sync(sources: readonly string[]): Promise<void> {
    const isRunning = async (source: string) =>
      (await this.ask<{ running: boolean }>('GET', `/linux/patchsync/isrunning?service=${source}`))
        .running;
    const untilEnded = (source: string) =>
      expect.poll(() => isRunning(source), { timeout: 600_000, intervals: [250] }).toBe(false);
    for (const source of sources) {
      await untilEnded(source);
      await this.ask('POST', `/linux/patchsync/manual?service=${source}`);
    }
    for (const source of sources) await untilEnded(source);
  }

  /** Adds a licensed client and a saved view: some screens need them to show anything. */
  async furnish(): Promise<void> {
    await this.ask('POST', '/windows/user', exampleClient);
    await this.ask('POST', '/views', exampleView);
  }

  /** Proves the administrator's identity: the proof of the sign-in is older than allowed when other walks came first. */
  async prove(): Promise<void> {
    await this.ask('POST', '/me/proof', { password: administrator.password });
  }

  /** Adds a user who has changed the first password already. */
  async addUser(name: string): Promise<Credentials> {
    const first = { username: name, password: 'First-Horse-11' };
    const own = { username: name, password: 'Own-Horse-22' };
    await this.prove();
    await this.ask('POST', '/user', {
      name,
      email: `${name}@example.org`,
      userType: 'Standard',
      password: first.password,
    });
    const user = await Service.signedIn(this.#request, first);
    await user.ask('POST', '/user/changepassword', {
      oldPassword: first.password,
      newPassword: own.password,
    });
    return own;
  }

  search(
    path: string,
    query: string,
    body: object = {},
  ): Promise<{
    readonly objList: readonly Record<string, unknown>[];
    readonly totalCount: number;
  }> {
    return this.ask('POST', `${path}?${query}`, body);
  }
}
