/** Reads and writes a part of a risk source. Its facts are stored in the tables of vulnerabilities and EPSS scores. */
import type {
  FeedPart,
  PartManifest,
  RiskFeed,
  RiskItem,
} from '@patch/catalogue/definition/feed.ts';
import type {
  CveRecord,
  EpssScore,
  KnownExploited,
  RiskFacts,
} from '@patch/catalogue/definition/risk-facts.ts';
import { detachText } from '@patch/catalogue/parsers/detach-text.ts';
import {
  everyCve,
  markStale,
  onlyFacts,
  onlyScores,
  type StaleFigures,
  vulnerabilities,
} from '../../platform/database/cves/cve-row-store.ts';
import {
  readScoreTexts,
  removeScores,
  toScoreText,
  writeScores,
} from '../../platform/database/cves/epss-score-store.ts';
import {
  type FactsToWrite,
  manyCves,
  readFactHashes,
  readVulnerabilityIds,
  type WrittenFacts,
  writeFacts,
} from '../../platform/database/cves/vulnerability-store.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { PackageStatuses } from '../../platform/database/records/package-status-store.ts';
import { contentHash } from '../../platform/database/rows/content-hash.ts';
import { recordPartWritten } from '../parts/feed-part-store.ts';
import { RemarkCollector, type StoredRejection } from '../parts/standing-remarks.ts';
import { EntrySpool } from '../reading/entry-spool.ts';
import type { PartReading } from '../reading/read-part.ts';
import { addChanges } from '../runs/run-record-store.ts';
import type { RunningRun } from '../runs/running-run.ts';
import { addExploitedEvents } from './exploited-event-store.ts';
import { batchesOf, type PartWriting, recordReading } from './part-writing.ts';
import { judgeMissingRows, type MissingVerdict } from './withdraw-missing.ts';

/** Rows of one transaction. */
const factsPerBatch = 1_000;
const scoresPerBatch = 8_000;

/** CISA removes single entries from its catalogue. More at once are suspicious. */
export const maxMissingEntries = 5;

export type RiskWriting = Omit<PartWriting, 'feed' | 'part'> & {
  readonly feed: RiskFeed;
  readonly part: FeedPart<RiskItem>;
};

/** Reads a part. EPSS scores stay in memory, other facts are written to the spool. */
export async function readRiskPart(
  part: FeedPart<RiskItem>,
  contents: PartManifest,
  running: RunningRun,
  folder: string,
): Promise<PartReading> {
  const spool = await EntrySpool.create(folder);
  const hashes = new Map<string, string>();
  const rejectedKeys = new Set<string>();
  const remarks = new RemarkCollector(running, part);
  const url = contents.documents[0]?.url ?? '';
  const reject = async (rejection: StoredRejection) => {
    for (const key of rejection.keys ?? [rejection.rejected])
      rejectedKeys.add(detachText(key.toLowerCase()));
    await remarks.reject(rejection);
  };
  try {
    for await (const item of part.read(contents)) {
      running.signal.throwIfAborted();
      if (item.kind === 'remark') remarks.addRemark(item);
      else if (item.kind === 'rejection') await reject(item);
      else {
        const { facts } = item;
        const key = detachText(facts.cve.toLowerCase());
        if (hashes.has(key)) {
          await remarks.reject({ rejected: facts.cve, reason: duplicateReason, url });
          continue;
        }
        const hash = getHash(facts);
        hashes.set(key, detachText(hash));
        if (facts.kind !== 'epss')
          await spool.add(vulnerabilities, {
            key: facts.cve,
            row: facts as never,
            detail: {},
            contentHash: hash,
          });
      }
    }
  } catch (error) {
    await spool.remove();
    throw error;
  }
  return {
    spool,
    entries: hashes.size,
    hashesByList: new Map([[vulnerabilities.key, hashes]]),
    rejectedKeys,
    renamed: new Map(),
    remarks,
    statuses: new PackageStatuses(),
    conclusions: new Map(),
  };
}

const duplicateReason = 'The source lists it twice. The first entry is used.';

/** Returns the text of a score, which is compared instead of a hash, or the hash of other facts. */
function getHash(facts: RiskFacts): string {
  return facts.kind === 'epss' ? toScoreText(facts) : contentHash(facts as never, {});
}

function parseScore(cve: string, text: string): EpssScore {
  const [epss = '', percentile = ''] = text.split(' ');
  return {
    kind: 'epss',
    cve,
    epss: Number(epss),
    percentile: percentile === '' ? null : Number(percentile),
  };
}

/** Writes a part. Its documents count as read once the complete part is written. */
export async function writeRiskPart(writing: RiskWriting, reading: PartReading): Promise<void> {
  const { database, feed, part, running, last } = writing;
  const hashes = reading.hashesByList.get(vulnerabilities.key) ?? new Map<string, string>();
  const isWritten =
    feed.risk === 'epss'
      ? await writeAllScores(writing, reading, hashes)
      : await writeAllFacts(writing, reading, hashes);
  // Marks all CVEs stale, because the first reading of KEV also decides which are not exploited.
  if (feed.risk === 'kev' && last === null) await markAllStale(database, onlyFacts);
  await recordPartWritten(database, running.run.source, part.key, feed.version);
  if (isWritten) await recordReading(writing, reading.remarks.standing);
}

const markAllStale = (database: Database, figures: StaleFigures) =>
  database.transaction((tx) => markStale(tx, [everyCve], figures));

