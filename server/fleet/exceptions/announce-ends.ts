/**
 * Announces the ends of exceptions, once each: some days before, and when they have ended, as events, and to their owners by email. The end
 * itself needs nothing: readers compare its date with the present.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { utcMinute } from '@patch/contract/dates/utc-minute.ts';
import { exceptionKindWords } from '@patch/contract/fleet/exception-kinds.ts';
import { scopeWords } from '@patch/contract/fleet/exception-scope-words.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { addEvent, chunkItems } from '../../platform/events/event-store.ts';
import { isEmailConfigured } from '../../platform/mail/email-config-store.ts';
import { addMail } from '../../platform/mail/mail-outbox-store.ts';
import { type FindIds, findMachinesOfNumbers } from '../groups/machines-of-group.ts';
import type { FleetWork } from '../judgement/fleet-lease-store.ts';
import { takeEnded, takeEnding } from './exception-store.ts';
import { type NamedException, readExceptions, readReach } from './listed-exception-store.ts';

const exceptionsPath = '/patch-repository/exceptions';

/** Also marks the machines of ended exceptions to be counted again. */
export async function announceEnds(
  { database, keepLease, clock }: FleetWork,
  findIds: FindIds,
): Promise<void> {
  await database.transaction(async (tx) => {
    await keepLease(tx);
    const now = clock();
    const parts = { tx, findIds, now };
    await announce(parts, 'exception.ended', await takeEnded(tx, now));
    await announce(parts, 'exception.ending', await takeEnding(tx, now));
  });
}

type EndType = 'exception.ended' | 'exception.ending';

interface Announcement {
  readonly tx: Queryable;
  readonly findIds: FindIds;
  readonly now: number;
}

async function announce(parts: Announcement, type: EndType, ids: readonly number[]): Promise<void> {
  const { tx, now } = parts;
  if (ids.length === 0) return;
  // The records of those that do not hold any more count as missing already.
  const exceptions = (await readExceptions(tx, [...new Set(ids)])).filter(({ holds }) => holds);
  if (exceptions.length === 0) return;
  for (const some of chunkItems(exceptions)) await addEvent(tx, toEvent(type, some), now);
  if (!(await isEmailConfigured(tx))) return;
  const owned = await keepOfOwners(parts, exceptions);
  for (const own of Map.groupBy(owned, ({ email }) => fold(email ?? '')).values())
    await addMail(
      tx,
      { kind: 'Exception', recipient: own[0]?.email ?? '', ...composeMail(type, own) },
      now,
    );
}

/** Returns the exceptions that their owners are told of: those of machines that exist for them. */
async function keepOfOwners(
  { tx, findIds, now }: Announcement,
  exceptions: readonly NamedException[],
): Promise<readonly NamedException[]> {
  const kept: NamedException[] = [];
  for (const exception of exceptions) {
    const { email, ownerGroups, exceptionId } = exception;
    if (email === null) continue;
    if (ownerGroups !== null) {
      const seen = await findMachinesOfNumbers(tx, findIds, ownerGroups, now);
      if (!(await readReach(tx, exceptionId, seen)).concerns) continue;
    }
    kept.push(exception);
  }
  return kept;
}

export const recordName = ({
  identifier,
  list,
  recordId,
}: Pick<NamedException, 'identifier' | 'list' | 'recordId'>): string =>
  identifier ?? `record ${recordId} of ${list}`;

function titleOf(type: EndType, exceptions: readonly NamedException[]): string {
  const [first] = exceptions;
  if (first === undefined || exceptions.length > 1)
    return `${exceptions.length} exceptions ${type === 'exception.ended' ? 'have ended: their records count as missing again' : 'end soon'}`;
  const what = `The exception for ${recordName(first)} ${scopeWords(first)}`;
  return type === 'exception.ended'
    ? `${what} has ended: it counts as missing again`
    : `${what} ends on ${utcMinute(first.until ?? 0)}`;
}

const describe = (type: EndType, { kind, until, owner, reason }: NamedException) =>
  [
    exceptionKindWords[kind],
    `${type === 'exception.ended' ? 'ended' : 'ends'} on ${utcMinute(until ?? 0)}`,
    ...(owner === null ? [] : [`owner ${owner.name}`]),
    reason,
  ].join(', ');

function toEvent(type: EndType, exceptions: readonly NamedException[]) {
  const [first] = exceptions;
  return {
    type,
    title: titleOf(type, exceptions),
    path: exceptionsPath,
    subject: exceptions.length === 1 ? { exceptionId: first?.exceptionId ?? 0 } : {},
    items: exceptions.map((exception) => ({
      name: `${recordName(exception)} ${scopeWords(exception)}`,
      about: describe(type, exception),
      path:
        exception.machineId === null
          ? exceptionsPath
          : `/patch-repository/machines/record/${exception.machineId}`,
    })),
    totalCount: exceptions.length,
  };
}

function composeMail(type: EndType, exceptions: readonly NamedException[]) {
  const body = [
    ...exceptions.map(
      (exception) =>
        `${recordName(exception)} ${scopeWords(exception)}: ${describe(type, exception)}`,
    ),
    '',
    type === 'exception.ended'
      ? 'These records count as missing again, and as overdue where they are. You own the exceptions.'
      : 'Afterwards these records count as missing again. You own the exceptions: prolong them under Exceptions, or install the updates.',
    '',
  ];
  return { subject: titleOf(type, exceptions).replaceAll(/\s+/g, ' '), body: body.join('\n') };
}
