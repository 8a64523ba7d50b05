/** Builds files in the format of NVD's JSON 2.0 feeds, for tests. */
import { gzipSync } from 'node:zlib';
import type { Rejection, Remark, RiskItem } from '../definition/feed.ts';
import type { CveRecord } from '../definition/risk-facts.ts';
import { sha256Hex } from '../parsers/sha256.ts';

const folder = 'https://nvd.nist.gov/feeds/json/cve/2.0';

/** Identifies the CISA-ADP container. */
export const cisa = '134c704f-9b21-4f2e-91b3-4a467353bcc0';

export function metric(version: string, score: unknown, source: string) {
  return {
    source,
    type: source === 'nvd@nist.gov' ? 'Primary' : 'Secondary',
    cvssData: {
      version,
      vectorString: `CVSS:${version}/AV:N`,
      baseScore: score,
      baseSeverity: 'HIGH',
    },
  };
}

export const fullRecord = {
  id: 'CVE-2031-1001',
  sourceIdentifier: 'security@lantern.example',
  published: '2031-01-02T03:04:05.678',
  lastModified: '2031-04-05T06:07:08.090',
  vulnStatus: 'Analyzed',
  cveTags: [],
  descriptions: [
    { lang: 'es', value: 'Un desbordamiento.' },
    { lang: 'en', value: 'A heap overflow in lanternd.\n' },
  ],
  affected: [{ source: 'security@lantern.example', affectedData: [{ vendor: 'Lantern' }] }],
  metrics: {
    cvssMetricV2: [
      {
        source: 'nvd@nist.gov',
        type: 'Primary',
        cvssData: { version: '2.0', vectorString: 'AV:N/AC:M/Au:S/C:P/I:P/A:P', baseScore: 6 },
        baseSeverity: 'MEDIUM',
      },
    ],
    cvssMetricV31: [
      metric('3.1', 5.1, 'other@example.org'),
      metric('3.1', 9.8, cisa),
      metric('3.1', 7.5, 'security@lantern.example'),
      metric('3.1', 7, 'nvd@nist.gov'),
      metric('3.1', 5.2, 'another@example.org'),
    ],
    cvssMetricV40: [metric('4.0', 8.7, cisa)],
    ssvcV203: [
      {
        source: cisa,
        ssvcData: {
          timestamp: '2031-01-03T17:23:02.943028Z',
          id: 'CVE-2031-1001',
          options: [{ exploitation: 'poc' }, { automatable: 'yes' }, { technicalImpact: 'total' }],
          role: 'CISA Coordinator',
          version: '2.0.3',
        },
      },
    ],
  },
  configurations: [{ nodes: [{ cpeMatch: [{ criteria: 'cpe:2.3:a:lantern:lanternd:*' }] }] }],
  references: [{ url: 'https://lantern.example/1' }],
};

/** Formats records as NVD does. */
export function nvdFile(records: readonly unknown[]): string {
  return JSON.stringify(
    {
      resultsPerPage: records.length,
      format: 'NVD_CVE',
      version: '2.0',
      timestamp: '2031-04-10T07:00:44.0244821',
      vulnerabilities: records.map((cve) => ({ cve })),
    },
    null,
    2,
  ).replaceAll('": ', '" : ');
}

export function formatMeta(text: string, made = '2031-04-10T03:00:12-04:00', end = '\r\n'): string {
  return [
    `lastModifiedDate:${made}`,
    `size:${Buffer.byteLength(text)}`,
    'zipSize:1',
    'gzSize:1',
    `sha256:${sha256Hex(text).toUpperCase()}`,
    '',
  ].join(end);
}

export const file = (name: string) => `${folder}/nvdcve-2.0-${name}.json.gz`;
export const meta = (name: string) => `${folder}/nvdcve-2.0-${name}.meta`;

export const served = (name: string, text: string, made?: string) => ({
  [file(name)]: gzipSync(text),
  [meta(name)]: formatMeta(text, made),
});

/** Returns the CVE records among a part's items. */
export const records = (items: readonly (RiskItem | Rejection | Remark)[]): CveRecord[] =>
  items.flatMap((item) => (item.kind === 'risk' && item.facts.kind === 'cvss' ? [item.facts] : []));
