/** What every module of one running application shares. It is created once; plugins receive it as their options. */

import type { AuditAnchors } from './audit/audit-anchor.ts';
import { type AuditKey, auditKey } from './audit/audit-key.ts';
import type { Config } from './config/config.ts';
import type { Database, ListSource, Pools } from './database/database.ts';
import { type Notifications, noNotifications } from './database/notifications.ts';
import type { Log } from './logging/logging.ts';
import { addMail, type NewMail } from './mail/mail-outbox-store.ts';
import type { CatalogueServers } from './replicas/catalogue-servers.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { type LiveSettings, liveSettings } from './settings/live-settings.ts';

export interface PlatformParts {
  readonly database: Database;
  /** Absent: all of the application shares the connections of `database`. */
  readonly pools?: Pools;
  /** Tells what other processes have committed; absent: there are none. */
  readonly notifications?: Notifications;
  /** Read replicas of the database; null or absent: there are none. */
  readonly replicas?: CatalogueServers | null;
  readonly config: Pick<
    Config,
    | 'databaseUrl'
    | 'baseUrl'
    | 'trustProxy'
    | 'sessionIdleMinutes'
    | 'sessionMaxHours'
    | 'checkReplies'
    | 'feedMirror'
    | 'mailTargets'
  > &
    Partial<Pick<Config, 'searchMemoryMegabytes'>>;
  readonly log: Log;
  readonly box: SecretBox;
  /** Epoch milliseconds; the system's clock when absent. */
  readonly clock?: () => number;
  /** Called when there are emails to send. */
  readonly onMail?: () => void;
  /** Where the end of the audit log is noted outside the database. */
  readonly anchors?: AuditAnchors | null;
}

export interface PlatformContext extends Required<PlatformParts> {
  /** What lists are read from: replicas where they are new enough, else the database. */
  readonly lists: ListSource;
  readonly settings: LiveSettings;
  readonly auditKey: AuditKey;
  /** Base URL of the console, for links: the setting, else the address at which this process listens. */
  readonly baseUrl: () => string;
  /** The time zone of the service; null without one. */
  readonly timeZone: () => string | null;
  /** Queues an email and has it sent soon. */
  readonly sendMail: (mail: NewMail) => Promise<void>;
}

/** @param address the URL at which this process listens; asked only once it does. */
export async function platformContext(
  {
    database,
    config,
    log,
    box,
    clock = Date.now,
    onMail = () => undefined,
    anchors = null,
    replicas = null,
    pools = { searches: database, signIns: database },
    notifications = noNotifications,
  }: PlatformParts,
  address: () => string,
): Promise<PlatformContext> {
  const settings = await liveSettings({
    database,
    config,
    notifications,
    onError: (error) => log.warn({ err: error }, 'the settings could not be read'),
  });
  return {
    database,
    pools,
    notifications,
    replicas,
    lists: replicas ?? pools.searches,
    config,
    log,
    box,
    clock,
    onMail,
    anchors,
    settings,
    auditKey: auditKey(box),
    baseUrl: () => settings.current().baseUrl ?? address(),
    timeZone: () => settings.current().timeZone,
    async sendMail(mail) {
      await addMail(database, mail, clock());
      onMail();
    },
  };
}
