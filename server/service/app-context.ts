/** Creates the context that the plugins of one application share, module by module from the lowest layer up. */
import type { FleetOptions } from '../fleet/fleet-plugin.ts';
import { intakeHere } from '../fleet/intake/intake.ts';
import { missingCriteria } from '../fleet/missing/missing-criteria.ts';
import type { FormatsContext } from '../formats/formats-plugin.ts';
import { answerBatchBySize, answerBatchHere } from '../formats/osv/osv-batch.ts';
import { type IdentityContext, identityContext } from '../identity/identity-context.ts';
import { type IngestContext, ingestContext } from '../ingest/ingest-plugin.ts';
import { findClient } from '../licensing/clients/client-authenticator.ts';
import { clientCriteria } from '../licensing/clients/client-criteria-store.ts';
import { ClientMemory } from '../licensing/clients/client-memory.ts';
import { PositionBuffer } from '../licensing/clients/position-buffer.ts';
import type { LicensingContext } from '../licensing/licensing-plugin.ts';
import { treeGiver } from '../licensing/tree/tree-access.ts';
import { treeSecret } from '../licensing/tree/tree-keys.ts';
import { assessBySize, assessHere } from '../machines/assessor.ts';
import type { OperationsContext } from '../operations/operations-plugin.ts';
import { platformContext } from '../platform/platform-context.ts';
import type { PlatformOptions } from '../platform/platform-plugin.ts';
import { recordsContext } from '../records/records-context.ts';
import type { AppParts } from './app-parts.ts';

/** Fits the options of every module's plugin: each sees what its own layer and the layers below have created. */
export type AppContext = PlatformOptions &
  IdentityContext &
  LicensingContext &
  IngestContext &
  OperationsContext &
  FleetOptions &
  FormatsContext;

/** @param address Returns the URL at which this process listens; called only once it listens. */
export async function appContext(parts: AppParts, address: () => string): Promise<AppContext> {
  const platform = await platformContext(parts, address);
  const { database, clock, log } = platform;
  const clients = new ClientMemory(database, clock);
  const positions = new PositionBuffer(database, {
    onFailure: (error) => log.warn({ err: error }, 'positions of clients could not be written'),
  });
  const identity = identityContext(platform);
  const { phase = () => 'ready' as const, metricsToken = null, downloads = null } = parts;
  const records = recordsContext(
    platform,
    new Map([...missingCriteria(database, clock), ...clientCriteria(database, platform.box)]),
  );
  const assessor = assessHere(records);
  const answerBatch = answerBatchHere(database);
  const { assessments, tree = null } = parts;
  return {
    ...identity,
    ...records,
    assessor: assessments ? assessBySize(assessor, assessments.assessor) : assessor,
    answerBatch: assessments
      ? answerBatchBySize(answerBatch, assessments.answerBatch)
      : answerBatch,
    ...ingestContext(platform, parts.sync),
    downloads,
    formatsFolder: parts.formatsFolder ?? null,
    intake: parts.intake ?? intakeHere({ database, clock }),
    clients,
    positions,
    tree: tree === null ? null : treeGiver({ ...tree, secret: treeSecret(platform.box) }),
    publishing: tree === null ? null : { folder: tree.folder.published, place: tree.place },
    authenticators: {
      findSession: identity.sessions.find,
      findApiKey: identity.findApiKey,
      findUser: identity.findUser,
      findClient: (token) => findClient(clients, token, clock()),
    },
    isSessionValid: identity.sessions.isValid,
    phase,
    metricsToken,
    ...(parts.eventTimes && { eventTimes: parts.eventTimes }),
  };
}
