/** What the HTTP application is assembled from. */

import type { Sync } from '../ingest/sync/start-sync.ts';
import type { Downloads } from '../operations/downloads/start-downloads.ts';
import type { AuditAnchors } from '../platform/audit/audit-anchor.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { ServicePhase } from '../platform/http/health-routes.ts';
import type { EventTimes } from '../platform/http/send-events.ts';
import type { Log } from '../platform/logging/logging.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';

export interface AppParts {
  /** Where the end of the audit log is noted outside the database. */
  readonly anchors?: AuditAnchors | null;
  readonly database: Database;
  readonly config: Pick<
    Config,
    | 'baseUrl'
    | 'trustProxy'
    | 'sessionIdleMinutes'
    | 'sessionMaxHours'
    | 'checkReplies'
    | 'feedMirror'
    | 'mailTargets'
  >;
  readonly log: Log;
  readonly sync: Pick<Sync, 'start' | 'cancel' | 'keepSchedules'>;
  readonly box: SecretBox;
  /** Null: this process makes no downloads. */
  readonly downloads?: Downloads | null;
  /** Called when there are emails to send. */
  readonly onMail?: () => void;
  readonly clock?: () => number;
  /** For load balancers; ready, when absent. */
  readonly phase?: () => ServicePhase;
  /** METRICS_TOKEN. */
  readonly metricsToken?: string | null;
  readonly eventTimes?: EventTimes;
  /** The built console. */
  readonly consoleFolder?: string;
}
