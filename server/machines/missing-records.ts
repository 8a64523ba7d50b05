/** Builds the missing records of an assessment with their evidence and the steps that install them, by band. */
import type {
  FixEvidence,
  RecordVerdict,
} from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import {
  type Assessment,
  type MissingRecord,
  missingBands,
} from '@patch/contract/assessment-endpoint.ts';
import { getMissingBand } from '@patch/contract/missing-bands.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Findings } from './machine-findings.ts';
import { readShownRecords, type ShownRecord } from './machine-records-store.ts';

export async function readMissingRecords(
  database: Queryable,
  findings: Findings,
): Promise<Pick<Assessment, 'missing' | 'bands'>> {
  const lacking = [...findings.verdicts].flatMap(([key, verdict]) => {
    const record = findings.records.get(key);
    return record === undefined || !isLacking(verdict) ? [] : [{ key, record, verdict }];
  });
  const shown = await readShownRecords(
    database,
    lacking.map(({ record }) => record),
  );
  const installers = mapInstallers(findings, shown);
  const installable = lacking.flatMap(({ key, verdict }): InstallableRecord[] => {
    const row = shown.get(key);
    if (row === undefined) return [];
    const steps = findSteps(verdict.evidence, installers);
    const isStep = steps.some((step) => step.key === key);
    const record = {
      ...row,
      state: verdict.kind,
      reason: verdict.kind === 'uncertain' ? verdict.reason : null,
      evidence: verdict.evidence.map(toEvidence),
      supersededBy: isStep ? [] : [...new Set(steps.map(({ identifier }) => identifier))],
    };
    return [{ record, steps }];
  });
  return {
    missing: installable.map(({ record }) => record).toSorted(compareUrgency),
    bands: buildBands(installable, findings.commandFor),
  };
}

interface InstallableRecord {
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

type LackingVerdict = Extract<RecordVerdict, { readonly evidence: readonly FixEvidence[] }>;

const isLacking = (verdict: RecordVerdict): verdict is LackingVerdict =>
  verdict.kind === 'missing' ||
  verdict.kind === 'uncertain' ||
  verdict.kind === 'needsSubscription';

/** Maps each installed name to the steps that install it, with the identifiers of their records. */
function mapInstallers({ install }: Findings, shown: ReadonlyMap<string, ShownRecord>) {
  const by = new Map<string, InstallStep[]>();
  for (const { key, brings } of install) {
    const identifier = shown.get(key)?.identifier ?? null;
    if (identifier === null) continue;
    for (const name of brings) by.set(name, [...(by.get(name) ?? []), { key, identifier }]);
  }
  return by;
}

function findSteps(
  evidence: readonly FixEvidence[],
  installers: ReturnType<typeof mapInstallers>,
): readonly InstallStep[] {
  return evidence.flatMap(({ name, install }) => installers.get(install?.name ?? name) ?? []);
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
