/** Reads and writes a part of a risk source: what it says of CVEs goes into the table of vulnerabilities and the EPSS scores. */
import type { PartManifest, PartOf, RiskFeed, RiskItem } from '@patch/catalogue/definition/feed.ts';
import type {
  CveRecord,
  EpssScore,
  KnownExploited,
  RiskFacts,
} from '@patch/catalogue/definition/risk-facts.ts';
import { detached } from '@patch/catalogue/parsers/detached.ts';
import { contentHash } from '../../platform/database/content-hash.ts';
import {
  everyCve,
  factsAlone,
  markStale,
  type StaleFigures,
  scoresAlone,
  vulnerabilities,
} from '../../platform/database/cve-row-store.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import {
  knownScores,
  removeScores,
  scoreText,
  writeScores,
} from '../../platform/database/epss-score-store.ts';
import { UnfixedVulnerabilities } from '../../platform/database/unfixed-vulnerability-store.ts';
import {
  type FactsToWrite,
  knownFacts,
  manyCves,
  vulnerabilityIds,
  type WrittenFacts,
  writeFacts,
} from '../../platform/database/vulnerability-store.ts';
import { EntrySpool } from './entry-spool.ts';
import { recordPartRead, recordPartWritten } from './feed-part-store.ts';
import type { PartWriting } from './part-writing.ts';
import type { PartReading } from './read-part.ts';
import { addChanges } from './run-record-store.ts';
import type { RunningRun } from './running-run.ts';
import { RemarkCollector, type StoredRejection } from './standing-remarks.ts';
import { type MissingVerdict, verdictOnMissing } from './withdraw-missing.ts';

/** Rows of one transaction. */
const factsABatch = 1_000;
const scoresABatch = 8_000;

/** Entries of CISA's catalogue go one at a time; more at once are suspicious. */
export const mostGoneEntries = 5;

export type RiskWriting = Omit<PartWriting, 'feed' | 'part'> & {
  readonly feed: RiskFeed;
  readonly part: PartOf<RiskItem>;
};

/** EPSS scores are kept in memory with the reading, all else in its spool. */
export async function readRiskPart(
  part: PartOf<RiskItem>,
  contents: PartManifest,
  running: RunningRun,
  folder: string,
): Promise<PartReading> {
  const spool = await EntrySpool.create(folder);
  const met = new Map<string, string>();
  const rejectedKeys = new Set<string>();
  const remarks = new RemarkCollector(running, part);
  const url = contents.documents[0]?.url ?? '';
  const reject = async (rejection: StoredRejection) => {
    for (const key of rejection.keys ?? [rejection.rejected])
      rejectedKeys.add(detached(key.toLowerCase()));
    await remarks.reject(rejection);
  };
  try {
    for await (const item of part.read(contents)) {
      running.signal.throwIfAborted();
      if (item.kind === 'remark') remarks.remark(item);
      else if (item.kind === 'rejection') await reject(item);
      else {
        const { facts } = item;
        const key = detached(facts.cve.toLowerCase());
        if (met.has(key)) {
          await remarks.reject({ rejected: facts.cve, reason: twice, url });
          continue;
        }
        const hash = hashOf(facts);
        met.set(key, detached(hash));
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
    entries: met.size,
    met: new Map([[vulnerabilities.key, met]]),
    rejectedKeys,
    renamed: new Map(),
    remarks,
    unfixed: new UnfixedVulnerabilities(),
    conclusions: new Map(),
  };
}

const twice = 'The source lists it twice; the first is kept.';

/** Of a score, the score itself: figures are compared, not hashes. */
function hashOf(facts: RiskFacts): string {
  return facts.kind === 'epss' ? scoreText(facts) : contentHash(facts as never, {});
}

function scoreOf(cve: string, text: string): EpssScore {
  const [epss = '', percentile = ''] = text.split(' ');
  return {
    kind: 'epss',
    cve,
    epss: Number(epss),
    percentile: percentile === '' ? null : Number(percentile),
  };
}

/** The documents count as read only once all of the part is written. */
export async function writeRiskPart(writing: RiskWriting, reading: PartReading): Promise<void> {
  const { database, feed, part, contents, running, last } = writing;
  const met = reading.met.get(vulnerabilities.key) ?? new Map<string, string>();
  const isWritten =
    feed.risk === 'epss'
      ? await writeAllScores(writing, reading, met)
      : await writeAllFacts(writing, reading, met);
  // Until it was read once, nothing was known not to be exploited.
  if (feed.risk === 'kev' && last === null) await markEvery(database, factsAlone);
  await recordPartWritten(database, running.run.source, part.key, feed.version);
  if (!isWritten) return;
  await database.transaction((tx) =>
    recordPartRead(
      tx,
      running.run.source,
      part.key,
      {
        feedVersion: feed.version,
        documents: contents.documents,
        whole: contents.whole,
        remarks: reading.remarks.standing,
        remember: contents.remember,
      },
      Date.now(),
    ),
  );
}

const markEvery = (database: Database, figures: StaleFigures) =>
  database.transaction((tx) => markStale(tx, [everyCve], figures));

/** False when what is missing waits for a decision. */
async function writeAllFacts(
  writing: RiskWriting,
  reading: PartReading,
  met: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { database, feed, contents, running } = writing;
  const of = feed.risk === 'kev' ? 'kev' : 'cvss';
  const missing = contents.whole
    ? await missingOf(writing, reading, (await knownFacts(database, of)).keys(), met)
    : null;
  const areMany = met.size > manyCves;
  if (areMany) await markEvery(database, factsAlone);
  let batch: FactsToWrite[] = [];
  const flush = async () => {
    if (batch.length > 0) await writeFactsBatch(writing, batch, areMany);
    batch = [];
  };
  for await (const { entry } of reading.spool.entries([vulnerabilities])) {
    batch.push(factsOf(entry.row, entry.contentHash));
    if (batch.length >= factsABatch) await flush();
  }
  await flush();
  if (missing === null || missing.verdict === 'keep') return true;
  if (missing.verdict === 'wait') return false;
  for (let from = 0; from < missing.cves.length; from += factsABatch) {
    running.signal.throwIfAborted();
    const cves = missing.cves.slice(from, from + factsABatch);
    await writeFactsBatch(
      writing,
      cves.map((cve) => ({ of: 'kev' as const, cve: cve.toUpperCase(), facts: null, hash: '' })),
      false,
    );
  }
  await missing.quarantine.release();
  return true;
}

function factsOf(row: unknown, hash: string): FactsToWrite {
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
    // A first reading brings everything: that is no change of anything.
    if (last !== null) await logFactChanges(tx, running.run.id, changes);
    return changes;
  });
  for (const { kind } of written) running.counts[kind]++;
  running.counts.unchanged += facts.length - written.length;
  running.advance(facts.length);
  if (written.length > 0) changed.add(vulnerabilities);
}

