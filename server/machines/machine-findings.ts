/** What each kind of machine is judged to: the same shape for all of them. */
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
import type { RecordOfList, RecordPlace } from './machine-records-store.ts';

export interface StepToInstall {
  /** Of the record. */
  readonly key: string;
  readonly command: string | null;
  readonly restart: string | null;
  /** Names under which the step closes evidence of other records. */
  readonly brings: readonly string[];
}

export interface Findings {
  /** Of everything that has a verdict. */
  readonly records: ReadonlyMap<string, RecordPlace>;
  /** Records that are not missing may be left out. */
  readonly verdicts: ReadonlyMap<string, RecordVerdict>;
  readonly install: readonly StepToInstall[];
  readonly installCommand: string | null;
  /** Records that concern the machine and are not compared. */
  readonly leftOut: readonly { readonly reason: NotJudgedReason; readonly count: number }[];
  /** Packages, KBs and applications that were read, each with its verdict. */
  readonly items: readonly JudgedItem[];
  /** Of Windows or macOS itself. */
  readonly system: Verdict | null;
  /** Lists that were looked through. */
  readonly lists: readonly ComparedList[];
  /** Known vulnerabilities of installed packages that their vendor has not fixed. */
  readonly unfixed: readonly { readonly cve: string; readonly package: string }[];
}

export const noFindings: Findings = {
  records: new Map(),
  verdicts: new Map(),
  install: [],
  installCommand: null,
  leftOut: [],
  items: [],
  system: null,
  lists: [],
  unfixed: [],
};

export interface ComparedList {
  readonly list: ListKey;
  /** The part of the feed that fills what was compared; null where all of its parts may. */
  readonly part: string | null;
}

/** Of a machine of which nothing is compared, by the names of what was read. */
export const unjudged = (reason: UnjudgedReason, names: readonly string[]): Findings => ({
  ...noFindings,
  items: names.map((name) => ({ name, verdict: notJudged(reason) })),
  system: notJudged(reason),
});

/** How many records were left out for each reason. */
export function leftOutOf(verdicts: ReadonlyMap<string, RecordVerdict>): Findings['leftOut'] {
  const counts = new Map<NotJudgedReason, number>();
  for (const verdict of verdicts.values())
    if (verdict.kind === 'notJudged')
      counts.set(verdict.reason, (counts.get(verdict.reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => ({ reason, count }));
}

export const recordsByKey = (records: readonly RecordOfList[]): ReadonlyMap<string, RecordOfList> =>
  new Map(records.map((record) => [record.key, record]));

/** The missing ones with their evidence. */
export function missingOf(verdicts: ReadonlyMap<string, RecordVerdict>) {
  return [...verdicts].flatMap(([key, verdict]) =>
    verdict.kind === 'missing' ? [{ key, evidence: verdict.evidence }] : [],
  );
}
