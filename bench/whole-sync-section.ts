/** The whole sync of a large updateinfo.xml into an empty catalogue, on both databases, as a section of docs/performance.md. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rpmRepositoryFrom } from '@patch/catalogue/testing/rpm-repository-from.ts';
import { opensuseList } from '@patch/catalogue/vendors/opensuse/opensuse-list.ts';
import { onEach, onEmptyFolder } from './bench-database.ts';
import { machineFacts } from './bench-report.ts';
import type { BenchRun } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { updateinfoFile, type VendorFile } from './vendor-files.ts';
import { type AskedWhileSyncing, askWhileSyncing } from './while-syncing.ts';

const megabyte = 1_048_576;
const repository = 'https://download.opensuse.org/update/leap/15.6/oss/';

interface WholeSync extends AskedWhileSyncing {
  readonly database: string;
}

export async function wholeSyncSection(run: BenchRun): Promise<string> {
  const folder = join(run.cache, 'whole-sync-files');
  const mirror = join(folder, 'mirror');
  try {
    const file = await updateinfoFile(join(folder, 'updateinfo.xml'), run.megabytes * megabyte);
    const files = rpmRepositoryFrom(repository, await readFile(file.path, 'utf8'));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(mirror, path)), { recursive: true });
      await writeFile(join(mirror, path), content);
    }
    const syncs = await onEach(
      run,
      async ({ name, environment }): Promise<WholeSync> => {
        const service = await startService({ ...environment, FEED_MIRROR: mirror });
        try {
          const asked = await askWhileSyncing(service, {
            source: 'opensuse',
            searchPath: opensuseList.searchPath,
            records: file.records,
          });
          run.say(`${name}: ${asked.seconds.toFixed(1)} s`);
          return { database: name, ...asked };
        } finally {
          await service.stop();
        }
      },
      onEmptyFolder('whole-sync'),
    );
    const section = wholeSyncReport(file, syncs);
    run.say(section);
    return section;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function wholeSyncReport({ bytes, records }: VendorFile, syncs: readonly WholeSync[]): string {
  return [
    '## Whole sync of an updateinfo.xml',
    '',
    `A made-up updateinfo.xml of ${(bytes / megabyte).toFixed(0)} MB with ${records.toLocaleString('en')} advisories, synced by the service into an empty catalogue, from the call to the end of the run,`,
    'while one client asks for health and the first page without pause. The PostgreSQL server is of the bench and does not wait for the disk.',
    '',
    machineFacts(),
    '',
    '| | s | MB above idle | first page p50, ms | p99 | longest |',
    '|---|--:|--:|--:|--:|--:|',
    ...syncs.map(({ database, seconds, memoryIdle, memoryMost, firstPage }) => {
      const memory =
        memoryIdle === null || memoryMost === null
          ? 'not told'
          : ((memoryMost - memoryIdle) / megabyte).toFixed(0);
      const times = [firstPage.p50, firstPage.p99, firstPage.most].map((ms) => ms.toFixed(1));
      return `| ${[database, seconds.toFixed(1), memory, ...times].join(' | ')} |`;
    }),
    '',
  ].join('\n');
}