/** Records what a run has changed, inside the transaction that changed it. */
export async function logFactChanges(
  tx: Queryable,
  runId: number,
  changes: readonly WrittenFacts[],
): Promise<void> {
  const ids = await vulnerabilityIds(
    tx,
    changes.map(({ cve }) => cve),
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
  met: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { database, running } = writing;
  const known = await knownScores(database);
  const missing = await missingOf(writing, reading, known.keys(), met);
  const toWrite: EpssScore[] = [];
  const moved: string[] = [];
  for (const [cve, text] of met) {
    const before = known.get(cve);
    if (before === text) continue;
    toWrite.push(scoreOf(cve, text));
    // A percentile moves when others move: that is no change of the score.
    if (before?.split(' ')[0] === text.split(' ')[0]) continue;
    moved.push(cve);
    running.counts[before === undefined ? 'added' : 'changed']++;
  }
  running.counts.unchanged += met.size - moved.length;
  const removed = missing.verdict === 'withdraw' ? missing.cves : [];
  const areMany = isMostOf(known.size, moved.length + removed.length);
  if (areMany) await markEvery(database, scoresAlone);
  const stale = areMany ? null : new Set(moved);
  for (let from = 0; from < toWrite.length; from += scoresABatch) {
    running.signal.throwIfAborted();
    const batch = toWrite.slice(from, from + scoresABatch);
    await database.transaction((tx) => writeScores(tx, batch, { known, stale, now: Date.now() }));
    running.advance(batch.length);
  }
  for (let from = 0; from < removed.length; from += scoresABatch) {
    const batch = removed.slice(from, from + scoresABatch);
    await database.transaction((tx) => removeScores(tx, batch, !areMany));
  }
  running.counts.withdrawn += removed.length;
  if (missing.verdict === 'withdraw') await missing.quarantine.release();
  return missing.verdict !== 'wait';
}

/** Past this share one pass over all records costs less than looking up the records of each CVE. */
const wholePassShare = 0.2;

const isMostOf = (known: number, changed: number): boolean =>
  changed > manyCves && changed > known * wholePassShare;

interface MissingCves extends MissingVerdict {
  readonly cves: readonly string[];
}

/** The CVEs of which the source said something and says nothing now. Too many at once are quarantined. */
async function missingOf(
  writing: RiskWriting,
  { remarks, rejectedKeys }: PartReading,
  known: Iterable<string>,
  met: ReadonlyMap<string, string>,
): Promise<MissingCves> {
  const all = [...known];
  const cves = all.filter((cve) => !met.has(cve) && !rejectedKeys.has(cve));
  const ids = await vulnerabilityIds(writing.database, cves);
  const verdict = await verdictOnMissing(
    writing,
    remarks,
    { list: vulnerabilities, known: all.length, rowIds: [...ids.values()] },
    { maxRows: writing.feed.risk === 'kev' ? mostGoneEntries : null },
  );
  return { cves, ...verdict };
}
