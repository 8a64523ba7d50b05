/** Compares a bundle's content of a risk source with the database, and writes it. */
import type {
  CveRecord,
  EpssScore,
  KnownExploited,
  RiskFacts,
} from '@patch/catalogue/definition/risk-facts.ts';
import type { BundleListChanges } from '@patch/contract/operations/bundle-endpoints.ts';
import {
  everyCve,
  lockVulnerabilities,
  markStale,
} from '../../platform/database/cves/cve-row-store.ts';
import {
  readScoreTexts,
  removeScores,
  toScoreText,
  writeScores,
} from '../../platform/database/cves/epss-score-store.ts';
import { lockRisk } from '../../platform/database/cves/record-risk-store.ts';
import {
  type FactsToWrite,
  manyCves,
  previewFacts,
  readFactHashes,
  type WrittenFacts,
  writeFacts,
} from '../../platform/database/cves/vulnerability-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { contentHash } from '../../platform/database/rows/content-hash.ts';
import { addOnce, noChanges } from './bundle-manifest.ts';
import type { BundleRisk } from './read-bundle.ts';

export interface RiskChanges {
  readonly report: BundleListChanges;
  /** The number of CVEs with facts of the source in the database. */
  readonly known: number;
}

export interface RiskImportOptions {
  /** Null: compare only; otherwise write with this time in epoch milliseconds, inside a transaction. */
  readonly writtenAt: number | null;
  readonly onRows: (of: { readonly label: string }, rows: number) => void;
  readonly onChanges?: (changes: readonly WrittenFacts[]) => Promise<void>;
  readonly signal: AbortSignal;
}

/** A changed percentile is written but counts as unchanged, as in a sync. */
export async function importRisk(
  database: Queryable,
  risk: BundleRisk,
  { writtenAt, onRows, onChanges, signal }: RiskImportOptions,
): Promise<RiskChanges> {
  const { source, label } = risk;
  const report = noChanges(source, label);
  if (writtenAt !== null) await lockRisk(database);
  const known =
    source === 'epss' ? await readScoreTexts(database) : await readFactHashes(database, source);
  const met = new Set<string>();
  const stale: string[] = [];
  for await (const facts of risk.facts()) {
    signal.throwIfAborted();
    addOnce(
      met,
      label,
      facts.map(({ cve }) => cve.toLowerCase()),
    );
    const changes = await importBatch(database, facts, known, writtenAt);
    for (const { kind } of changes) report[kind] += 1;
    report.unchanged += facts.length - changes.length;
    stale.push(...changes.map(({ cve }) => cve.toLowerCase()));
    if (writtenAt !== null && source !== 'epss' && known.size > 0) await onChanges?.(changes);
    onRows(risk, facts.length);
  }
  const gone = risk.isComplete ? [...known.keys()].filter((cve) => !met.has(cve)) : [];
  report.withdrawn += gone.length;
  if (writtenAt !== null) {
    await removeGone(database, source, gone, writtenAt);
    // Before the first read of known exploited vulnerabilities, no CVE was known not to be exploited.
    const isFirst = known.size === 0 && met.size > 0;
    const all = [...stale, ...gone];
    await lockVulnerabilities(database);
    await markStale(database, isFirst || all.length > manyCves ? [everyCve] : all);
  }
  return { report, known: known.size };
}

/** Returns the changes. */
async function importBatch(
  database: Queryable,
  facts: readonly RiskFacts[],
  known: ReadonlyMap<string, string>,
  writtenAt: number | null,
): Promise<readonly WrittenFacts[]> {
  const scores = facts.filter((one): one is EpssScore => one.kind === 'epss');
  if (scores.length > 0) return importScores(database, scores, known, writtenAt);
  const toWrite = facts.map((one) => factsToWrite(one as KnownExploited | CveRecord));
  return writtenAt === null
    ? previewFacts(database, toWrite, Date.now())
    : writeFacts(database, toWrite, writtenAt, 'all are stale');
}

async function importScores(
  database: Queryable,
  scores: readonly EpssScore[],
  known: ReadonlyMap<string, string>,
  writtenAt: number | null,
): Promise<readonly WrittenFacts[]> {
  const changed = scores.filter(
    (score) => known.get(score.cve.toLowerCase()) !== toScoreText(score),
  );
  if (writtenAt !== null) {
    const folded = changed.map((score) => ({ ...score, cve: score.cve.toLowerCase() }));
    await writeScores(database, folded, { known, stale: null, now: writtenAt });
  }
  return changed.flatMap(({ cve, epss }) => {
    const before = known.get(cve.toLowerCase());
    if (before?.split(' ')[0] === String(epss)) return [];
    return [
      { cve, kind: before === undefined ? 'added' : 'changed', fields: {}, becameExploited: false },
    ];
  });
}

function factsToWrite(facts: KnownExploited | CveRecord): FactsToWrite {
  const hash = contentHash(facts as never, {});
  const { cve } = facts;
  return facts.kind === 'kev' ? { of: 'kev', cve, facts, hash } : { of: 'cvss', cve, facts, hash };
}

async function removeGone(
  tx: Queryable,
  source: BundleRisk['source'],
  gone: readonly string[],
  now: number,
): Promise<void> {
  if (gone.length === 0) return;
  if (source === 'epss') return removeScores(tx, gone, false);
  const nothing = gone.map((cve) => ({
    of: 'kev' as const,
    cve: cve.toUpperCase(),
    facts: null,
    hash: '',
  }));
  await writeFacts(tx, nothing, now, 'all are stale');
}
