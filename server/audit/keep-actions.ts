/** Which actions the audit log keeps, and how: everything that administers, and whatever says that it changed something. */
import type { Call } from '@patch/contract/call.ts';
import type { Database } from '../database/database.ts';
import type { Change } from '../http/answer.ts';
import type { Action } from '../http/answer-calls.ts';
import { failureOf } from '../http/failure-of.ts';
import { Refusal } from '../http/refusal.ts';
import type { Log } from '../logging.ts';
import type { Anchor, AuditAnchors } from './audit-anchor.ts';
import type { AuditKey } from './audit-key.ts';
import { addEntries, type NewEntry } from './audit-store.ts';
import { maskedJson } from './masked-json.ts';

export interface KeepActions {
  readonly database: Database;
  readonly key: AuditKey;
  readonly anchors: Pick<AuditAnchors, 'note'> | null;
  readonly log: Pick<Log, 'info' | 'error'>;
  readonly clock: () => number;
}

/**
 * Writes an action down before it is answered. One that was done and could not be written down cannot be undone either: it is
 * answered with 503, so that nobody takes it for done and on record, and stands in the log with all that the entry would have said.
 */
export function keepActions({ database, key, anchors, log, clock }: KeepActions): (action: Action) => Promise<void> {
  // The log has the same hashes: an action does not fail because the disk is full.
  const noteAnchors = (added: readonly Anchor[]) => {
    try {
      anchors?.note(added);
    } catch (error) {
      log.error({ err: error }, 'the end of the audit log could not be noted in DATA_DIR');
    }
  };
  return async (action) => {
    if (!isKept(action)) return;
    const entries = entriesOf(action, clock());
    try {
      const added = await addEntries(database, key, entries);
      noteAnchors(added);
      for (const { id, hash, action: name, subject, outcome, requestId } of added)
        log.info({ requestId, audit: id, action: name, subject, outcome, hash }, 'written to the audit log');
    } catch (error) {
      log.error({ requestId: action.requestId, err: error, entries }, 'the audit log could not be written');
      if (action.failure === undefined) throw notOnRecord();
    }
  };
}

export const notOnRecord = () =>
  new Refusal(
    503,
    'audit_unwritten',
    'It was done, but it could not be written to the audit log. Look whether it is as you want it, and tell whoever runs the service.',
    {
      'retry-after': '5',
    },
  );

/** What reads is kept when it says that it changed something: a sign-in may come by a link. */
const isKept = ({ call, changes }: Action) => changes.length > 0 || administers(call);
const administers = (call: Call) => call.access === 'admin' && call.method !== 'GET' && call.reads !== true;

function entriesOf(action: Action, now: number): readonly NewEntry[] {
  const { changes, input } = action;
  if (changes.length > 0)
    return changes.map((change) => ({
      ...whoOf(action, change),
      ...outcomeOf(action),
      time: now,
      subject: plain(change.subject),
      before: maskedJson(change.before),
      after: maskedJson(change.after),
      parameters: null,
    }));
  const { params, query, body } = input;
  const given = Object.fromEntries(
    Object.entries({ ...asRecord(params), ...asRecord(query) }).map(([name, value]) => [name, String(value)]),
  );
  const parameters = { ...(Object.keys(given).length > 0 && { in: given }), ...(body !== undefined && body !== null && { body }) };
  return [
    {
      ...whoOf(action),
      ...outcomeOf(action),
      time: now,
      subject: plain(subjectOf(given)),
      before: null,
      after: null,
      parameters: Object.keys(parameters).length === 0 ? null : maskedJson(parameters),
    },
  ];
}

/** What an address says, as words: `id 7`, `service wsus`. */
function subjectOf(given: Readonly<Record<string, string>>): string {
  const shown = JSON.parse(maskedJson(given) ?? '{}') as Record<string, string>;
  return Object.entries(shown)
    .filter(([name]) => name !== 'prefix')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function whoOf({ call, caller: { user, keyName, client }, address, requestId, failure }: Action, change?: Change) {
  // Whoever tries to sign in is not yet whom they say they are.
  const person = user ?? (failure === undefined ? change?.by : undefined) ?? null;
  return {
    userId: person?.id ?? null,
    userName: person === null ? null : plain(person.name),
    keyName: keyName === null ? null : plain(keyName),
    clientId: client?.id ?? null,
    clientName: client === null ? null : plain(client.clientName),
    action: call.name,
    address,
    requestId,
  };
}

function outcomeOf({ failure }: Action): Pick<NewEntry, 'outcome' | 'code'> {
  if (failure === undefined) return { outcome: 'done', code: '' };
  const { code, ours } = failureOf(failure);
  return { outcome: ours ? 'failed' : 'refused', code };
}

/** As PostgreSQL takes it, in one line. */
const plain = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 500)
    .toWellFormed();

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
