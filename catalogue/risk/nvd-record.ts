/** Parser of one CVE of NVD. Unknown parts are skipped: new kinds of metrics appear without notice. */
import {
  type CveRecord,
  type CvssScore,
  type CvssScorer,
  type CvssVersion,
  cvssVersions,
  type Ssvc,
} from '../definition/risk-facts.ts';
import { getElements, getMember } from '../values/object-members.ts';
import { findUnreadableDate, vendorDate } from '../values/vendor-dates.ts';
import { toWord } from '../values/vendor-words.ts';
import { parseBaseScore } from './cvss-values.ts';

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
  /** Number of scores left out because they are not numbers from 0 to 10. */
  readonly oddScores: number;
  /** Names of the values, other than scores, that are stated in a form that cannot be read. */
  readonly oddValues: readonly string[];
  /** Skipped kinds of metrics. */
  readonly unknownFamilies: readonly string[];
}

/**
 * A rejected CVE has neither scores nor SSVC.
 * @param id the CVE in upper case
 */
export function readCve(id: string, cve: unknown): CveReading {
  const status = toWord(getMember(cve, 'vulnStatus')) ?? '';
  const rejected = status.toLowerCase() === 'rejected';
  const metrics = getMember(cve, 'metrics');
  const { scores, oddScores } = readScores(metrics, toWord(getMember(cve, 'sourceIdentifier')));
  const decisions = readDecisions(metrics);
  return {
    record: {
      kind: 'cvss',
      cve: id,
      description: findEnglishText(getMember(cve, 'descriptions')),
      status,
      rejected,
      published: parseTime(getMember(cve, 'published')),
      lastModified: parseTime(getMember(cve, 'lastModified')),
      scores: rejected ? [] : scores,
      ssvc: rejected ? null : (decisions.find(hasPoint)?.ssvc ?? null),
    },
    oddScores,
    oddValues: [
      ...['published', 'lastModified'].filter((name) => isOddDate(getMember(cve, name))),
      ...['vulnStatus', 'sourceIdentifier'].filter((name) => isOddWord(getMember(cve, name))),
      ...(isOddText(getMember(cve, 'descriptions')) ? ['descriptions'] : []),
      ...(isStated(metrics) && !isObject(metrics) ? ['metrics'] : []),
      ...listFamilies(metrics).filter(
        (name) => isSsvc(name) && !Array.isArray(getMember(metrics, name)),
      ),
      ...decisions.flatMap((decision) => [
        ...(hasPoint(decision) ? [] : ['SSVC decision']),
        ...(isOddDate(decision.timestamp) ? ['SSVC timestamp'] : []),
      ]),
    ],
    unknownFamilies: listFamilies(metrics).filter(
      (name) => !Object.hasOwn(families, name) && !isSsvc(name),
    ),
  };
}

const isOddDate = (value: unknown): boolean => findUnreadableDate(value, parseTime) !== null;

const isStated = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const isOddWord = (value: unknown): boolean => isStated(value) && toWord(value) === null;

/** Returns true when descriptions are stated in another form than a list of texts. */
const isOddText = (value: unknown): boolean =>
  isStated(value) &&
  (!Array.isArray(value) || value.some((text) => typeof getMember(text, 'value') !== 'string'));

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listFamilies = (metrics: unknown): string[] =>
  isObject(metrics) ? Object.keys(metrics) : [];

/** Sorts by version, highest first, then by scorer: NVD, the CNA, CISA, others in the order of the file. */
function readScores(
  metrics: unknown,
  cna: string | null,
): { readonly scores: readonly CvssScore[]; readonly oddScores: number } {
  const scores: CvssScore[] = [];
  let oddScores = 0;
  for (const [family, version] of Object.entries(families)) {
    const written = getMember(metrics, family) ?? [];
    if (!Array.isArray(written)) oddScores += 1;
    for (const metric of getElements(written)) {
      const score = readScore(metric, version, cna);
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

function readScore(metric: unknown, version: CvssVersion, cna: string | null): CvssScore | null {
  const data = getMember(metric, 'cvssData');
  const score = parseBaseScore(getMember(data, 'baseScore'));
  if (score === null) return null;
  const source = toWord(getMember(metric, 'source')) ?? '';
  return {
    version,
    score,
    vector: toWord(getMember(data, 'vectorString')),
    // Version 2 states it beside the data.
    severity: toWord(getMember(data, 'baseSeverity')) ?? toWord(getMember(metric, 'baseSeverity')),
    scorer: toScorer(source, cna),
    source,
  };
}

function toScorer(source: string, cna: string | null): CvssScorer {
  if (source === nvd) return 'nvd';
  if (source !== '' && source === cna) return 'cna';
  return source === cisa ? 'cisa' : 'other';
}

function findEnglishText(descriptions: unknown): string {
  const english = getElements(descriptions).find(
    (text) => toWord(getMember(text, 'lang'))?.toLowerCase().split('-')[0] === 'en',
  );
  const value = getMember(english, 'value');
  return typeof value === 'string' ? value.trim() : '';
}

/** NVD writes times in UTC without a zone. */
function parseTime(value: unknown): number | null {
  return typeof value === 'string' ? vendorDate(value) : null;
}

/** `ssvcV203` at present. */
const isSsvc = (family: string) => /^ssvc/i.test(family);

interface Decision {
  readonly isCisas: boolean;
  readonly ssvc: Ssvc;
  /** As written. */
  readonly timestamp: unknown;
}

/** Returns CISA's decisions first, the latest first. */
function readDecisions(metrics: unknown): readonly Decision[] {
  return listFamilies(metrics)
    .filter(isSsvc)
    .flatMap((family) => getElements(getMember(metrics, family)))
    .map((metric) => {
      const data = getMember(metric, 'ssvcData');
      return {
        isCisas: getMember(metric, 'source') === cisa,
        ssvc: readDecision(data),
        timestamp: getMember(data, 'timestamp'),
      };
    })
    .toSorted(
      (a, b) =>
        Number(b.isCisas) - Number(a.isCisas) || (b.ssvc.decidedOn ?? 0) - (a.ssvc.decidedOn ?? 0),
    );
}

const hasPoint = ({ ssvc }: Decision): boolean =>
  (ssvc.exploitation ?? ssvc.automatable ?? ssvc.technicalImpact) !== null;

/** The decision points are a list of objects with one member each, sometimes spelled differently: `Technical Impact`. */
function readDecision(data: unknown): Ssvc {
  const options = getMember(data, 'options');
  const points = new Map<string, string | null>();
  for (const option of Array.isArray(options) ? options : [options])
    if (typeof option === 'object' && option !== null)
      for (const [name, value] of Object.entries(option))
        points.set(name.toLowerCase().replaceAll(/[^a-z]/g, ''), toWord(value));
  return {
    exploitation: points.get('exploitation') ?? null,
    automatable: points.get('automatable') ?? null,
    technicalImpact: points.get('technicalimpact') ?? null,
    version: toWord(getMember(data, 'version')),
    decidedOn: parseTime(getMember(data, 'timestamp')),
  };
}
