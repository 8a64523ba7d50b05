/** Writes every administrative action, and every call that reports a change, to the audit log. */
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { Action } from '../http/endpoint-plugin.ts';
import { toFailure } from '../http/failure-of.ts';
import type { AuditedChange } from '../http/route.ts';
import type { Log } from '../logging/logging.ts';
import type { Anchor, AuditAnchors } from './audit-anchor.ts';
import type { AuditKey } from './audit-hash.ts';
import { addEntries, type NewEntry } from './audit-store.ts';
import { maskedJson, maskUnknown } from './masked-json.ts';

export interface AuditHookParts {
  readonly database: Database;
  readonly key: AuditKey;
  readonly anchors: Pick<AuditAnchors, 'note'> | null;
  readonly log: Pick<Log, 'info' | 'error'>;
  readonly clock: () => number;
}

/**
 * Records an action before its response is sent. A completed action that could not be recorded cannot be undone either: its
 * caller gets a 503, so that no one assumes an entry exists, and the server log has all fields of the entry.
 *
 * @throws AppError `audit_unwritten` when the action succeeded but its entry could not be written.
 */
export function auditHook({
  database,
  key,
  anchors,
  log,
  clock,
}: AuditHookParts): (action: Action) => Promise<void> {
  // The log has the same hashes: an action does not fail because the disk is full.
  const noteAnchors = (added: readonly Anchor[]) => {
    try {
      anchors?.note(added);
    } catch (error) {
      log.error({ err: error }, 'the end of the audit log could not be noted in DATA_DIR');
    }
  };
  return async (action) => {
    if (!isRecorded(action)) return;
    const entries = buildEntries(action, clock());
    try {
      const added = await addEntries(database, key, entries);
      noteAnchors(added);
      for (const { id, hash, action: name, subject, outcome, requestId } of added)
        log.info(
          { requestId, audit: id, action: name, subject, outcome, hash },
          'written to the audit log',
        );
    } catch (error) {
      log.error(
        { requestId: action.requestId, err: error, entries },
        'the audit log could not be written',
      );
      if (action.failure === undefined) throw auditWriteError();
    }
  };
}

export const auditWriteError = () =>
  new AppError(
    'audit_unwritten',
    'The action was completed, but could not be written to the audit log. Check the result, and tell the administrator of this service.',
    { retryAfterSeconds: 5 },
  );

/** Returns true for reads that report a change too, since a sign-in may come through a link. */
const isRecorded = ({ call, changes }: Action) => changes.length > 0 || administers(call);
/** Reports of machines are no actions of a person: hundreds arrive each hour. */
const administers = (call: Endpoint) =>
  ['admin', 'approver', 'operator'].includes(call.access) &&
  call.method !== 'GET' &&
  call.reads !== true &&
  call.scope !== 'report';

function buildEntries(action: Action, now: number): readonly NewEntry[] {
  const { changes, input } = action;
  if (changes.length > 0)
    return changes.map((change) => ({
      ...toActor(action, change),
      ...toOutcome(action),
      time: now,
      subject: toStorableLine(change.subject),
      before: maskedJson(change.before),
      after: maskedJson(change.after),
      parameters: null,
    }));
  const { params, query, body } = input;
  const given = Object.fromEntries(
    Object.entries({ ...asRecord(params), ...asRecord(query) }).map(([name, value]) => [
      name,
      String(value),
    ]),
  );
  const parameters = {
    ...(Object.keys(given).length > 0 && { in: given }),
    ...(body !== undefined && body !== null && { body: maskUnknown(action.call.body, body) }),
  };
  return [
    {
      ...toActor(action),
      ...toOutcome(action),
      time: now,
      subject: toStorableLine(describeParameters(given)),
      before: null,
      after: null,
      parameters: Object.keys(parameters).length === 0 ? null : maskedJson(parameters, true),
    },
  ];
}

/** Writes the parameters of a path as text: `id 7`, `service wsus`. */
function describeParameters(given: Readonly<Record<string, string>>): string {
  const shown = JSON.parse(maskedJson(given) ?? '{}') as Record<string, string>;
  return Object.entries(shown)
    .filter(([name]) => name !== 'prefix')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function toActor(
  { call, caller: { user, keyName, client }, address, requestId, failure }: Action,
  change?: AuditedChange,
) {
  // Before sign-in, the user name is only a claim.
  const person = user ?? (failure === undefined ? change?.by : undefined) ?? null;
  return {
    userId: person?.id ?? null,
    userName: person === null ? null : toStorableLine(person.name),
    keyName: keyName === null ? null : toStorableLine(keyName),
    clientId: client?.id ?? null,
    clientName: client === null ? null : toStorableLine(client.clientName),
    action: call.name,
    address,
    requestId,
  };
}

function toOutcome({ failure }: Action): Pick<NewEntry, 'outcome' | 'code'> {
  if (failure === undefined) return { outcome: 'done', code: '' };
  const { code, isServerFault } = toFailure(failure);
  return { outcome: isServerFault ? 'failed' : 'refused', code };
}

/** Makes a text that PostgreSQL can store, on one line. */
const toStorableLine = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 500)
    .toWellFormed();

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
