/** Makes the checkpoints of rules when they are due, and moves the rings that follow rules. Several processes may run it. */
import { maxCheckpoints } from '@patch/contract/licensing/checkpoint-endpoints.ts';
import type { AuditKey } from '../../platform/audit/audit-hash.ts';
import { appendEntries } from '../../platform/audit/audit-store.ts';
import { followAction, ruleAction, serviceEntry } from '../../platform/audit/service-entry.ts';
import type { Database, Session } from '../../platform/database/database.ts';
import { type Notifications, noNotifications } from '../../platform/database/notifications.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import type { Log } from '../../platform/logging/logging.ts';
import {
  addCheckpoint,
  lockCheckpoints,
  removeCheckpoint,
} from '../../records/checkpoints/checkpoint-store.ts';
import { findMoves, lockRings, promoteRing } from './ring-store.ts';
import { dateOf, findLastMoment } from './rule-moments.ts';
import { claimMoment, findSurplus, noteBlocked, readRules, type StoredRule } from './rule-store.ts';

export interface CheckpointRuleParts {
  readonly database: Database;
  readonly notifications?: Notifications;
  readonly key: AuditKey;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly clock?: () => number;
}

export interface CheckpointRules {
  /** Does all that is due; tests await it. */
  runDue(): Promise<void>;
  stop(): Promise<void>;
}

export function startCheckpointRules({
  notifications = noNotifications,
  clock = Date.now,
  ...others
}: CheckpointRuleParts): CheckpointRules {
  const parts = { ...others, clock };
  let stopping = false;
  const looks = new SharedRead(async () => {
    for (const rule of await readRules(parts.database)) {
      if (stopping) return;
      await unlessFailed(parts, rule.name, () => makeDueCheckpoint(rule, parts));
    }
    if (!stopping) await moveRings(parts);
  });
  // No commit makes a moment come: the subscription calls every half minute.
  const unsubscribe = notifications.subscribe(
    [],
    () => void unlessFailed(parts, 'all', () => looks.now()),
  );
  return {
    runDue: () => looks.now(),
    async stop() {
      stopping = true;
      unsubscribe();
      await looks.now().catch(() => undefined);
    },
  };
}

type Parts = Required<Omit<CheckpointRuleParts, 'notifications'>>;

/** A failure is tried again with the next look, and does not keep other rules waiting. */
const unlessFailed = ({ log }: Parts, rule: string, work: () => Promise<void>): Promise<void> =>
  work().catch((err: unknown) =>
    log.warn({ err, rule }, 'a checkpoint rule could not be followed'),
  );

const dayMs = 24 * 3_600_000;

async function makeDueCheckpoint(rule: StoredRule, parts: Parts): Promise<void> {
  const { database, log, clock } = parts;
  const now = clock();
  const moment = findLastMoment(rule, now);
  // A time over a day ahead comes from a clock that was set back since.
  if (rule.doneTime >= moment && rule.doneTime <= now + dayMs) return;
  try {
    const made = await database.transaction((tx) => makeCheckpoint(tx, rule, moment, parts));
    if (made !== null) log.info({ rule: rule.name, ...made }, 'a rule made a checkpoint');
  } catch (error) {
    if (!(error instanceof TooManyCheckpoints)) throw error;
    if (await noteBlocked(database, rule))
      log.warn(
        { rule: rule.name, checkpoints: maxCheckpoints },
        'a rule cannot make its checkpoint, because there are too many',
      );
  }
}

class TooManyCheckpoints extends Error {
  override readonly name = 'TooManyCheckpoints';
}

/**
 * Claims the moment and makes its checkpoint in one transaction, so that it is made once however many processes look and end.
 * @throws TooManyCheckpoints when there are too many also without those that the rule removes.
 */
async function makeCheckpoint(
  tx: Session,
  rule: StoredRule,
  moment: number,
  { key, clock }: Parts,
) {
  if (!(await claimMoment(tx, rule, moment))) return null;
  const existing = await lockCheckpoints(tx);
  const surplus = await findSurplus(tx, rule.id, rule.keep - 1);
  if (existing - surplus.length >= maxCheckpoints) throw new TooManyCheckpoints();
  const removed: string[] = [];
  for (const id of surplus) removed.push((await removeCheckpoint(tx, id)) ?? '');
  const checkpoint = await addNamed(tx, rule, `${rule.name} ${dateOf(rule, moment)}`, clock());
  const made = { checkpoint: checkpoint.name, removed };
  const after = JSON.stringify({ id: checkpoint.id, rule: rule.name, removed });
  const subject = `checkpoint ${checkpoint.name}`;
  const time = checkpoint.createdTime;
  await appendEntries(tx, key, [serviceEntry({ time, action: ruleAction, subject, after })]);
  return made;
}

/** Adds a number to the name when another checkpoint has it. */
async function addNamed(
  tx: Session,
  { id, name: createdBy }: StoredRule,
  name: string,
  now: number,
) {
  for (let number = 1; ; number += 1) {
    const unique = number === 1 ? name : `${name} (${number})`;
    const added = await addCheckpoint(tx, { name: unique, createdBy, rule: id }, now);
    if (added !== null) return added;
  }
}

/** Moves the rings whose rule has a newer checkpoint that is old enough. */
async function moveRings({ database, key, log, clock }: Parts): Promise<void> {
  if ((await findMoves(database, clock())).length === 0) return;
  const moves = await database.transaction(async (tx) => {
    await lockRings(tx);
    const now = clock();
    const due = await findMoves(tx, now);
    for (const { ring, rule, checkpoint } of due)
      await promoteRing(tx, ring, { checkpoint, by: rule, now });
    const entries = due.map(({ name, rule, from, to }) =>
      serviceEntry({
        time: now,
        action: followAction,
        subject: `ring ${name}`,
        before: JSON.stringify({ checkpoint: from }),
        after: JSON.stringify({ checkpoint: to, rule }),
      }),
    );
    await appendEntries(tx, key, entries);
    return due;
  });
  for (const { name, rule, to } of moves)
    log.info({ ring: name, rule, checkpoint: to }, 'a ring followed its rule');
}
