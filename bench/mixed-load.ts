/**
 * Searches, exports, syncs and licensed clients together for half an hour, while the service's memory is watched: npm run bench -- --only
 * load [--minutes 30]. A process that keeps what it no longer needs grows; this one must not.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { clientChangesEndpoint } from '@patch/contract/client-protocol-endpoints.ts';
import { exportTicketEndpoint } from '@patch/contract/export-endpoints.ts';
import { seededRandom } from '@patch/server/testing/odd-catalogue.ts';
import { type BenchDatabase, onEach, onEmptyFolder } from './bench-database.ts';
import type { BenchRun } from './bench-run.ts';
import { type RunningService, startService } from './bench-service.ts';
import { activatedToken, callAs } from './licensed-client.ts';
import { productCall, searchClasses } from './search-classes.ts';
import { writeErrata } from './while-syncing.ts';

export interface MixedLoadResult {
  readonly database: string;
  readonly minutes: number;
  /** Calls that were answered, by kind. */
  readonly calls: Readonly<Record<string, number>>;
  readonly syncs: number;
  /** Resident bytes: [minutes since the start, bytes]; empty where the system does not tell. */
  readonly memory: readonly (readonly [minutes: number, bytes: number])[];
  /** Bytes a minute over the last two thirds, by least squares; null where the system does not tell. */
  readonly growth: number | null;
}

const records = 5_000;
/** Records that each sync adds, and as many that it withdraws. */
const changed = 250;
const sampleMs = 5_000;
const syncPauseMs = 20_000;
const searchers = 4;
/** Of memory over time: before that the lists are read into memory. */
const measuredShare = 2 / 3;

export const benchMixedLoad = (run: BenchRun): Promise<readonly MixedLoadResult[]> =>
  onEach(run, (database) => mixedLoadOn(run, database), onEmptyFolder('load'));

async function mixedLoadOn(
  { cache, minutes, seed, say }: BenchRun,
  { name, environment }: BenchDatabase,
): Promise<MixedLoadResult> {
  const mirror = `${cache}/load-mirror`;
  await rm(mirror, { recursive: true, force: true });
  await publish(mirror, 0);
  const service = await startService({ ...environment, FEED_MIRROR: mirror });
  const calls: Record<string, number> = {};
  const count = (kind: string) => {
    calls[kind] = (calls[kind] ?? 0) + 1;
  };
  try {
    await sync(service);
    const begun = performance.now();
    const end = begun + minutes * 60_000;
    const memory: (readonly [number, number])[] = [];
    const until = async (step: (n: number) => Promise<void>) => {
      for (let n = 0; performance.now() < end; n += 1) await step(n);
    };
    let syncs = 0;
    const random = seededRandom(seed);
    const classes = searchClasses(records, random);
    await Promise.all([
      ...Array.from({ length: searchers }, () =>
        until(async (n) => {
          const chosen = classes[Math.floor(random() * classes.length)];
          if (chosen === undefined) return;
          const { query, body } = productCall(chosen.ask(n));
          await ask(service, `/api${almalinuxList.searchPath}?${query}`, body);
          count('searches');
        }),
      ),
      until(async () => {
        await exportList(service);
        count('exports');
        await pause(2_000);
      }),
      pollAsClient(service, until, () => count('calls of a client')),
      until(async () => {
        await pause(Math.min(syncPauseMs, end - performance.now()));
        syncs += 1;
        await publish(mirror, syncs);
        await sync(service);
      }),
      until(async () => {
        const bytes = await service.memory();
        if (bytes !== null) memory.push([(performance.now() - begun) / 60_000, bytes]);
        if (memory.length % 60 === 0)
          say(`${name}: ${Math.round((bytes ?? 0) / 1_048_576)} MB, ${calls['searches']} searches`);
        await pause(sampleMs);
      }),
    ]);
    return { database: name, minutes, calls, syncs, memory, growth: growthOf(memory, minutes) };
  } finally {
    await service.stop();
    await rm(mirror, { recursive: true, force: true });
  }
}

/** The vendor's document of this round: some of the records before are gone, and as many are new. */
async function publish(mirror: string, round: number): Promise<void> {
  const folder = join(mirror, 'errata.almalinux.org', '9');
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'errata.full.json');
  await writeErrata(`${file}.new`, round * changed, records);
  await rename(`${file}.new`, file);
}

async function sync({ client }: RunningService): Promise<void> {
  const started = await client.ask('POST', '/api/linux/patchsync/manual?service=almaLinux');
  if (started.status !== 202) throw new Error(`The sync was not started: ${started.text}`);
  for (;;) {
    const { text } = await client.ask('GET', '/api/linux/patchsync/isrunning?service=almaLinux');
    if (!(JSON.parse(text) as { running: boolean }).running) return;
    await pause(500);
  }
}

async function exportList(service: RunningService): Promise<void> {
  const columns = ['bulletinId', 'title', 'severity', 'releaseDate'];
  const asked = { list: almalinuxList.key, format: 'csv', columns, search: {} };
  const ticket = await ask(service, `/api${exportTicketEndpoint.path}`, asked, 201);
  const { path } = JSON.parse(ticket) as { path: string };
  const { status } = await service.client.ask('GET', `/api${path}`);
  if (status !== 200) throw new Error(`An export answered ${status}`);
}

/** Fetches the list from the beginning, then what has changed, then asks again, as clients do that were away. */
async function pollAsClient(
  service: RunningService,
  until: (step: (n: number) => Promise<void>) => Promise<void>,
  onCall: () => void,
): Promise<void> {
  const client = callAs(service.url, await activatedToken(service));
  let cursor: string | null = null;
  await until(async (n) => {
    if (n % 200 === 0) cursor = null;
    const since = cursor === null ? '' : `&since=${encodeURIComponent(cursor)}`;
    const path = `${clientChangesEndpoint.path}?list=${almalinuxList.key}&size=5000${since}`;
    const reply = await client(clientChangesEndpoint.method, path);
    if (reply.status !== 200) throw new Error(`A client was answered ${reply.status}`);
    ({ nextCursor: cursor } = (await reply.json()) as { nextCursor: string });
    onCall();
    await pause(50);
  });
}

async function ask(
  { client }: RunningService,
  path: string,
  body: unknown,
  expected = 200,
): Promise<string> {
  const { status, text } = await client.ask('POST', path, body);
  if (status !== expected) throw new Error(`${JSON.stringify(body)} answered ${status}: ${text}`);
  return text;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** The slope of the least-squares line. */
function growthOf(memory: MixedLoadResult['memory'], minutes: number): number | null {
  const late = memory.filter(([at]) => at > minutes * (1 - measuredShare));
  if (late.length < 2) return null;
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [meanAt, meanBytes] = [mean(late.map(([at]) => at)), mean(late.map(([, bytes]) => bytes))];
  const spread = late.reduce((sum, [at]) => sum + (at - meanAt) ** 2, 0);
  return late.reduce((sum, [at, bytes]) => sum + (at - meanAt) * (bytes - meanBytes), 0) / spread;
}
