/** Builds the missing records of an assessment with their evidence and the steps that install them, by band. */
import { getReplacements } from '@patch/catalogue/machines/install/record-closers.ts';
import type { FixEvidence } from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import {
  type Assessment,
  type MissingRecord,
  missingBands,
} from '@patch/contract/fleet/assessment-endpoint.ts';
import { getMissingBand } from '@patch/contract/fleet/missing-bands.ts';
import { type AssessedMachine, type Findings, getLacking } from './machine-findings.ts';

export function listMissingRecords(
  { verdicts, shown, heldBack, closers, commandFor }: Findings,
  { accepted }: Pick<AssessedMachine, 'accepted'>,
): Pick<Assessment, 'missing' | 'bands'> {
  const toSteps = (keys: readonly string[]) =>
    keys.flatMap((step): InstallStep[] => {
      const identifier = shown.get(step)?.identifier ?? null;
      return identifier === null ? [] : [{ key: step, identifier }];
    });
  const installable = getLacking(verdicts).flatMap(({ key, verdict }): InstallableRecord[] => {
    const row = shown.get(key);
    if (row === undefined) return [];
    const record = {
      ...row,
      state: verdict.kind,
      reason: verdict.kind === 'uncertain' ? verdict.reason : null,
      evidence: verdict.evidence.map(toEvidence),
      supersededBy: [
        ...new Set(toSteps(getReplacements(key, closers)).map(({ identifier }) => identifier)),
      ],
    };
    return [{ key, record, steps: toSteps(closers.get(key) ?? []) }];
  });
  return {
    missing: installable.map(({ record }) => record).toSorted(compareUrgency),
    bands: buildBands(
      installable.filter(({ key, record }) => !accepted.has(key) && !heldBack.has(record.recordId)),
      commandFor,
    ),
  };
}

interface InstallableRecord {
  readonly key: string;
  readonly record: MissingRecord;
  readonly steps: readonly InstallStep[];
}

interface InstallStep {
  /** Key of the record to install. */
  readonly key: string;
  readonly identifier: string;
}

/** Builds a band for each urgency with missing records. Its steps close the whole band, also what other bands install. */
function buildBands(
  installable: readonly InstallableRecord[],
  commandFor: Findings['commandFor'],
): Assessment['bands'] {
  return missingBands.flatMap((band) => {
    const own = installable.filter(({ record }) => getMissingBand(record) === band);
    if (own.length === 0) return [];
    const steps = new Map(
      own.flatMap((one) => one.steps).map(({ key, identifier }) => [key, identifier]),
    );
    const closed = own.filter((one) => one.steps.length > 0).length;
    return [
      {
        band,
        missing: own.length,
        closed,
        install: [...steps.values()],
        command: closed === own.length ? commandFor(new Set(steps.keys())) : null,
      },
    ];
  });
}

const toEvidence = ({ name, installed, fixed }: FixEvidence) => ({ name, installed, fixed });

/** Sorts missing and known exploited records first, then by severity, EPSS and newest release. */
function compareUrgency(a: MissingRecord, b: MissingRecord): number {
  return (
    Number(b.state === 'missing') - Number(a.state === 'missing') ||
    Number(b.exploited === true) - Number(a.exploited === true) ||
    getChoiceRank(b.severity) - getChoiceRank(a.severity) ||
    (b.epss ?? -1) - (a.epss ?? -1) ||
    (b.releaseDate ?? 0) - (a.releaseDate ?? 0)
  );
}

const getChoiceRank = (severity: string | null) =>
  (severities as readonly (string | null)[]).indexOf(severity);

export function countMissing(missing: readonly MissingRecord[]): Assessment['counts'] {
  const certain = missing.filter(({ state }) => state === 'missing');
  const count = (word: string) => certain.filter(({ severity }) => severity === word).length;
  const counts = ['Critical', 'Important', 'Moderate', 'Low'].map(count);
  const [critical = 0, important = 0, moderate = 0, low = 0] = counts;
  return {
    critical,
    important,
    moderate,
    low,
    unspecified: certain.length - critical - important - moderate - low,
    exploited: certain.filter(({ exploited }) => exploited === true).length,
    uncertain: missing.filter(({ state }) => state === 'uncertain').length,
    needsSubscription: missing.filter(({ state }) => state === 'needsSubscription').length,
  };
}
