/** Shared parts of one running application. They are created once; plugins receive them as their options. */

import type { AuditAnchors } from './audit/audit-anchor.ts';
import { type AuditKey, auditKey } from './audit/audit-hash.ts';
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
  /** Absent: the application uses the connections of `database` for everything. */
  readonly pools?: Pools;
  /** Events about commits of other processes. Absent: there are no other processes. */
  readonly notifications?: Notifications;
  /** Read replicas of the database. Null or absent: the database has none. */
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
    Partial<Pick<Config, 'searchMemoryMegabytes' | 'channelTargets'>>;
  readonly log: Log;
  readonly box: SecretBox;
  /** Epoch milliseconds; the system's clock when absent. */
  readonly clock?: () => number;
  /** Called when there are emails to send. */
  readonly onMail?: () => void;
  /** Anchors of the audit log, outside the database. */
  readonly anchors?: AuditAnchors | null;
}

export interface PlatformContext extends Required<PlatformParts> {
  /** Source for reading lists: replicas if recent enough, else the database. */
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

/** @param address - Returns the URL of this process. It is called only after the process listens. */
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
