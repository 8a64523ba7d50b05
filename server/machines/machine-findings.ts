/** The findings of an assessment, the same for each kind of machine. */
import type { ListKey } from '@patch/catalogue/lists.ts';
import type {
  NotJudgedReason,
  RecordVerdict,
} from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import type {
  JudgedItem,
  UnjudgedReason,
  Verdict,
} from '@patch/catalogue/machines/judgement/verdict.ts';
import { notJudged } from '@patch/catalogue/machines/judgement/verdict.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import type { HeldBackReason } from '@patch/contract/fleet/machine-endpoints.ts';
import type { Queryable } from '../platform/database/database.ts';
import { readHeldBackReasons } from './held-back-store.ts';
import {
  type RecordOfList,
  type RecordReference,
  readShownRecords,
  type ShownRecord,
} from './machine-records-store.ts';

/** A machine to assess. */
export interface AssessedMachine {
  readonly machine: Machine;
  /** Keys of missing records that an administrator has accepted: nothing is installed for their sake. */
  readonly accepted: ReadonlySet<string>;
  /** The ring of the machine: what it does not have is not installed. Null: nothing is held back. */
  readonly ring: number | null;
}

export interface StepToInstall {
  /** Key of the record. */
  readonly key: string;
  readonly command: string | null;
  readonly restart: string | null;
}

export interface Findings {
  /** All records with a verdict, by key. */
  readonly records: ReadonlyMap<string, RecordReference>;
  /** Verdicts by record key; may omit records that are not missing. */
  readonly verdicts: ReadonlyMap<string, RecordVerdict>;
  /** Shown columns of the records that are, or may be, missing, by key. */
  readonly shown: ReadonlyMap<string, ShownRecord>;
  /** The reason for which the ring of the machine does not have a record that is, or may be, missing, by its number. */
  readonly heldBack: ReadonlyMap<number, HeldBackReason>;
  readonly install: readonly StepToInstall[];
  /** The keys of the steps that close a missing record, by its key. */
  readonly closers: ReadonlyMap<string, readonly string[]>;
  /** Writes one command for steps of `install`; null where one of them has none. */
  readonly commandFor: (keys: ReadonlySet<string>) => string | null;
  /** Records that concern the machine and are not compared. */
  readonly leftOut: readonly { readonly reason: NotJudgedReason; readonly count: number }[];
  /** Packages, KBs and applications that were read, each with its verdict. */
  readonly items: readonly JudgedItem[];
  /** Verdict of Windows or macOS itself. */
  readonly system: Verdict | null;
  /** Compared lists. */
  readonly lists: readonly ComparedList[];
  /** Known vulnerabilities of installed packages that their vendor has not fixed. */
  readonly unfixed: readonly { readonly cve: string; readonly package: string }[];
}

export const noFindings: Findings = {
  records: new Map(),
  verdicts: new Map(),
  shown: new Map(),
  heldBack: new Map(),
  install: [],
  closers: new Map(),
  commandFor: () => null,
  leftOut: [],
  items: [],
  system: null,
  lists: [],
  unfixed: [],
};

export interface ComparedList {
  readonly list: ListKey;
  /** The compared part of the feed; null if all parts may contribute. */
  readonly part: string | null;
}

/** Returns the findings of a machine that is not compared, with the names that were read. */
export const toUnjudged = (reason: UnjudgedReason, names: readonly string[]): Findings => ({
  ...noFindings,
  items: names.map((name) => ({ name, verdict: notJudged(reason) })),
  system: notJudged(reason),
});

/** Counts the records that are not compared, by reason. */
export function countLeftOut(verdicts: ReadonlyMap<string, RecordVerdict>): Findings['leftOut'] {
  const counts = new Map<NotJudgedReason, number>();
  for (const verdict of verdicts.values())
    if (verdict.kind === 'notJudged')
      counts.set(verdict.reason, (counts.get(verdict.reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => ({ reason, count }));
}

export const recordsByKey = (records: readonly RecordOfList[]): ReadonlyMap<string, RecordOfList> =>
  new Map(records.map((record) => [record.key, record]));

/** Reads the shown columns of the records that are, or may be, missing. */
export const readShownFindings = (
  database: Queryable,
  { records, verdicts }: Pick<Findings, 'records' | 'verdicts'>,
): Promise<Findings['shown']> =>
  readShownRecords(
    database,
    getLacking(verdicts).flatMap(({ key }) => records.get(key) ?? []),
  );

/** Reads which of the records that are, or may be, missing the ring of the machine does not have. */
export async function findHeldBack(
  database: Queryable,
  { records, verdicts }: Pick<Findings, 'records' | 'verdicts'>,
  { ring }: Pick<AssessedMachine, 'ring'>,
): Promise<Findings['heldBack']> {
  if (ring === null) return noFindings.heldBack;
  const lacking = getLacking(verdicts).flatMap(({ key }) => records.get(key)?.recordId ?? []);
  return readHeldBackReasons(database, ring, lacking);
}

/** Returns the certainly missing records that are to be installed: those that are not accepted, and that the ring of the machine has. */
export const getOpen = (
  { records, verdicts, heldBack }: Pick<Findings, 'records' | 'verdicts' | 'heldBack'>,
  { accepted }: Pick<AssessedMachine, 'accepted'>,
) =>
  getLacking(verdicts).filter(
    ({ key, verdict }) =>
      verdict.kind === 'missing' &&
      !accepted.has(key) &&
      !heldBack.has(records.get(key)?.recordId ?? 0),
  );

/** Returns the records that are, or may be, missing. */
export const getLacking = (verdicts: ReadonlyMap<string, RecordVerdict>) =>
  [...verdicts].flatMap(([key, verdict]) =>
    'evidence' in verdict ? [{ key, verdict, evidence: verdict.evidence }] : [],
  );
