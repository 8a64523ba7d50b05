/** Starts the service. A StartupError says in one sentence why it cannot start. */

import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { feeds } from '@patch/catalogue/feeds.ts';
import type { FastifyInstance } from 'fastify';
import { type IntakeOptions, startIntake } from '../fleet/intake/start-intake.ts';
import { missingCriteria } from '../fleet/missing/missing-criteria.ts';
import { queueReportMails } from '../fleet/report/queue-report-mails.ts';
import { type FleetOptions, startFleet } from '../fleet/start-fleet.ts';
import { startAssessments } from '../formats/start-assessments.ts';
import {
  createFirstAdministrator,
  type FirstAdministrator,
} from '../identity/sign-in/administrators.ts';
import { startSync } from '../ingest/sync/start-sync.ts';
import { clientCriteria } from '../licensing/clients/client-criteria-store.ts';
import { startLicenceWarnings } from '../licensing/clients/licence-warnings.ts';
import { startCheckpointRules } from '../licensing/rings/start-checkpoint-rules.ts';
import { type PublishingParts, startPublishing } from '../licensing/tree/start-publishing.ts';
import { treeSecret } from '../licensing/tree/tree-keys.ts';
import { treeParts } from '../licensing/tree/tree-place.ts';
import { startDownloads } from '../operations/downloads/start-downloads.ts';
import { auditAnchors } from '../platform/audit/audit-anchor.ts';
import { auditKey } from '../platform/audit/audit-hash.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/database.ts';
import { findDatabaseUnavailable } from '../platform/database/database-unavailable.ts';
import { NotificationListener, type Notifications } from '../platform/database/notifications.ts';
import { connectDatabase, lostAtStart } from '../platform/database/schema/connect-database.ts';
import { StartupError } from '../platform/errors/startup-error.ts';
import {
  assertUsableFiles,
  repairModes,
  warnOfLooseModes,
} from '../platform/files/private-files.ts';
import type { ServicePhase } from '../platform/http/health-routes.ts';
import { closeApp, listen } from '../platform/http/listen.ts';
import type { Log } from '../platform/logging/logging.ts';
import { startOutboxSender } from '../platform/outbox/outbox-sender.ts';
import { postgresAccount } from '../platform/postgres/postgres-account.ts';
import { openReplicas } from '../platform/replicas/open-replicas.ts';
import { type SecretBox, secretBox } from '../platform/secrets/secret-box.ts';
import { secretKey } from '../platform/secrets/secret-key.ts';
import { startAlerts } from '../reports/alerts/start-alerts.ts';
import type { AppParts } from './app-parts.ts';

export interface Service {
  /** The address of the service; null for a worker, which listens on no port. */
  readonly url: string | null;
  /** Running requests have ten seconds to end. */
  stop(): Promise<void>;
}

export interface ServiceEvents {
  /** Called at most once, before the service is ready. */
  readonly onFirstAdministrator: (administrator: FirstAdministrator) => void;
}

export type BuildApp = (parts: AppParts) => Promise<FastifyInstance>;

