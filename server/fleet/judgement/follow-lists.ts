/** Judges again what changes of lists affect: new, changed, withdrawn and restored records, in batches that survive a kill. */
import { namesOfFix } from '@patch/catalogue/fleet/inventory-part.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { cataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { packageRecord } from '@patch/catalogue/machines/judgement/package-record.ts';
import { productKey } from '@patch/catalogue/machines/judgement/windows-products.ts';
import { type RecordOfList, readRecords } from '../../machines/machine-records-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { packageLists } from '../../platform/database/records/package-fix-store.ts';
import { readPartsByName, readReleaseParts } from '../parts/inventory-part-store.ts';
import type { FleetWork } from './fleet-lease-store.ts';
import {
  type ChangedRecord,
  hasJudgedParts,
  judgeAllAgain,
  judgeApplicationsAgain,
  judgeMacsAgain,
  judgeProductsAgain,
  type Position,
  readChangedRecords,
  readPosition,
  skipToNow,
  writePosition,
} from './judged-list-store.ts';
import { applicationReleases, macReleases, windowsUpdates } from './judged-record-store.ts';
import { judgePackageRecords, type PartFinding } from './part-judgement.ts';
import { replaceFindingsOfRecords } from './part-missing-store.ts';

const batchRecords = 200;

const others = [windowsUpdates, macReleases, applicationReleases];
export const judgedLists: readonly CatalogueList[] = [
  ...packageLists.filter(({ key }) => !others.some((list) => list.key === key)),
  ...others,
];

/** Returns the number of changed records. */
export async function followLists(work: FleetWork): Promise<number> {
  let changed = 0;
  // Changes affect nothing before the first part is judged.
  if (!(await hasJudgedParts(work.database)))
    await work.database.transaction(async (tx) => {
      await work.keepLease(tx);
      await skipToNow(tx, judgedLists);
    });
  for (const list of judgedLists) changed += await followList(work, list);
  return changed;
}

async function followList(work: FleetWork, list: CatalogueList): Promise<number> {
  const { database, signal, keepLease } = work;
  let position = (await readPosition(database, list)) ?? (await firstPosition(work, list));
  for (let changed = 0; ; ) {
    signal.throwIfAborted();
    const batch = await readChangedRecords(database, list, position, batchRecords);
    const last = batch.at(-1);
    if (last === undefined) return changed;
    const write = await judgeBatch(work, list, batch);
    const next = { revision: last.revision, recordId: last.id };
    await database.transaction(async (tx) => {
      await keepLease(tx);
      await write(tx);
      await writePosition(tx, list, next);
    });
    position = next;
    changed += batch.length;
  }
}

/** A list that was never followed may affect any part: all are judged again with it. */
async function firstPosition(
  { database, keepLease }: FleetWork,
  list: CatalogueList,
): Promise<Position> {
  await database.transaction(async (tx) => {
    await keepLease(tx);
    await judgeAllAgain(tx);
    await skipToNow(tx, [list]);
  });
  return (await readPosition(database, list)) ?? { revision: 0, recordId: 0 };
}

/** Reads and judges a batch; returns a function that writes the result. */
async function judgeBatch(
  { database, signal }: FleetWork,
  list: CatalogueList,
  batch: readonly ChangedRecord[],
): Promise<(tx: Queryable) => Promise<void>> {
  const ids = batch.map(({ id }) => id);
  if (list.key === macReleases.key) return judgeMacsAgain;
  if (list.key === applicationReleases.key) return (tx) => judgeApplicationsAgain(tx, list, ids);
  const records = await readRecords(database, list, ids, signal);
  if (list.key === windowsUpdates.key) {
    // Replacements and known KBs affect every machine of the product.
    const products = listProducts(records);
    return (tx) => judgeProductsAgain(tx, list, ids, products);
  }
  const withdrawn = new Set(batch.flatMap((one) => (one.withdrawn ? one.id : [])));
  const listed = records.filter(({ recordId }) => !withdrawn.has(recordId));
  const findings = await judgeRecords(database, listed);
  return (tx) => replaceFindingsOfRecords(tx, list.key, ids, findings);
}

function listProducts(records: readonly RecordOfList[]): readonly string[] {
  const names = records.map(({ content }) => content.row['productName']);
  const products = names.flatMap((name) =>
    typeof name === 'string' ? (productKey(name) ?? []) : [],
  );
  return [...new Set(products)];
}

async function judgeRecords(
  database: Queryable,
  records: readonly RecordOfList[],
): Promise<readonly PartFinding[]> {
  if (records.length === 0) return [];
  const findings: PartFinding[] = [];
  for (const { scope, machine } of await readReleaseParts(database)) {
    const release = cataloguedRelease(machine);
    if (release === null) continue;
    const concerned = records.flatMap(({ key, list, recordId, content }) => {
      const record = packageRecord({ key, ...content }, release);
      return record === null ? [] : [{ list, recordId, record }];
    });
    const names = new Set(
      concerned.flatMap(({ record }) => record.fixes.flatMap(({ name }) => namesOfFix(name))),
    );
    if (names.size === 0) continue;
    const parts = await readPartsByName(database, scope, [...names]);
    findings.push(...judgePackageRecords(concerned, release, parts));
  }
  return findings;
}
