/** CVSS scores of CSAF documents. The base score is computed from the vector, so that both agree; of version 4 it is taken as it is stated. */
import type { CsafMetric, CsafScore } from './csaf-types.ts';

/** A vector as a vendor or NVD states it. */
export interface StatedScore {
  readonly vector: string;
  /** The base score as stated; null where none is. */
  readonly score: number | null;
}

/** Returns null for a vector that lacks a base metric or is of no known version, and for a score that validators refuse. */
export function csafScore({ vector, score }: StatedScore): CsafMetric['content'] | null {
  const [, base4] = version4.exec(vector) ?? [];
  if (base4 !== undefined) {
    if (score === null || !isBaseScore4(base4, score)) return null;
    return { cvss_v4: withSeverity({ baseScore: score, vectorString: base4, version: '4.0' }) };
  }
  const [, version] = version3.exec(vector) ?? [];
  if (version !== undefined) {
    const metrics = parseMetrics(vector);
    if (metrics.size !== vector.split('/').length - 1) return null;
    const baseScore = baseScore3(metrics, version);
    if (baseScore === null) return null;
    return { cvss_v3: withSeverity({ baseScore, vectorString: vector, version }) };
  }
  const bare = vector.replace(/^\(|\)$/g, '');
  if (!version2.test(bare)) return null;
  const baseScore = baseScore2(parseMetrics(bare));
  if (baseScore === null) return null;
  return { cvss_v2: { baseScore, vectorString: bare, version: '2.0' } };
}

/** Metrics that are not defined (X) say nothing; with others the stated score need not be the base score. */
const version4 =
  /^(CVSS:4\.0\/AV:[NALP]\/AC:[LH]\/AT:[NP]\/PR:[NLH]\/UI:[NPA]\/VC:[HLN]\/VI:[HLN]\/VA:[HLN]\/SC:[HLN]\/SI:[HLN]\/SA:[HLN])(?:\/[A-Z]{1,3}:X)*$/;
/** The schema of version 4 wants multiples of 0.1, which validators compute with floating point: they refuse a document with 5.3. */
function isBaseScore4(vector: string, score: number): boolean {
  const isHarmless = vector.endsWith('/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N');
  return score >= 0 && score <= 10 && isHarmless === (score === 0) && Number.isInteger(score / 0.1);
}

const version3 =
  /^CVSS:(3\.[01])(?:\/(?:AV:[NALP]|AC:[LH]|PR:[NLH]|UI:[NR]|S:[UC]|[CIA]:[NLH]|E:[XUPFH]|RL:[XOTWU]|RC:[XURC]))+$/;
const version2 =
  /^AV:[LAN]\/AC:[HML]\/Au:[MSN]\/C:[NPC]\/I:[NPC]\/A:[NPC](?:\/E:(?:U|POC|F|H|ND))?(?:\/RL:(?:OF|TF|W|U|ND))?(?:\/RC:(?:UC|UR|C|ND))?$/;

const parseMetrics = (vector: string): ReadonlyMap<string, string> =>
  new Map(
    vector.split('/').flatMap((pair): [string, string][] => {
      const [name = '', value = ''] = pair.split(':');
      return name === 'CVSS' ? [] : [[name, value]];
    }),
  );

function withSeverity({ baseScore, ...rest }: Omit<CsafScore, 'baseSeverity'>): CsafScore {
  return { baseScore, baseSeverity: severityOfScore(baseScore), ...rest };
}

function severityOfScore(score: number): string {
  if (score === 0) return 'NONE';
  if (score < 4) return 'LOW';
  if (score < 7) return 'MEDIUM';
  return score < 9 ? 'HIGH' : 'CRITICAL';
}

type Weights = Readonly<Record<string, Readonly<Record<string, number>>>>;

const weights3: Weights = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
const privileges: Weights = {
  U: { N: 0.85, L: 0.62, H: 0.27 },
  C: { N: 0.85, L: 0.68, H: 0.5 },
};

/** https://www.first.org/cvss/v3.1/specification-document, section 7.1; version 3.0 rounds up by another rule. */
function baseScore3(metrics: ReadonlyMap<string, string>, version: string): number | null {
  const weight = (name: string) => weights3[name]?.[metrics.get(name) ?? ''];
  const scope = metrics.get('S') ?? '';
  const [av, ac, ui] = [weight('AV'), weight('AC'), weight('UI')];
  const [c, i, a] = [weight('C'), weight('I'), weight('A')];
  const pr = privileges[scope]?.[metrics.get('PR') ?? ''];
  if (av === undefined || ac === undefined || ui === undefined || pr === undefined) return null;
  if (c === undefined || i === undefined || a === undefined) return null;
  const sub = 1 - (1 - c) * (1 - i) * (1 - a);
  const impact = scope === 'U' ? 6.42 * sub : 7.52 * (sub - 0.029) - 3.25 * (sub - 0.02) ** 15;
  if (impact <= 0) return 0;
  const sum = impact + 8.22 * av * ac * pr * ui;
  const score = Math.min(scope === 'U' ? sum : 1.08 * sum, 10);
  if (version === '3.0') return Math.ceil(score * 10) / 10;
  const scaled = Math.round(score * 100_000);
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10;
}

const weights2: Weights = {
  AV: { L: 0.395, A: 0.646, N: 1 },
  AC: { H: 0.35, M: 0.61, L: 0.71 },
  Au: { M: 0.45, S: 0.56, N: 0.704 },
  C: { N: 0, P: 0.275, C: 0.66 },
  I: { N: 0, P: 0.275, C: 0.66 },
  A: { N: 0, P: 0.275, C: 0.66 },
};

/** https://www.first.org/cvss/v2/guide, section 3.2.1 */
function baseScore2(metrics: ReadonlyMap<string, string>): number | null {
  const [av, ac, au, c, i, a] = ['AV', 'AC', 'Au', 'C', 'I', 'A'].map(
    (name) => weights2[name]?.[metrics.get(name) ?? ''],
  );
  if (av === undefined || ac === undefined || au === undefined) return null;
  if (c === undefined || i === undefined || a === undefined) return null;
  const impact = 10.41 * (1 - (1 - c) * (1 - i) * (1 - a));
  const sum = 0.6 * impact + 0.4 * (20 * av * ac * au) - 1.5;
  return Math.round(sum * (impact === 0 ? 0 : 1.176) * 10) / 10;
}
