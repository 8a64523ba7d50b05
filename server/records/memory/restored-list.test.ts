/** Restores a dump while lists are in memory: revisions count on from an older number, and stand for other rows than before. */
import { join } from 'node:path';
import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { dumpSigner, writeDumpFile } from '../../operations/backup/database-dump.ts';
import { withSnapshot } from '../../operations/backup/dumped-tables-store.ts';
import { restoreDump } from '../../operations/backup/restore-dump.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { openMigrated } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { buildSearchService } from '../search/testing/build-search-service.ts';
import { SummaryService } from '../summary/summary-service.ts';
import { ListMemories } from './list-memories.ts';
import { findDifferences } from './testing/memory-differences.ts';
import { readStoredList } from './testing/stored-lists.ts';
import { findWrongFacets, findWrongFlags } from './testing/wrong-answers.ts';

const lists = (['almalinux_patch', 'all_patches', 'vulnerabilities'] as const).map(getList);
const signer = dumpSigner(Buffer.alloc(32, 7));
const path = join(temporaryFolder(), 'dump.sql.gz');

const write = (database: Database, keys: readonly string[], severity: string) =>
  writeRecords(
    database,
    'almalinux_patch',
    keys.map((key, n) => ({
      key,
      row: { bulletinId: key, title: `${severity} ${key}`, severity, releaseDate: n * 1_000 },
      detail: { cve: [`CVE-2026-100${n}`] },
    })),
  );

async function listAsExploited(database: Database, cve: string): Promise<void> {
  await writeCveFacts(database, buildKevFacts(cve, { ransomware: true }));
  await refreshStaleCves(database);
}

test.each([
  ['as many changes as before', 1],
  ['fewer changes than before', 0],
])('reads the lists anew after a restore and %s', async (_, changes) => {
  const database = await openMigrated();
  try {
    await write(database, ['a', 'b', 'c'], 'Low');
    await listAsExploited(database, 'CVE-2026-1000');
    await withSnapshot(database, (session) => writeDumpFile(session, path, 1, signer));
    const memories = new ListMemories(database);
    const searchService = buildSearchService(database, { memories });
    const answering = { searchService, summaries: new SummaryService({ searchService, memories }) };
    const findWrong = async () => {
      const wrong: string[] = [];
      for (const list of lists) {
        const stored = await readStoredList(database, list);
        await memories.readTexts(list, [{ column: 'title_folded', inOrder: true }]);
        wrong.push(...findDifferences((await memories.load(list)).memory, stored));
        wrong.push(...(await findWrongFacets(answering, stored)));
        wrong.push(...(await findWrongFlags(answering, stored)));
      }
      return wrong;
    };
    const ids = await write(database, ['d', 'b'], 'Critical');
    await withdrawRecords(database, 'almalinux_patch', [ids.get('b')]);
    await listAsExploited(database, 'CVE-2026-1001');
    expect(await findWrong()).toEqual([]);
    await restoreDump({
      database,
      path,
      trust: { publicKeys: [signer.publicKey], acceptUnsigned: false },
      replace: true,
    });
    for (let change = 0; change < changes; change += 1) {
      const changed = await write(database, ['e', 'c'], `Moderate ${change}`);
      await withdrawRecords(database, 'almalinux_patch', [changed.get('c')]);
      await listAsExploited(database, `CVE-2026-100${2 + change}`);
    }
    expect(await findWrong()).toEqual([]);
  } finally {
    await database.close();
  }
});
