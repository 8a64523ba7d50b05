/** How long a person waits while a large feed is synced into a large list: health, the first page and a search of its own, asked without pause. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import { seededRandom } from '@patch/server/testing/odd-catalogue.ts';
import { type RunningService, startService } from './bench-service.ts';
import { madeEntry } from './errata-generator.ts';
import { type Times, timesOf } from './measure.ts';
import { firstTotals, productCall, searchClasses } from './search-classes.ts';

export interface SyncingResult {
  readonly rowsBefore: number;
  readonly records: number;
  readonly seconds: number;
  readonly megabytes: number;
  readonly memoryIdle: number | null;
  readonly memoryMost: number | null;
  readonly health: Times;
  readonly firstPage: Times;
  /** Each of other words. */
  readonly firstTotal: Times;
}

const packagesARecord = 30;

/** The vendor's document with so many errata, numbered from `from` on so that the catalogue lacks them; its size in bytes. */
export async function writeErrata(file: string, from: number, records: number): Promise<number> {
  const out = createWriteStream(file);
  out.write('{"schema_version":"1.0","data":[');
  for (let n = 0; n < records; n += 1) {
    const { row, detail } = madeEntry(from + n);
    const names = row['binaryPkgName'] as readonly string[];
    const record = {
      id: row['bulletinId'],
      issued_date: Number(row['releaseDate']) / 1000,
      updated_date: Number(row['releaseDate']) / 1000,
      severity: row['severity'],
      title: row['title'],
      description: detail['description'],
      type: row['category'],
      packages: Array.from({ length: packagesARecord }, (_, place) => ({
        name: names[place % names.length],
        epoch: '0',
        version: `1.${place}`,
        release: '1.el9',
        arch: place % 2 === 0 ? 'x86_64' : 'aarch64',
        src: `${names[0]}-1.${place}-1.el9.src.rpm`,
        filename: `${names[0]}-1.${place}-1.el9.rpm`,
        checksum: (from + n).toString(16).padStart(62, '0') + place.toString(16).padStart(2, '0'),
        checksum_type: 'sha256',
        reboot_suggested: 0,
      })),
      modules: [],
      references: (detail['cve'] as readonly string[]).map((cve) => ({
        id: cve,
        type: 'cve',
        href: `https://www.cve.org/CVERecord?id=${cve}`,
      })),
    };
    if (!out.write(`${n === 0 ? '' : ','}\n${JSON.stringify(record)}`)) await once(out, 'drain');
  }
  out.end(']}');
  await once(out, 'finish');
  return out.bytesWritten;
}

/** On the server the rows stay; an embedded database is copied. */
export async function benchWhileSyncing(
  cache: string,
  loaded: Readonly<Record<string, string>>,
  rowsBefore: number,
  records: number,
): Promise<SyncingResult> {
  const folder = join(cache, 'syncing');
  await rm(folder, { recursive: true, force: true });
  const mirror = join(folder, 'mirror');
  const errata = join(mirror, 'errata.almalinux.org', '9');
  await mkdir(errata, { recursive: true });
  const bytes = await writeErrata(join(errata, 'errata.full.json'), rowsBefore, records);
  const dataDir = join(folder, 'data');
  if (loaded['DATABASE_URL'] === undefined)
    await cp(loaded['DATA_DIR'] ?? '', dataDir, { recursive: true });

  const service = await startService({ ...loaded, DATA_DIR: dataDir, FEED_MIRROR: mirror });
  try {
    const totals = searchClasses(rowsBefore, seededRandom(1)).find(
      ({ name }) => name === firstTotals,
    );
    if (totals === undefined) throw new Error('No class counts for the first time');
    const search = `/api${almalinuxList.searchPath}`;
    const firstTotal: number[] = [];
    const asked = await askWhileSyncing(service, {
      source: 'almaLinux',
      searchPath: almalinuxList.searchPath,
      records,
      between: async () => {
        const { query, body } = productCall(totals.ask(firstTotal.length));
        firstTotal.push(await timed(() => service.client.ask('POST', `${search}?${query}`, body)));
      },
    });
    return {
      rowsBefore,
      records,
      megabytes: bytes / 1_048_576,
      ...asked,
      firstTotal: timesOf(firstTotal),
    };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export type AskedWhileSyncing = Omit<
  SyncingResult,
  'rowsBefore' | 'records' | 'megabytes' | 'firstTotal'
>;

/** Syncs the source, which is to add so many records, and asks for health and the first page of the list until the run has ended. */
export async function askWhileSyncing(
  { client, memory }: RunningService,
  {
    source,
    searchPath,
    records,
    between = async () => {},
  }: {
    readonly source: SourceKey;
    readonly searchPath: string;
    readonly records: number;
    /** Asked besides, after each first page. */
    readonly between?: () => Promise<void>;
  },
): Promise<AskedWhileSyncing> {
  const firstPage = () => client.ask('POST', `/api${searchPath}?size=25`, {});
  for (let n = 0; n < 50; n += 1) await firstPage();
  const memoryIdle = await memory();
  let memoryMost = memoryIdle ?? 0;
  const taken = { health: [] as number[], firstPage: [] as number[] };
  const since = performance.now();
  const started = await client.ask('POST', `/api/linux/patchsync/manual?service=${source}`);
  if (started.status !== 202) throw new Error(`The sync was not started: ${started.text}`);
  const underWay = async () => {
    const { text } = await client.ask('GET', `/api/linux/patchsync/isrunning?service=${source}`);
    return (JSON.parse(text) as { running: boolean }).running;
  };
  while (await underWay()) {
    for (let n = 0; n < 10; n += 1) {
      taken.health.push(await timed(() => client.ask('GET', '/api/health')));
      taken.firstPage.push(await timed(firstPage));
      await between();
    }
    memoryMost = Math.max(memoryMost, (await memory()) ?? 0);
  }
  const seconds = (performance.now() - since) / 1000;
  const { text } = await client.ask('GET', `/api/windows/fetchAudit/${source}?size=1`);
  const added = (JSON.parse(text) as { objList: { run: Pick<Run, 'added' | 'message'> }[] })
    .objList[0]?.run;
  if (added?.added !== records)
    throw new Error(`The sync did not add ${records} records: ${JSON.stringify(added?.message)}`);
  return {
    seconds,
    memoryIdle,
    memoryMost: memoryIdle === null ? null : memoryMost,
    health: timesOf(taken.health),
    firstPage: timesOf(taken.firstPage),
  };
}

async function timed(
  call: () => Promise<{ readonly status: number; readonly text: string }>,
): Promise<number> {
  const since = performance.now();
  const { status, text } = await call();
  if (status !== 200) throw new Error(`A call during the sync answered ${status}: ${text}`);
  return performance.now() - since;
}