/** @param buildApp Builds the application, which lies above this folder. */
export async function startService(
  {
    config,
    log,
    buildApp,
  }: { readonly config: Config; readonly log: Log; readonly buildApp: BuildApp },
  events: ServiceEvents,
): Promise<Service> {
  assertRoleFits(config);
  const account = config.databaseUrl === null ? postgresAccount() : null;
  warnOfLooseModes(repairModes(config.dataDir, account?.gid), log);
  const onLost = (error: Error) =>
    log.warn({ err: error }, 'a connection to the database was lost');
  const database = await connectDatabase(config, log, onLost);
  const { pools } = database;
  const notifications = new NotificationListener({ url: database.url, onLost });
  const parts = { database, notifications, config, log };
  const undo: (() => Promise<void>)[] = [() => database.close(), () => notifications.close()];
  const stop = async () => {
    // In reverse order of the start: requests end before the sync, the sync before the database.
    for (let end = undo.pop(); end !== undefined; end = undo.pop()) await end();
  };
  try {
    const key = secretKey(config);
    const box = secretBox(key);
    const first = await createFirstAdministrator(database, config, Date.now());
    if (first !== null) events.onFirstAdministrator(first);
    const replicas =
      config.role === 'worker' ? null : await openReplicas({ ...parts, database: pools.searches });
    if (replicas !== null) undo.push(() => replicas.close());
    const sync = await startSync(parts);
    undo.push(() => sync.stop(), ...startBackgroundJobs(parts, box));
    let listening: string | null = null;
    const mails =
      config.role === 'web'
        ? null
        : startOutboxSender({
            ...parts,
            box,
            channelTargets: config.channelTargets,
            baseUrl: { configured: config.baseUrl, fallback: () => listening },
          });
    if (mails !== null)
      undo.push(() => mails.stop(), ...startMailJobs(parts, box, mails, () => listening));
    if (config.role === 'worker') return { url: null, stop };
    const { stop: stopThreads, ...threads } = await startThreads({ ...parts, key });
    undo.push(stopThreads);
    let phase: ServicePhase = 'starting';
    const { metricsToken, drainSeconds } = config;
    const app = await buildApp({
      ...parts,
      pools,
      replicas: replicas?.servers ?? null,
      sync,
      box,
      anchors: auditAnchors(config.dataDir),
      ...threads,
      formatsFolder: join(config.dataDir, 'formats'),
      tree: treeParts(config),
      metricsToken,
      phase: () => phase,
      onMail: () => mails?.look(),
    });
    undo.push(async () => {
      const begun = phase === 'ready';
      phase = 'stopping';
      // Load balancers check every few seconds and send requests until they have seen the phase.
      if (begun) await after(drainSeconds * 1000);
      await closeApp(app, log);
    });
    const url = await listen(app, config);
    listening = url;
    phase = 'ready';
    return { url, stop };
  } catch (error) {
    await stop();
    const lost = findDatabaseUnavailable(error);
    throw lost === null ? error : lostAtStart(lost);
  }
}

/** Starts the jobs that send emails and returns how to stop each. */
function startMailJobs(
  {
    database,
    notifications,
    config,
    log,
  }: {
    readonly database: Database;
    readonly notifications: Notifications;
    readonly config: Pick<Config, 'baseUrl'>;
    readonly log: Log;
  },
  box: SecretBox,
  mails: { readonly look: () => void },
  listening: () => string | null,
): readonly (() => Promise<void>)[] {
  const onMail = () => mails.look();
  const warnings = startLicenceWarnings({ database, log, onMail });
  const baseUrl = { configured: config.baseUrl, fallback: listening };
  const alerts = startAlerts({
    database,
    notifications,
    box,
    evaluators: new Map([...missingCriteria(database), ...clientCriteria(database, box)]),
    feeds,
    log,
    baseUrl,
    onMail,
    queueOthers: queueReportMails,
  });
  return [() => warnings.stop(), () => alerts.stop()];
}

/** Starts what requests hand to threads. The threads themselves start with their first work. */
async function startThreads(options: Parameters<typeof startDownloads>[0] & IntakeOptions) {
  const downloads = await startDownloads(options);
  const intake = startIntake(options);
  const assessments = startAssessments(options);
  return {
    downloads,
    intake,
    assessments,
    stop: async (): Promise<void> => {
      await Promise.all([downloads.stop(), intake.stop(), assessments.stop()]);
    },
  };
}

function assertRoleFits({ databaseUrl, role }: Pick<Config, 'databaseUrl' | 'role'>): void {
  if (databaseUrl === null && role !== 'all')
    throw new StartupError(
      `ROLE=${role} needs DATABASE_URL: the embedded database serves one process only, which must use ROLE=all.`,
    );
}

/** Starts the fleet thread and the rules of checkpoints in a process that does background work, and returns how to stop each. */
function startBackgroundJobs(
  options: FleetOptions & Omit<PublishingParts, 'key' | 'config'> & { readonly config: Config },
  box: SecretBox,
) {
  if (options.config.role === 'web') return [];
  const fleet = startFleet(options);
  const rules = startCheckpointRules({ ...options, key: auditKey(box) });
  const publishing = startPublishing({ ...options, key: treeSecret(box) });
  return [() => fleet.stop(), () => rules.stop(), async () => publishing?.stop()];
}

/** Creates DATA_DIR before anything else, since it contains the logs. */
export function makeDataDir({ dataDir }: Pick<Config, 'dataDir'>): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.R_OK | constants.W_OK);
    assertUsableFiles(dataDir);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `DATA_DIR ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}. Let this account write there, or name another folder.`,
      { cause: error },
    );
  }
}
