/** Derives the verdict on each installed application from the catalogue's releases of it. */
import type { InstalledApplication } from '../machine.ts';
import {
  applicationKeys,
  InstalledApplications,
  judgeApplication,
  releaseKeys,
} from './application-judgement.ts';
import type { ApplicationRelease } from './machine-fixes.ts';
import { graver, type JudgedItem, notJudged, type Verdict } from './verdict.ts';

export function applicationVerdicts(
  applications: readonly InstalledApplication[],
  releases: readonly ApplicationRelease[],
): readonly JudgedItem[] {
  const byKey = new Map<string, ApplicationRelease[]>();
  for (const release of releases)
    for (const key of releaseKeys(release)) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [release]);
      else known.push(release);
    }
  return applications.map((one) => {
    if (one.packaging === 'snap') return { name: one.name, verdict: notJudged('otherRepository') };
    const own = new Set(applicationKeys(one).flatMap((key) => byKey.get(key) ?? []));
    return { name: one.name, verdict: judgeAgainstReleases(one, [...own]) };
  });
}

function judgeAgainstReleases(
  application: InstalledApplication,
  releases: readonly ApplicationRelease[],
): Verdict {
  const installed = new InstalledApplications([application]);
  const verdicts = releases.map((release): Verdict => {
    const record = judgeApplication(release, installed);
    switch (record.kind) {
      case 'missing':
      case 'needsSubscription':
        return { kind: 'missing' };
      case 'uncertain':
        return { kind: 'uncertain', reason: record.reason };
      case 'notJudged':
        return notJudged('versionUnknown');
      case 'notMissing':
        return { kind: 'fixed', comparedWith: release.version ?? release.name };
    }
  });
  return verdicts.length === 0 ? notJudged('applicationUnknown') : verdicts.reduce(graver);
}
