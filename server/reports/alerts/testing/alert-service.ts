/** The app with a mail server on loopback, a mail sender and the alerts, all on one clock that tests set. */
import { randomBytes } from 'node:crypto';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import type { SavedView } from '@patch/contract/records/saved-view-endpoints.ts';
import { afterEach, beforeEach } from 'vitest';
import {
  day,
  hour,
  type SignInApp,
  withSignInApp,
} from '../../../identity/sign-in/testing/sign-in-app.ts';
import { writeEmailConfig } from '../../../platform/mail/email-config-store.ts';
import { type MailServer, startMailServer } from '../../../platform/mail/testing/mail-server.ts';
import { type OutboxSender, startOutboxSender } from '../../../platform/outbox/outbox-sender.ts';
import { secretBox } from '../../../platform/secrets/secret-box.ts';
import type { Caller, Reply } from '../../../testing/caller.ts';
import { describeWithDatabase, type OpenFresh } from '../../../testing/databases.ts';
import { buildEmailConfig } from '../../../testing/factories.ts';
import { writeRecords } from '../../../testing/record-factories.ts';
import { type Alerts, startAlerts } from '../start-alerts.ts';
import { type ReadMessage, readMessage } from './read-message.ts';

export const errata = getList('almalinux_patch');

interface ViewChange {
  readonly list?: string;
  readonly name?: string;
  readonly criteria?: string;
  readonly shared?: boolean;
  readonly keyword?: string;
}

/** Returns the names of the records that an email lists. */
export const namesIn = (text = ''): string[] =>
  [...text.matchAll(/^\* (.*)$/gm)].map(([, name = '']) => name);

type Row = Readonly<Record<string, unknown>> & { readonly title: string };

class AlertService {
  readonly app: SignInApp;
  readonly #box = secretBox(randomBytes(32));
  #began = 0;
  mailServer!: MailServer;
  alerts!: Alerts;
  sender!: OutboxSender;
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
      'delete from outbox; delete from event; delete from sync_run; delete from quarantine; delete from almalinux_patch; delete from kb_repository; update list_revision set listed = 0, revision = revision + 1;',
    );
    this.mailServer = await startMailServer({ refusedRecipient: 'gone@example.org' });
    const config = buildEmailConfig({ server: '127.0.0.1', port: this.mailServer.port });
    await writeEmailConfig(database, this.#box, config);
    this.sender = startOutboxSender({
      database,
      box: this.#box,
      log: this.app.app.log as never,
      clock: () => this.now,
    });
    this.alerts = this.startAnother();
  }

  async end(): Promise<void> {
    await Promise.all(this.#others.map((alerts) => alerts.stop()));
    await this.sender.stop();
    await this.mailServer.stop();
    this.#others = [];
  }

  /** Starts alerts as another process on the same database would. */
  startAnother(
    baseUrl: string | null = 'https://patch.example.org',
    feeds: Parameters<typeof startAlerts>[0]['feeds'] = {},
  ): Alerts {
    const alerts = startAlerts({
      database: this.app.database,
      box: this.app.box,
      feeds,
      log: this.app.app.log as never,
      baseUrl: { configured: baseUrl, fallback: () => null },
      clock: () => this.now,
    });
    this.#others.push(alerts);
    return alerts;
  }

  /** Writes records as a sync would. Existing ones are changed. */
  async write(rows: readonly Row[], list: ListKey = errata.key): Promise<void> {
    const records = rows.map((row) => ({ key: row.title, row }));
    await writeRecords(this.app.database, list, records, this.now);
  }

  /** Saves a view, by default of critical errata. */
  async view(by: Caller, change: ViewChange = {}): Promise<SavedView> {
    const { list, name, criteria, shared, keyword } = {
      list: errata.key,
      name: 'Critical',
      criteria: 'severity.in.Critical',
      shared: false,
      keyword: '',
      ...change,
    };
    const search = { criteria, keyword, sort: 'title', columns: null };
    const body = { list, name, shared, isDefault: false, search };
    const { status, json } = await by.post('/views', body);
    if (status !== 201) throw new Error(`The view was not saved: ${JSON.stringify(json)}`);
    return json as unknown as SavedView;
  }

  setAlert(by: Caller, { id }: Pick<SavedView, 'id'>, change: object = {}): Reply {
    return by.put(`/views/${id}/alert`, {
      mode: 'digest',
      hour: 8,
      timeZone: 'UTC',
      ownAddress: true,
      furtherAddresses: [],
      ...change,
    });
  }

  /** Sets an alert on a new view and returns the view. */
  async alert(by: Caller, alert: object = {}, view: ViewChange = {}): Promise<SavedView> {
    const made = await this.view(by, view);
    const { status, json } = await this.setAlert(by, made, alert);
    if (status !== 200) throw new Error(`The alert was not set: ${JSON.stringify(json)}`);
    return made;
  }

  /** Returns the record names that each newly arrived email lists. */
  async reportedNames(): Promise<readonly string[][]> {
    return (await this.mails()).map(({ text }) => namesIn(text));
  }

  async problem(): Promise<string> {
    return String((await this.app.rows('select problem from view_alert'))[0]?.['problem']);
  }

  /** Checks the alerts, sends the emails, and returns those that arrived since the last call. */
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

  /** Moves the clock to the next time that it shows the hour in UTC. */
  toHour(at: number): void {
    const today = Math.floor(this.now / day) * day + at * hour;
    this.app.now = today > this.now ? today : today + day;
  }
}

function withAlertService(open: OpenFresh): AlertService {
  const service = new AlertService(open);
  beforeEach(() => service.begin());
  afterEach(() => service.end());
  return service;
}

export function describeAlerts(name: string, tests: (service: AlertService) => void): void {
  describeWithDatabase(name, (open) => tests(withAlertService(open)));
}