/** Returns false when missing CVEs wait for a decision. */
async function writeAllFacts(
  writing: RiskWriting,
  reading: PartReading,
  hashes: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { database, feed, contents, running } = writing;
  const of = feed.risk === 'kev' ? 'kev' : 'cvss';
  const missing = contents.isComplete
    ? await findMissing(writing, reading, (await readFactHashes(database, of)).keys(), hashes)
    : null;
  const areMany = hashes.size > manyCves;
  if (areMany) await markAllStale(database, onlyFacts);
  let batch: FactsToWrite[] = [];
  const flush = async () => {
    if (batch.length > 0) await writeFactsBatch(writing, batch, areMany);
    batch = [];
  };
  for await (const { entry } of reading.spool.entries([vulnerabilities])) {
    batch.push(toFacts(entry.row, entry.contentHash));
    if (batch.length >= factsPerBatch) await flush();
  }
  await flush();
  if (missing === null || missing.verdict === 'keep') return true;
  if (missing.verdict === 'wait') return false;
  for (const cves of batchesOf(missing.cves, factsPerBatch, running))
    await writeFactsBatch(
      writing,
      cves.map((cve) => ({ of: 'kev' as const, cve: cve.toUpperCase(), facts: null, hash: '' })),
      false,
    );
  await missing.quarantine.release();
  return true;
}

function toFacts(row: unknown, hash: string): FactsToWrite {
  const facts = row as KnownExploited | CveRecord;
  return facts.kind === 'kev'
    ? { of: 'kev', cve: facts.cve, facts, hash }
    : { of: 'cvss', cve: facts.cve, facts, hash };
}

async function writeFactsBatch(
  { database, running, changed, last }: RiskWriting,
  facts: readonly FactsToWrite[],
  areMany: boolean,
): Promise<void> {
  running.signal.throwIfAborted();
  const written = await database.transaction(async (tx) => {
    const changes = await writeFacts(
      tx,
      facts,
      Date.now(),
      areMany ? 'all are stale' : 'mark each',
    );
    // Logs no changes of a first reading, which adds everything.
    if (last !== null) await logFactChanges(tx, running.run.id, changes);
    return changes;
  });
  for (const { kind } of written) running.counts[kind]++;
  running.counts.unchanged += facts.length - written.length;
  running.advance(facts.length);
  if (written.length > 0) changed.add(vulnerabilities);
}

/** Logs changes of facts for a run, in the transaction that made them. CVEs that became known exploited cause events. */
export async function logFactChanges(
  tx: Queryable,
  runId: number,
  changes: readonly WrittenFacts[],
): Promise<void> {
  const ids = await readVulnerabilityIds(
    tx,
    changes.map(({ cve }) => cve),
  );
  await addExploitedEvents(
    tx,
    changes.filter(({ becameExploited }) => becameExploited).map(({ cve }) => cve),
  );
  await addChanges(
    tx,
    runId,
    changes.map(({ cve, kind, fields }) => ({
      list: vulnerabilities.key,
      rowId: ids.get(cve.toLowerCase()) ?? 0,
      identity: cve,
      kind,
      fields,
    })),
  );
}

async function writeAllScores(
  writing: RiskWriting,
  reading: PartReading,
  hashes: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { database, running } = writing;
  const known = await readScoreTexts(database);
  const missing = await findMissing(writing, reading, known.keys(), hashes);
  const toWrite: EpssScore[] = [];
  const changedCves: string[] = [];
  for (const [cve, text] of hashes) {
    const before = known.get(cve);
    if (before === text) continue;
    toWrite.push(parseScore(cve, text));
    // A percentile also changes with the scores of other CVEs, which does not count as a change.
    if (before?.split(' ')[0] === text.split(' ')[0]) continue;
    changedCves.push(cve);
    running.counts[before === undefined ? 'added' : 'changed']++;
  }
  running.counts.unchanged += hashes.size - changedCves.length;
  const removed = missing.verdict === 'withdraw' ? missing.cves : [];
  const areMany = areMost(known.size, changedCves.length + removed.length);
  if (areMany) await markAllStale(database, onlyScores);
  const stale = areMany ? null : new Set(changedCves);
  for (const batch of batchesOf(toWrite, scoresPerBatch, running)) {
    await database.transaction((tx) => writeScores(tx, batch, { known, stale, now: Date.now() }));
    running.advance(batch.length);
  }
  for (const batch of batchesOf(removed, scoresPerBatch, running))
    await database.transaction((tx) => removeScores(tx, batch, !areMany));
  running.counts.withdrawn += removed.length;
  if (missing.verdict === 'withdraw') await missing.quarantine.release();
  return missing.verdict !== 'wait';
}

/** Above this share, one pass over all records is faster than finding the records of each CVE. */
const fullPassShare = 0.2;

const areMost = (known: number, changed: number): boolean =>
  changed > manyCves && changed > known * fullPassShare;

interface MissingCves extends MissingVerdict {
  readonly cves: readonly string[];
}

/** Finds the CVEs that the source does not list any more. Quarantines too many at once. */
async function findMissing(
  writing: RiskWriting,
  { remarks, rejectedKeys }: PartReading,
  known: Iterable<string>,
  hashes: ReadonlyMap<string, string>,
): Promise<MissingCves> {
  const all = [...known];
  const cves = all.filter((cve) => !hashes.has(cve) && !rejectedKeys.has(cve));
  const ids = await readVulnerabilityIds(writing.database, cves);
  const verdict = await judgeMissingRows(
    writing,
    remarks,
    { list: vulnerabilities, known: all.length, rowIds: [...ids.values()] },
    { maxRows: writing.feed.risk === 'kev' ? maxMissingEntries : null },
  );
  return { cves, ...verdict };
}
