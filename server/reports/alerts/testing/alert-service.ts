/** The app with a mail server on loopback, a mail sender and the alerts, all on one clock that is set by hand. */
import { randomBytes } from 'node:crypto';
import { listOfKey } from '@patch/catalogue/lists.ts';
import type { SavedView } from '@patch/contract/saved-view-endpoints.ts';
import { afterEach, beforeEach } from 'vitest';
import { withSignInApp } from '../../../identity/sign-in/testing/sign-in-app.ts';
import { contentHash } from '../../../platform/database/content-hash.ts';
import { writeEntries } from '../../../platform/database/entry-writer.ts';
import { writeEmailConfig } from '../../../platform/mail/email-config-store.ts';
import { type MailSender, startMailSender } from '../../../platform/mail/mail-sender.ts';
import { type MailServer, startMailServer } from '../../../platform/mail/testing/mail-server.ts';
import { secretBox } from '../../../platform/secrets/secret-box.ts';
import type { OpenFresh } from '../../../testing/databases.ts';
import { type Alerts, startAlerts } from '../start-alerts.ts';
import { type ReadMessage, readMessage } from './read-message.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const errata = listOfKey('almalinux_patch');

const config = {
  port: 25,
  server: '127.0.0.1',
  protocol: 'smtp' as const,
  securityType: 'none' as const,
  email: 'patch@example.org',
  password: '',
  replyToEmail: '',
  toEmailId: '',
  senderName: 'Patch Repository',
};

type Row = Readonly<Record<string, unknown>> & { readonly title: string };

class AlertService {
  readonly app: ReturnType<typeof withSignInApp>;
  readonly #box = secretBox(randomBytes(32));
  #began = 0;
  mailServer!: MailServer;
  alerts!: Alerts;
  sender!: MailSender;
  #others: Alerts[] = [];

  constructor(open: OpenFresh) {
    this.app = withSignInApp(open);
    this.#began = this.app.now;
  }

  get now(): number {
    return this.app.now;
  }

  async begin(): Promise<void> {
    const { database } = this.app;
    this.app.now = this.#began;
    await database.script(
      'delete from mail_outbox; delete from sync_run; delete from held_withdrawal; delete from held_content; delete from almalinux_patch; delete from kb_repository; update list_revision set listed = 0, revision = revision + 1;',
    );
    this.mailServer = await startMailServer({ refusedRecipient: 'gone@example.org' });
    await writeEmailConfig(database, this.#box, { ...config, port: this.mailServer.port });
    this.sender = startMailSender({
      database,
      box: this.#box,
      log: this.app.app.log as never,
      clock: () => this.now,
    });
    this.alerts = this.another();
  }

  async end(): Promise<void> {
    await Promise.all(this.#others.map((alerts) => alerts.stop()));
    await this.sender.stop();
    await this.mailServer.stop();
    this.#others = [];
  }

  /** Another process that looks, on the same database. */
  another(baseUrl: string | null = 'https://patch.example.org'): Alerts {
    const alerts = startAlerts({
      database: this.app.database,
      box: this.app.box,
      feeds: {},
      log: this.app.app.log as never,
      baseUrl: { settled: baseUrl, usual: () => null },
      clock: () => this.now,
    });
    this.#others.push(alerts);
    return alerts;
  }

  /** As though a sync had brought them; each is changed when it is there already. */
  async write(rows: readonly Row[], list = errata): Promise<void> {
    const entries = rows.map((row) => ({
      key: row.title,
      row,
      detail: {},
      contentHash: contentHash(row as never, {}),
    }));
    await this.app.database.transaction((tx) =>
      writeEntries(tx, list, 'part', entries as never, this.now),
    );
  }

  async view(
    token: string,
    change: {
      list?: string;
      name?: string;
      criteria?: string;
      shared?: boolean;
      keyword?: string;
    } = {},
  ): Promise<SavedView> {
    const {
      list = errata.key,
      name = 'Critical',
      criteria = 'severity.in.Critical',
      shared = false,
      keyword = '',
    } = change;
    const search = { criteria, keyword, sort: 'title', columns: null };
    const { status, json } = await this.app.ask('POST', '/views', {
      token,
      body: { list, name, shared, isDefault: false, search },
    });
    if (status !== 201) throw new Error(`The view was not saved: ${JSON.stringify(json)}`);
    return json as unknown as SavedView;
  }

  setAlert(token: string, { id }: Pick<SavedView, 'id'>, change: object = {}) {
    const body = {
      mode: 'digest',
      hour: 8,
      timeZone: 'UTC',
      ownAddress: true,
      furtherAddresses: [],
      ...change,
    };
    return this.app.ask('PUT', `/views/${id}/alert`, { token, body });
  }

  /** Looks, sends, and answers what has arrived since it was asked last. */
  async mails(): Promise<readonly (ReadMessage & { readonly to: string })[]> {
    await this.alerts.runDue();
    await this.sender.sendDue();
    return this.arrived();
  }

  arrived(): readonly (ReadMessage & { readonly to: string })[] {
    return this.mailServer.taken
      .splice(0)
      .map(({ to, text }) => ({ ...readMessage(text), to: to.join() }));
  }

  /** To the next time that the clock in UTC shows the hour. */
  toHour(at: number): void {
    const today = Math.floor(this.now / day) * day + at * hour;
    this.app.now = today > this.now ? today : today + day;
  }
}

export function withAlertService(open: OpenFresh): AlertService {
  const service = new AlertService(open);
  beforeEach(() => service.begin());
  afterEach(() => service.end());
  return service;
}
