/**
 * Reads small documents of the risk sources many times, each time with one position changed at random. The result must be valid facts,
 * rejections and remarks, or BrokenDocument; never another error.
 */
import { expect, test } from 'vitest';
import type { FeedPart, Rejection, Remark, RiskItem } from '../definition/feed.ts';
import type { RiskFacts } from '../definition/risk-facts.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { sha256Hex } from '../parsers/sha256.ts';
import { createChance } from '../testing/chance.ts';
import { collect } from '../testing/collect.ts';
import { findPart } from '../testing/find-part.ts';
import { memoryPublication, type Served } from '../testing/memory-publication.ts';
import { applyMutation } from '../testing/mutations.ts';
import { file, formatMeta, fullRecord, meta, nvdFile } from '../testing/nvd-files.ts';
import { epssFeed } from './epss-feed.ts';
import { kevFeed } from './kev-feed.ts';
import { createNvdParts } from './nvd-feed.ts';

const times = 60;

const kevText = JSON.stringify({
  catalogVersion: '2031.03.04',
  dateReleased: '2031-03-04T18:59:43.6861Z',
  count: 2,
  vulnerabilities: ['1001', '1002'].map((number) => ({
    cveID: `CVE-2031-${number}`,
    vendorProject: 'Lantern',
    product: 'Lanternd',
    vulnerabilityName: 'Lantern Lanternd Heap Overflow Vulnerability',
    dateAdded: '2031-03-04',
    shortDescription: 'Lanternd contains a heap overflow.',
    requiredAction: 'Apply mitigations.',
    dueDate: '2031-03-25',
    knownRansomwareCampaignUse: 'Known',
    notes: 'https://lantern.example/a',
    cwes: ['CWE-122'],
  })),
});

const epssText = `#model_version:v2031.03.17,score_date:2031-04-01T12:00:26Z
cve,epss,percentile
CVE-2031-0001,0.03351,0.87424
CVE-2031-0002,0.00042,0.1
CVE-2031-0003,1,1
`;

const nvdText = nvdFile([fullRecord, { ...fullRecord, id: 'CVE-2031-1002' }]);

type Content = string | Uint8Array;

interface Case {
  readonly part: FeedPart<RiskItem>;
  readonly text: string;
  /** Documents to publish for the given content. */
  readonly served: (content: Content) => Served;
}

const nvd = findPart({ parts: createNvdParts(Date.UTC(2031, 3, 2)) }, '2031');

const cases: Readonly<Record<string, Case>> = {
  kev: {
    part: findPart(kevFeed, 'kev'),
    text: kevText,
    served: (content) => ({
      'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json':
        content,
    }),
  },
  epss: {
    part: findPart(epssFeed, 'epss'),
    text: epssText,
    served: (content) => ({
      'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz': content,
    }),
  },
  nvd: {
    part: nvd,
    text: nvdText,
    served: (content) => ({
      [file('2031')]: content,
      [meta('2031')]: `size:${Buffer.from(content).length}\nsha256:${sha256Hex(content)}\n`,
    }),
  },
  'the .meta of nvd': {
    part: nvd,
    text: formatMeta(nvdText, undefined, '\n'),
    served: (content) => ({ [file('2031')]: nvdText, [meta('2031')]: content }),
  },
};

type Item = RiskItem | Rejection | Remark;

/** Returns null when the document is refused. */
async function readItems(
  { part, served }: Case,
  content: Content,
): Promise<readonly Item[] | null> {
  const publication = memoryPublication(served(content), { now: Date.UTC(2031, 3, 2) });
  try {
    return await collect(part.read(await part.contents(publication)));
  } catch (error) {
    if (error instanceof BrokenDocument) return null;
    throw error;
  }
}

const unfit = /\bundefined\b|\[object |\bNaN\b|\bnull\b/;

function findComplaints(item: Item, done: string): string[] {
  if (item.kind === 'risk') return findFactComplaints(item.facts);
  const words = item.kind === 'remark' ? item.remark : `${item.rejected} ${item.reason}`;
  return unfit.test(words) && !unfit.test(done) ? [words] : [];
}

function findFactComplaints(facts: RiskFacts): string[] {
  const complaints: string[] = [];
  const expectThat = (holds: boolean, what: string) => {
    if (!holds) complaints.push(`${what}: ${JSON.stringify(facts).slice(0, 300)}`);
  };
  expectThat(/^CVE-\d{4}-\d{4,}$/.test(facts.cve), 'no CVE id');
  if (facts.kind === 'epss') {
    for (const share of [facts.epss, facts.percentile])
      expectThat(share === null || (share >= 0 && share <= 1), 'not a share');
  } else if (facts.kind === 'kev') {
    const { vendorProject, product, name, description, requiredAction, notes, cwes } = facts;
    for (const text of [vendorProject, product, name, description, requiredAction, notes, ...cwes])
      expectThat(typeof text === 'string', 'no text');
    expectThat(facts.dateAdded % 86_400_000 === 0, 'not midnight');
    expectThat(facts.dueDate === null || facts.dueDate % 86_400_000 === 0, 'not midnight');
  } else {
    for (const { score, vector, source } of facts.scores)
      expectThat(
        score >= 0 && score <= 10 && typeof source === 'string' && vector !== undefined,
        'no score',
      );
    for (const time of [facts.published, facts.lastModified, facts.ssvc?.decidedOn ?? null])
      expectThat(time === null || Number.isSafeInteger(time), 'no time');
    expectThat(typeof facts.description === 'string', 'no text');
  }
  return complaints;
}

test.each(Object.entries(cases))(
  'reads or refuses a randomly changed document of %s',
  async (_name, testCase) => {
    const failures: string[] = [];
    let read = 0;
    for (let seed = 0; seed < times; seed += 1) {
      const { content, done } = applyMutation(testCase.text, createChance(seed));
      const label = `seed ${seed}: ${done}`;
      try {
        const items = await readItems(testCase, content);
        if (items !== null) read += 1;
        const ids = (items ?? []).flatMap((item) => (item.kind === 'risk' ? [item.facts.cve] : []));
        if (new Set(ids).size < ids.length) failures.push(`${label}\n  a CVE comes twice`);
        for (const item of items ?? [])
          failures.push(
            ...findComplaints(item, done).map((complaint) => `${label}\n  ${complaint}`),
          );
      } catch (error) {
        failures.push(`${label}\n  ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
    expect(failures).toEqual([]);
    expect(read).toBeGreaterThan(times / 2);
    expect(read).toBeLessThan(times);
  },
);
