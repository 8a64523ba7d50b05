/** Sends queued mails one after another, and retries failed ones. */
import { hash } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import type { Database } from '../database/database.ts';
import { type Notifications, noNotifications } from '../database/notifications.ts';
import type { Log } from '../logging/logging.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { readSettings } from '../settings/settings-store.ts';
import { readMailAccount } from './email-config-store.ts';
import {
  noteFailed,
  noteSent,
  removeOldMails,
  type TakenMail,
  takeMail,
} from './mail-outbox-store.ts';
import { oneLine } from './one-line.ts';
import { sendMail } from './send-mail.ts';

export interface MailSenderParts {
  readonly database: Database;
  readonly notifications?: Notifications;
  readonly box: SecretBox;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly clock?: () => number;
  /** Certificate authorities that tests trust besides the system's. */
  readonly tls?: ConnectionOptions;
}

export interface MailSender {
  /** Starts sending in the background when mails may be waiting. */
  look(): void;
  /** Sends all due mails. Tests wait for it. */
  sendDue(): Promise<void>;
  stop(): Promise<void>;
}

const minute = 60_000;
/** Delays between two attempts. The attempt after the last delay is the last one. */
const retryDelaysMs = [minute, 5 * minute, 15 * minute, 60 * minute, 6 * 60 * minute] as const;
const longestDelayMs = Math.max(...retryDelaysMs);
const leaseMs = 5 * minute;
const day = 24 * 60 * minute;

/** Derives the key from the stored mail, so that it survives a restart and differs between installations. */
const toMessageKey = ({ id, queued_time, kind, recipient, subject }: TakenMail): string =>
  hash('sha256', JSON.stringify([id, queued_time, kind, recipient, subject])).slice(0, 32);

export function startMailSender({
  database,
  notifications = noNotifications,
  box,
  log,
  clock = Date.now,
  tls,
}: MailSenderParts): MailSender {
  let sending: Promise<void> | null = null;
  let again = false;
  const stopping = new AbortController();

  async function sendOne(mail: TakenMail): Promise<void> {
    try {
      const account = await readMailAccount(database, box);
      if (account === null)
        throw new Error('Mail is not configured: set a mail server in the email configuration.');
      await sendMail(account, { ...mail, messageKey: toMessageKey(mail) }, tls);
    } catch (error) {
      const reason = oneLine(error instanceof Error ? error.message : String(error));
      const wait = retryDelaysMs[mail.attempts - 1];
      await noteFailed(
        database,
        mail.id,
        reason,
        wait === undefined ? null : clock() + wait,
        clock(),
      );
      log.warn(
        { mail: mail.id, kind: mail.kind, attempts: mail.attempts, reason },
        wait === undefined ? 'gave up sending an email' : 'could not send an email; will retry',
      );
      return;
    }
    await noteSent(database, mail.id, clock());
    log.info({ mail: mail.id, kind: mail.kind }, 'sent an email');
  }

  async function sendAll(): Promise<void> {
    do {
      again = false;
      for (
        let mail = await takeMail(database, clock(), leaseMs, longestDelayMs);
        mail !== null && !stopping.signal.aborted;
        mail = await takeMail(database, clock(), leaseMs, longestDelayMs)
      ) {
        await sendOne(mail);
      }
      const { mailsKeptDays } = await readSettings(database);
      await removeOldMails(database, clock() - mailsKeptDays * day);
    } while (again && !stopping.signal.aborted);
  }

  function sendDue(): Promise<void> {
    if (sending !== null) {
      again = true;
      return sending;
    }
    sending = sendAll().finally(() => {
      sending = null;
    });
    return sending;
  }

  const look = () =>
    void sendDue().catch((error: unknown) =>
      log.warn({ err: error }, 'could not check for waiting emails'),
    );
  const unsubscribe = notifications.subscribe(['mails'], look);
  return {
    look,
    sendDue,
    async stop() {
      stopping.abort();
      unsubscribe();
      await sending?.catch(() => undefined);
    },
  };
}
