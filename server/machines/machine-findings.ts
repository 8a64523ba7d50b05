/** What each kind of machine is judged to: the same shape for all of them. */
import type {
  NotJudgedReason,
  RecordVerdict,
} from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import type { RecordOfList, RecordPlace } from './machine-records-store.ts';

/** Why something of a machine is not in the answer, beside the reasons of single records. */
export type LeftOutReason =
  | NotJudgedReason
  /** Neither a distribution nor a release is stated. */
  | 'machineUnknown'
  /** The catalogue has no records of the release: nothing is said about its packages. */
  | 'releaseNotInCatalogue';

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
  readonly leftOut: readonly { readonly reason: LeftOutReason; readonly count: number }[];
  /** Sources that were looked through. */
  readonly sources: readonly string[];
  /** Known vulnerabilities of installed packages that their vendor has not fixed. */
  readonly unfixed: readonly { readonly cve: string; readonly package: string }[];
}

export const noFindings: Findings = {
  records: new Map(),
  verdicts: new Map(),
  install: [],
  installCommand: null,
  leftOut: [],
  sources: [],
  unfixed: [],
};

/** How many records were left out for each reason. */
export function leftOutOf(verdicts: ReadonlyMap<string, RecordVerdict>): Findings['leftOut'] {
  const counts = new Map<LeftOutReason, number>();
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
