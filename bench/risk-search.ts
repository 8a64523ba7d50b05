/** What is asked of all vendors' records by risk, and how long a day's risk data takes: over HTTP, of the service as it is started. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { AuditEntry } from '@patch/contract/run-endpoints.ts';
import { runMessageText } from '@patch/contract/run-message-text.ts';
import { z } from 'zod';
import type { RunningService } from './bench-service.ts';
import { measure, type Times, timesOf } from './measure.ts';
import { cveCount, cveName, lastRelease } from './risk-catalogue.ts';

export interface RiskCase {
  readonly name: string;
  /** Milliseconds at p95; null: none was set. */
  readonly target: number | null;
  readonly times: Times;
}

export interface RiskRun {
  readonly name: string;
  readonly seconds: number;
  /** Scores or entries that the run counts as added, changed and withdrawn. */
  readonly changed: number;
  /** First page of all patches, asked for without pause meanwhile. */
  readonly firstPage: Times;
}

export interface RiskMeasures {
  readonly cases: readonly RiskCase[];
  readonly runs: readonly RiskRun[];
  /** From the end of the run to the reply of a search that finds the record, milliseconds. */
  readonly kevSearchable: number;
}

const day = 86_400_000;
const AuditReply = z.object({ objList: z.array(AuditEntry) });
const Rows = z.object({
  objList: z.array(z.looseObject({ id: z.number() })),
  totalCount: z.number(),
});

const exploitedCves = 1_600;
/** Every so many-th, so that common and rare CVEs are among them. */
const exploitedCve = (n: number) => cveName((n * 199 + 7) % cveCount);

const last90Days = (more = 0) => `releaseDate >= ${lastRelease - 90 * day - more * 60_000}`;

type Ask = (n: number) => readonly [method: 'GET' | 'POST', path: string, body?: object];

const search = (filter: string, keyword = ''): ReturnType<Ask> => [
  'POST',
  '/api/records/search?size=25',
  { filter, keyword },
];
const summary = (filter: string): ReturnType<Ask> => [
  'POST',
  '/api/records/search/summary',
  { filter, histogram: { field: 'releaseDate', timeZone: 'Europe/Istanbul' } },
];
const critical = "exploited = true and lower(severity) = 'critical'";

const questions: readonly { name: string; target: number | null; calls: number; ask: Ask }[] = [
  { name: 'First page of all patches, with total', target: 10, calls: 100, ask: () => search('') },
  {
    name: 'Exploited and critical of the last 90 days, first page with total, each time other days',
    target: 15,
    calls: 60,
    ask: (n) => search(`${critical} and ${last90Days(n)}`),
  },
  {
    name: 'Exploited and critical of the last 90 days, again',
    target: 15,
    calls: 100,
    ask: () => search(`${critical} and ${last90Days()}`),
  },
  {
    name: 'Highest EPSS first',
    target: null,
    calls: 60,
    ask: () => ['POST', '/api/records/search?size=25&sort=-epss', {}],
  },
  {
    name: 'Facets and histogram of all records, first call after the start',
    target: null,
    calls: 1,
    ask: () => summary(''),
  },
  {
    name: 'Facets and histogram of all records, again',
    target: 10,
    calls: 60,
    ask: () => summary(''),
  },
  {
    name: 'Facets and histogram of a search that is asked the first time',
    target: 250,
    calls: 40,
    ask: (n) => summary(`lower(severity) = 'important' and ${last90Days(n)}`),
  },
  {
    name: 'CVE page: what is known and the fixes of all vendors, each time another',
    target: 20,
    calls: 60,
    ask: (n) => ['GET', `/api/vulnerabilities/${cveName((n * 2477 + 11) % cveCount)}`],
  },
  {
    name: 'CVE page: its records, each time another',
    target: 20,
    calls: 60,
    ask: (n) => ['GET', `/api/identifier/${cveName((n * 2477 + 11) % cveCount)}`],
  },
];

