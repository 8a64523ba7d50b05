/** Concludes until when a missing record is to be installed, by the policies of a machine's groups. Days are calendar days in UTC. */
import { isSerious } from '../schemas/severities.ts';

const dayMs = 86_400_000;

/** Days until a record is due, by band. */
export interface DuePolicy {
  /** Whether CISA's due date counts, where it states one. */
  readonly cisa: boolean;
  /** After CISA added the CVE, or after the release of the record where that is later. */
  readonly exploited: number;
  /** After the release of critical and important records. */
  readonly serious: number;
  readonly others: number;
}

export const defaultDuePolicy: DuePolicy = { cisa: true, exploited: 14, serious: 30, others: 90 };

export interface PolicyOfGroup {
  /** The name of the group; null for the default. */
  readonly group: string | null;
  readonly policy: DuePolicy;
}

export const defaultPolicies: readonly PolicyOfGroup[] = [
  { group: null, policy: defaultDuePolicy },
];

/** CISA's dates of a known exploited CVE, in epoch milliseconds. */
export interface KnownExploitation {
  readonly since: number;
  readonly due: number | null;
}

/** The facts that the due date of a record follows from. */
export interface DatedRecord {
  /** Epoch milliseconds. */
  readonly releaseDate: number | null;
  readonly severity: string | null;
  readonly exploited: boolean | null;
  /** Of the CVEs that the record names. */
  readonly known: readonly KnownExploitation[];
}

export interface DueDate {
  /** The day's midnight in UTC. Null: no rule yields a date. */
  readonly dueDate: number | null;
  /** Days since the due date; 0 until it is over. */
  readonly overdueDays: number;
  /** The rule and the dates from which it follows, in words. */
  readonly evidence: string;
}

interface Candidate {
  readonly day: number;
  /** Made for the earliest alone: writing dates takes most of the time. */
  readonly words: () => string;
}

/**
 * Returns the earliest date that any rule of the policies yields.
 * @param policies At least one.
 * @param now Epoch milliseconds.
 */
export function concludeDueDate(
  record: DatedRecord,
  policies: readonly PolicyOfGroup[],
  now: number,
): DueDate {
  const earliest = findEarliest(record, policies);
  if (earliest === undefined)
    return { dueDate: null, overdueDays: 0, evidence: 'no release date is known: no due date' };
  const { day, words } = earliest;
  return {
    dueDate: day,
    overdueDays: daysAfter(day, now),
    evidence: words(),
  };
}

/** Returns whether `concludeDueDate` yields days overdue, without writing its evidence. */
export function isOverdue(
  record: DatedRecord,
  policies: readonly PolicyOfGroup[],
  now: number,
): boolean {
  const earliest = findEarliest(record, policies);
  return earliest !== undefined && daysAfter(earliest.day, now) > 0;
}

const daysAfter = (day: number, now: number) => Math.max(0, (toDay(now) - day) / dayMs);

function findEarliest(
  record: DatedRecord,
  policies: readonly PolicyOfGroup[],
): Candidate | undefined {
  const [earliest] = policies
    .flatMap(({ group, policy }) => {
      const byDefault = policies.length > 1 ? ' (by default: another group has no policy)' : '';
      return findDates(record, policy, group === null ? byDefault : ` (group ${group})`);
    })
    .toSorted((a, b) => a.day - b.day);
  return earliest;
}

/** @param suffix Says in the evidence whose policy it is. */
function findDates(record: DatedRecord, policy: DuePolicy, suffix: string): readonly Candidate[] {
  const { releaseDate, severity, exploited, known } = record;
  const after = (what: string, from: number, days: number): Candidate => {
    const day = toDay(from) + days * dayMs;
    const words = () =>
      `${what} ${isoDay(from)} + ${days} ${days === 1 ? 'day' : 'days'} = due ${isoDay(day)}${suffix}`;
    return { day, words };
  };
  const found: Candidate[] = [];
  if (exploited === true) {
    for (const { since, due } of known) {
      if (policy.cisa && due !== null)
        found.push({ day: toDay(due), words: () => `CISA: due ${isoDay(due)}${suffix}` });
      else if (releaseDate !== null && toDay(releaseDate) > toDay(since))
        found.push(after('known exploited, released', releaseDate, policy.exploited));
      else found.push(after('known exploited since', since, policy.exploited));
    }
    if (known.length === 0 && releaseDate !== null)
      found.push(after('exploited by its vendor’s words, released', releaseDate, policy.exploited));
  }
  if (releaseDate !== null)
    found.push(
      after('released', releaseDate, isSerious(severity) ? policy.serious : policy.others),
    );
  return found;
}

const toDay = (time: number): number => Math.floor(time / dayMs) * dayMs;
const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
