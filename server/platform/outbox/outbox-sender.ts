/** Sends what waits in the outbox: emails one after another, and deliveries to several channels at once. Failed ones are retried. */
import { hash } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import { ChannelTargets } from '../channels/channel-targets.ts';
import type { PostParts } from '../channels/guarded-post.ts';
import type { Database } from '../database/database.ts';
import { type Notifications, noNotifications } from '../database/notifications.ts';
import { SharedRead } from '../database/shared-read.ts';
import { publishEvents } from '../events/event-store.ts';
import type { Log } from '../logging/logging.ts';
import { type MailAccount, readMailAccount } from '../mail/email-config-store.ts';
import { describeMailError } from '../mail/mail-error.ts';
import { sendMail } from '../mail/send-mail.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { readSettings } from '../settings/settings-store.ts';
import { deliverEvent } from './deliver-event.ts';
import {
  noteFailed,
  noteSent,
  removeOldDeliveries,
  retryDelaysMs,
  type TakenMail,
  takeDelivery,
  takeMail,
} from './outbox-store.ts';

export interface OutboxSenderParts {
  readonly database: Database;
  readonly notifications?: Notifications;
  readonly box: SecretBox;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly clock?: () => number;
  /** Certificate authorities that tests trust besides the system's. */
  readonly tls?: ConnectionOptions;
  /** CHANNEL_TARGETS. */
  readonly channelTargets?: readonly string[];
  /** The address of the console, for links: `fallback` is called when neither the configuration nor the settings have one. */
  readonly baseUrl?: { readonly configured: string | null; readonly fallback: () => string | null };
  /** How tests resolve names and limit time. */
  readonly post?: Pick<PostParts, 'resolve' | 'timeoutMs'>;
}

const day = 24 * 3_600_000;
/** Channels that are served at once: a receiver that hangs delays only the others' turns. */
const channelsAtOnce = 4;

/** Derives the key from the stored mail, so that it survives a restart and differs between installations. */
const toMessageKey = ({ id, queued_time, kind, recipient, subject }: TakenMail): string =>
  hash('sha256', JSON.stringify([id, queued_time, kind, recipient, subject])).slice(0, 32);

/** Starts sending when something may be waiting, until it is stopped. */
export const startOutboxSender = (parts: OutboxSenderParts) => new OutboxSender(parts);

export class OutboxSender {
  readonly #parts: OutboxSenderParts;
  readonly #targets: ChannelTargets;
  readonly #stopping = new AbortController();
  readonly #publishing = new SharedRead(() => publishEvents(this.#parts.database));
  /** Each looks again by itself, so that what hangs in one delays no other. */
  readonly #senders = [
    new SharedRead(() => this.#sendMails()),
    ...Array.from({ length: channelsAtOnce }, () => new SharedRead(() => this.#deliverEvents())),
  ];
  readonly #removal = new SharedRead(() => this.#removeOld());
  readonly #unsubscribe: () => void;

  constructor(parts: OutboxSenderParts) {
    this.#parts = parts;
    this.#targets = new ChannelTargets(parts.channelTargets ?? []);
    const { notifications = noNotifications } = parts;
    this.#unsubscribe = notifications.subscribe(['outbox', 'events'], () => this.look());
  }

  /** Starts sending in the background when something may be waiting. */
  look(): void {
    this.sendDue().catch((error: unknown) =>
      this.#parts.log.warn({ err: error }, 'could not send what waits in the outbox'),
    );
  }

  /** Sends everything that is due. Tests wait for it. */
  async sendDue(): Promise<void> {
    if (!this.#stopping.signal.aborted) await this.#publishing.now();
    await Promise.all(this.#senders.map((sender) => sender.now()));
    if (!this.#stopping.signal.aborted) await this.#removal.now();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    await this.sendDue().catch(() => undefined);
  }

  async #removeOld(): Promise<void> {
    const { database } = this.#parts;
    const { mailsKeptDays } = await readSettings(database);
    await removeOldDeliveries(database, this.#now() - mailsKeptDays * day);
  }

  /** Sends one email after another until none is due. */
  async #sendMails(): Promise<void> {
    const take = () => this.#take(takeMail);
    for (let mail = await take(); mail !== null; mail = await take()) await this.#sendMail(mail);
  }

  /** Returns null also once the sender is stopped. */
  async #take<Taken>(
    take: (database: Database, now: number) => Promise<Taken | null>,
  ): Promise<Taken | null> {
    return this.#stopping.signal.aborted ? null : take(this.#parts.database, this.#now());
  }

  /** Delivers one event after another until none is due for a channel that is not busy. */
  async #deliverEvents(): Promise<void> {
    const { database, box, post, tls, log } = this.#parts;
    const take = () => this.#take(takeDelivery);
    for (let taken = await take(); taken !== null; taken = await take()) {
      const { id, channelId: channel, type, attempts } = taken;
      const reason = await deliverEvent(taken, retryDelaysMs[attempts - 1] ?? null, {
        database,
        box,
        clock: () => this.#now(),
        baseUrl: await this.#baseUrl(),
        targets: this.#targets,
        tls,
        ...post,
      });
      const facts = { delivery: id, channel, type, attempts };
      if (reason === '') log.info(facts, 'delivered an event');
      else log.warn({ ...facts, reason }, 'could not deliver an event');
    }
  }

  async #sendMail(mail: TakenMail): Promise<void> {
    const { database, box, tls, log } = this.#parts;
    let account: MailAccount | null = null;
    try {
      account = await readMailAccount(database, box);
      if (account === null)
        throw new Error('Email is not configured: set a mail server in the email configuration.');
      await sendMail(account, { ...mail, messageKey: toMessageKey(mail) }, tls);
    } catch (error) {
      const reason = describeMailError(error, account?.password ?? null);
      const wait = retryDelaysMs[mail.attempts - 1];
      const now = this.#now();
      await noteFailed(database, mail.id, reason, wait === undefined ? null : now + wait, now);
      log.warn(
        { mail: mail.id, kind: mail.kind, attempts: mail.attempts, reason },
        wait === undefined ? 'gave up sending an email' : 'could not send an email; will retry',
      );
      return;
    }
    await noteSent(database, mail.id, this.#now());
    log.info({ mail: mail.id, kind: mail.kind }, 'sent an email');
  }

  async #baseUrl(): Promise<string | null> {
    const { database, baseUrl } = this.#parts;
    if (typeof baseUrl?.configured === 'string') return baseUrl.configured;
    return (await readSettings(database)).baseUrl ?? baseUrl?.fallback() ?? null;
  }

  #now(): number {
    return (this.#parts.clock ?? Date.now)();
  }
}
