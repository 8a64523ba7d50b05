/** Foreign, retitled, half-typed and emptied documents of sources of risk. */
import { json, page, testForeignDocuments } from './testing/foreign-documents.ts';
import type { Served } from './testing/memory-publication.ts';
import { fullRecord, nvdFile, served as servedNvd } from './testing/nvd-files.ts';

const kevRecord = { cveID: 'CVE-2031-1001', dateAdded: '2026-02-01' };
const kevUrl =
  'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const kev = (more: object): Served => ({
  [kevUrl]: json({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    dateReleased: '2026-02-03T00:00:00Z',
    count: 1,
    vulnerabilities: [kevRecord],
    ...more,
  }),
});
const epssUrl = 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz';
const epss = (...lines: readonly string[]): Served => ({
  [epssUrl]: ['#model_version:v1,score_date:2026-02-03T12:00:00Z', ...lines, ''].join('\n'),
});
const columns = 'cve,epss,percentile';

const nvd = (...written: readonly unknown[]) => servedNvd('2026', nvdFile(written));
const nvdRecord = { ...fullRecord, id: 'CVE-2026-1001' };

testForeignDocuments({
  'CISA KEV': [
    'kev',
    'kev',
    [
      ['good', kev({}), [1]],
      ['foreign', { [kevUrl]: page }, 'it is not valid JSON'],
      ['retitled', kev({ title: 'Lantern catalogue' }), 'it is "Lantern catalogue", not'],
      ['half-typed', kev({ count: 2 }), 'its count of 2 differs'],
      [
        'half-typed',
        kev({ vulnerabilities: [{ ...kevRecord, dateAdded: 7 }] }),
        [0, 'CVE-2031-1001 rejected: its dateAdded 7 is not a date'],
      ],
      ['emptied', kev({ count: 0, vulnerabilities: [] }), 'it contains no vulnerability'],
    ],
  ],
  EPSS: [
    'epss',
    'epss',
    [
      ['good', epss(columns, 'CVE-2031-1001,0.5,0.5'), [1]],
      ['foreign', { [epssUrl]: page }, 'it has no columns "cve" and "epss"'],
      ['retitled', epss('cve,cvss', 'CVE-2031-1001,5'), 'it has no columns'],
      [
        'half-typed',
        epss(columns, 'CVE-2031-1001,0.5,0.5', 'CVE-2031-1002,high,0.5'),
        [1, 'line 4 rejected: the score of CVE-2031-1002, "high", is not a number'],
      ],
      ['emptied', epss(columns), 'it contains no score'],
    ],
  ],
  NVD: [
    'cvss',
    '2026',
    [
      ['good', nvd(nvdRecord), [1]],
      ['foreign', servedNvd('2026', page), 'it is not valid JSON'],
      [
        'retitled',
        nvd({ ...fullRecord, id: 'CVE-2025-1001' }),
        'its CVEs are of 2025, not of 2026',
      ],
      [
        'half-typed',
        nvd({ ...nvdRecord, metrics: { cvssMetricV31: 'high' } }, { id: 7 }),
        [
          1,
          'record 2 rejected: its id 7 is not a CVE id',
          'scores that are not numbers from 0 to 10',
        ],
      ],
      ['emptied', nvd(), [0, 'contains no record']],
    ],
  ],
});