/** `mirror`: the folder that the service fetches from. */
export async function benchRiskSearch(
  service: RunningService,
  mirror: string,
  say: (line: string) => void,
): Promise<RiskMeasures> {
  const { client } = service;
  const call = async (...[method, path, body]: ReturnType<Ask>): Promise<string> => {
    const { status, text } = await client.ask(method, path, body);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 500)}`);
    return text;
  };
  const runs: RiskRun[] = [];
  const sync = async (name: string, source: 'kev' | 'epss') => {
    const run = await syncWhileSearching(service, name, source, () => call(...search('')));
    say(
      `${name}: ${run.seconds.toFixed(1)} s, ${run.changed} changed, first page p99 ${run.firstPage.p99.toFixed(0)} ms`,
    );
    runs.push(run);
  };
  const all = Array.from({ length: exploitedCves }, (_, n) => exploitedCve(n));
  await publishKev(mirror, all, 1);
  await sync('KEV for the first time, 1,600 entries', 'kev');
  await publishEpss(mirror, 0);
  await sync('EPSS for the first time, 330,000 scores', 'epss');
  const cases: RiskCase[] = [];
  for (const { name, target, calls, ask } of questions) {
    if (calls > 1) await call(...ask(calls));
    const times = await measure(1, calls, async (n) => void (await call(...ask(n))));
    say(`${name}: ${times.p50.toFixed(1)} / ${times.p95.toFixed(1)} ms`);
    cases.push({ name, target, times });
  }
  await publishEpss(mirror, 1);
  await sync('EPSS of an ordinary day: 3 % of the scores, 62 % of the percentiles', 'epss');
  await publishEpss(mirror, 2);
  await sync('EPSS of a new model: every score', 'epss');
  const added = cveName(3);
  await publishKev(mirror, [...all, added], 2);
  await sync('KEV with one more entry', 'kev');
  const since = performance.now();
  const found = Rows.parse(
    JSON.parse(await call(...search(`exploited = true and lower(cve) = '${added.toLowerCase()}'`))),
  );
  if (found.totalCount === 0) throw new Error(`${added} is not known as exploited after its run`);
  return { cases, runs, kevSearchable: performance.now() - since };
}

async function syncWhileSearching(
  { client }: RunningService,
  name: string,
  source: string,
  firstPage: () => Promise<unknown>,
): Promise<RiskRun> {
  const started = await client.ask('POST', `/api/linux/patchsync/manual?service=${source}`);
  if (started.status !== 202)
    throw new Error(`The sync of ${source} was not started: ${started.text}`);
  const taken: number[] = [];
  for (;;) {
    for (let n = 0; n < 20; n += 1) {
      const since = performance.now();
      await firstPage();
      taken.push(performance.now() - since);
    }
    const { text } = await client.ask('GET', `/api/windows/fetchAudit/${source}?size=1`);
    const run = AuditReply.parse(JSON.parse(text)).objList[0]?.run;
    if (run !== undefined && run.endedAt !== null) {
      const said = run.message === null ? '' : runMessageText(run.message);
      if (!run.state.startsWith('succeeded')) throw new Error(`${name}: ${run.state} ${said}`);
      return {
        name,
        seconds: (run.endedAt - (run.startedAt ?? run.endedAt)) / 1000,
        changed: run.added + run.changed + run.withdrawn,
        firstPage: timesOf(taken),
      };
    }
    await pause(5);
  }
}

async function publish(mirror: string, address: string, content: string | Buffer): Promise<void> {
  const file = join(mirror, address);
  await mkdir(dirname(file), { recursive: true });
  await rm(file, { force: true });
  await writeFile(file, content);
}

function publishKev(mirror: string, cves: readonly string[], dayOfMonth: number): Promise<void> {
  const date = `2026-08-${String(dayOfMonth).padStart(2, '0')}`;
  const vulnerabilities = cves.map((cveID) => ({
    cveID,
    vendorProject: 'Vendor',
    product: 'Product',
    vulnerabilityName: `A flaw ${cveID}`,
    dateAdded: '2026-08-01',
    shortDescription: 'Words',
    requiredAction: 'Apply updates',
    dueDate: '2026-08-22',
    knownRansomwareCampaignUse: 'Unknown',
    notes: '',
    cwes: ['CWE-79'],
  }));
  return publish(
    mirror,
    'www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
    JSON.stringify({
      title: 'CISA Catalog of Known Exploited Vulnerabilities',
      catalogVersion: date.replaceAll('-', '.'),
      dateReleased: `${date}T12:00:00.0000Z`,
      count: vulnerabilities.length,
      vulnerabilities,
    }),
  );
}

/** State 1 differs from state 0 as an ordinary day does, state 2 in every score. */
function publishEpss(mirror: string, state: 0 | 1 | 2): Promise<void> {
  const model = state === 2 ? 'v2026.09.01' : 'v2026.06.15';
  const lines = [
    `#model_version:${model},score_date:2026-08-0${state + 1}T12:00:00Z`,
    'cve,epss,percentile',
  ];
  for (let c = 0; c < cveCount; c += 1) {
    const base = ((c * 7919) % 90_000) / 100_000;
    const moved = state === 2 ? 0.00007 : state === 1 && c % 100 < 3 ? 0.0101 : 0;
    const shifted = state === 2 || (state === 1 && c % 100 < 62) ? 0.00001 : 0;
    lines.push(`${cveName(c)},${(base + moved).toFixed(5)},${(base + shifted).toFixed(5)}`);
  }
  return publish(
    mirror,
    'epss.empiricalsecurity.com/epss_scores-current.csv.gz',
    gzipSync(`${lines.join('\n')}\n`),
  );
}
