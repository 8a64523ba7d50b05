/** One CVE as NVD writes it. What this version does not know is passed over: new kinds of metrics appear without notice. */
import {
  type CveRecord,
  type CvssScore,
  type CvssScorer,
  type CvssVersion,
  cvssVersions,
  type Ssvc,
} from '../definition/risk-facts.ts';
import { vendorDate } from '../values/vendor-dates.ts';
import { wordOf } from '../values/vendor-words.ts';
import { baseScore } from './cvss-values.ts';
import { elementsOf, memberOf } from './json-values.ts';

const families: Readonly<Record<string, CvssVersion>> = {
  cvssMetricV40: '4.0',
  cvssMetricV31: '3.1',
  cvssMetricV30: '3.0',
  cvssMetricV2: '2.0',
};

const nvd = 'nvd@nist.gov';
/** CISA as an authorised data publisher (CISA-ADP). */
const cisa = '134c704f-9b21-4f2e-91b3-4a467353bcc0';

const scorers: readonly CvssScorer[] = ['nvd', 'cna', 'cisa', 'other'];

export interface CveReading {
  readonly record: CveRecord;
  /** Scores that are not numbers from 0 to 10; they are left out. */
  readonly oddScores: number;
  /** Kinds of metrics that were passed over. */
  readonly unknownFamilies: readonly string[];
}

/** `id` is the CVE in upper case. A rejected CVE has neither scores nor SSVC. */
export function readCve(id: string, cve: unknown): CveReading {
  const status = wordOf(memberOf(cve, 'vulnStatus')) ?? '';
  const rejected = status.toLowerCase() === 'rejected';
  const metrics = memberOf(cve, 'metrics');
  const { scores, oddScores } = scoresOf(metrics, wordOf(memberOf(cve, 'sourceIdentifier')));
  return {
    record: {
      kind: 'cvss',
      cve: id,
      description: englishText(memberOf(cve, 'descriptions')),
      status,
      rejected,
      published: timeOf(memberOf(cve, 'published')),
      lastModified: timeOf(memberOf(cve, 'lastModified')),
      scores: rejected ? [] : scores,
      ssvc: rejected ? null : ssvcOf(metrics),
    },
    oddScores,
    unknownFamilies: familyNames(metrics).filter(
      (name) => !Object.hasOwn(families, name) && !isSsvc(name),
    ),
  };
}

function familyNames(metrics: unknown): string[] {
  return typeof metrics === 'object' && metrics !== null && !Array.isArray(metrics)
    ? Object.keys(metrics)
    : [];
}

/** The highest version first; within it NVD, the CNA, CISA, others in the order of the file. */
function scoresOf(
  metrics: unknown,
  cna: string | null,
): { readonly scores: readonly CvssScore[]; readonly oddScores: number } {
  const scores: CvssScore[] = [];
  let oddScores = 0;
  for (const [family, version] of Object.entries(families)) {
    const written = memberOf(metrics, family) ?? [];
    if (!Array.isArray(written)) oddScores += 1;
    for (const metric of elementsOf(written)) {
      const score = scoreOf(metric, version, cna);
      if (score === null) oddScores += 1;
      else scores.push(score);
    }
  }
  scores.sort(
    (a, b) =>
      cvssVersions.indexOf(a.version) - cvssVersions.indexOf(b.version) ||
      scorers.indexOf(a.scorer) - scorers.indexOf(b.scorer),
  );
  return { scores, oddScores };
}

function scoreOf(metric: unknown, version: CvssVersion, cna: string | null): CvssScore | null {
  const data = memberOf(metric, 'cvssData');
  const score = baseScore(memberOf(data, 'baseScore'));
  if (score === null) return null;
  const source = wordOf(memberOf(metric, 'source')) ?? '';
  return {
    version,
    score,
    vector: wordOf(memberOf(data, 'vectorString')),
    // Version 2 has it beside the data.
    severity: wordOf(memberOf(data, 'baseSeverity')) ?? wordOf(memberOf(metric, 'baseSeverity')),
    scorer: scorerOf(source, cna),
    source,
  };
}

function scorerOf(source: string, cna: string | null): CvssScorer {
  if (source === nvd) return 'nvd';
  if (source !== '' && source === cna) return 'cna';
  return source === cisa ? 'cisa' : 'other';
}

function englishText(descriptions: unknown): string {
  const english = elementsOf(descriptions).find(
    (text) => wordOf(memberOf(text, 'lang'))?.toLowerCase().split('-')[0] === 'en',
  );
  const value = memberOf(english, 'value');
  return typeof value === 'string' ? value.trim() : '';
}

/** Without a zone, as NVD writes it, a time is UTC. */
function timeOf(value: unknown): number | null {
  return typeof value === 'string' ? vendorDate(value) : null;
}

/** `ssvcV203` today. */
const isSsvc = (family: string) => /^ssvc/i.test(family);

/** The decision of CISA, the latest one; the latest of anyone where CISA made none. */
function ssvcOf(metrics: unknown): Ssvc | null {
  const decisions = familyNames(metrics)
    .filter(isSsvc)
    .flatMap((family) => elementsOf(memberOf(metrics, family)))
    .map((metric) => ({
      isCisas: memberOf(metric, 'source') === cisa,
      ssvc: decisionOf(memberOf(metric, 'ssvcData')),
    }))
    .filter(({ ssvc }) => ssvc.exploitation ?? ssvc.automatable ?? ssvc.technicalImpact)
    .toSorted(
      (a, b) =>
        Number(b.isCisas) - Number(a.isCisas) || (b.ssvc.decidedOn ?? 0) - (a.ssvc.decidedOn ?? 0),
    );
  return decisions[0]?.ssvc ?? null;
}

/** The decision points come as a list of objects with one member each, at times under other spellings: `Technical Impact`. */
function decisionOf(data: unknown): Ssvc {
  const options = memberOf(data, 'options');
  const points = new Map<string, string | null>();
  for (const option of Array.isArray(options) ? options : [options])
    if (typeof option === 'object' && option !== null)
      for (const [name, value] of Object.entries(option))
        points.set(name.toLowerCase().replaceAll(/[^a-z]/g, ''), wordOf(value));
  return {
    exploitation: points.get('exploitation') ?? null,
    automatable: points.get('automatable') ?? null,
    technicalImpact: points.get('technicalimpact') ?? null,
    version: wordOf(memberOf(data, 'version')),
    decidedOn: timeOf(memberOf(data, 'timestamp')),
  };
}
