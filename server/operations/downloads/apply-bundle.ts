/** Applies a bundle in one transaction: all of its lists, or nothing. */
import { type SourceKey, sourceKeys, sourceLabels } from '@patch/catalogue/sources.ts';
import type { BundleListChanges } from '@patch/contract/operations/bundle-endpoints.ts';
import type { RunMessage } from '@patch/contract/sources/run-message.ts';
import { markUnread } from '../../ingest/parts/feed-part-store.ts';
import { addChanges } from '../../ingest/runs/run-record-store.ts';
import { addRun, endRun, type RunEnd } from '../../ingest/runs/run-store.ts';
import { RunningRun } from '../../ingest/runs/running-run.ts';
import { toRunChange } from '../../ingest/writing/part-writing.ts';
import { logFactChanges } from '../../ingest/writing/risk-part.ts';
import { estimateRowsWritten } from '../../ingest/writing/rows-written.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import type { Session } from '../../platform/database/database.ts';
import {
  type WrittenChange,
  withdraw,
  writeEntries,
} from '../../platform/database/records/entry-writer.ts';
import { adoptFormerKeys } from '../../platform/database/records/former-keys.ts';
import type { EntryToWrite } from '../../platform/database/records/project-record.ts';
import { refreshStatistics } from '../../platform/database/refresh-statistics.ts';
import { recordApplied } from './bundle-key-store.ts';
import {
  type BundleLine,
  BundleRefused,
  findRenamed,
  isWithdrawal,
  noChanges,
} from './bundle-manifest.ts';
import { importRisk } from './bundle-risk-changes.ts';
import { readListedIds } from './bundle-rows-store.ts';
import { applyStatuses } from './bundle-status-store.ts';
import { type CompareOptions, findMissingRows } from './compare-bundle.ts';
import type { BundleList, BundleRisk, ReadableBundle } from './read-bundle.ts';

export interface ApplyOptions extends CompareOptions {
  /** The name of the user who requested it. */
  readonly by: string;
  readonly clock: () => number;
}

type Runs = ReadonlyMap<SourceKey, RunningRun>;

export async function applyBundle(options: ApplyOptions): Promise<BundleListChanges[]> {
  const { database, bundle, by, clock, signal } = options;
  const runs = await beginRuns(options);
  // A cancelled or failed run ends all of them.
  const ended = AbortSignal.any([signal, ...[...runs.values()].map((running) => running.signal)]);
  let reports: BundleListChanges[];
  try {
    reports = await database.transaction(async (tx) => {
      const written: BundleListChanges[] = [];
      for (const list of bundle.lists)
        written.push(await applyList({ ...options, signal: ended }, tx, list, runs));
      for (const risk of bundle.risk)
        written.push(await applyRisk({ ...options, signal: ended }, tx, risk, runs));
      for (const statuses of bundle.statuses) await applyStatuses(tx, statuses, ended, clock());
      await recordApplied(
        tx,
        bundle.signedBy.publicKey,
        bundle.manifest.sources,
        bundle.manifest.madeAt,
        clock(),
      );
      for (const [source, running] of runs) {
        await markUnread(tx, source, null);
        await endRun(
          tx,
          running.run.id,
          successfulEnd(running, bundle.signedBy.name, source),
          clock(),
        );
      }
      return written;
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message: RunMessage = { code: 'bundle_not_applied', params: { by, reason: why } };
    await endUnchanged(options, runs, signal.aborted ? 'cancelled' : 'failed', message);
    throw error;
  }
  for (const running of runs.values()) await running.settle();
  const refreshed = await refreshStaleCves(database, signal);
  await refreshStatistics(
    database,
    estimateRowsWritten({ ...countWrites(bundle, reports), refreshed }),
  );
  return reports;
}

function countWrites({ lists, risk }: ReadableBundle, reports: readonly BundleListChanges[]) {
  const written = (key: string) => {
    const { added, changed, withdrawn } = reports.find((report) => report.list === key) ?? none;
    return added + changed + withdrawn;
  };
  const countRisk = (isScores: boolean) =>
    risk
      .filter(({ source }) => (source === 'epss') === isScores)
      .reduce((sum, { source }) => sum + written(source), 0);
  return {
    lists: lists.map(({ list }) => [list, written(list.key)] as const),
    facts: countRisk(false),
    scores: countRisk(true),
  };
}

const none = { added: 0, changed: 0, withdrawn: 0 };

/** Ends runs whose transaction changed nothing. */
async function endUnchanged(
  { database, clock }: ApplyOptions,
  runs: Runs,
  state: 'cancelled' | 'failed',
  message: RunMessage,
): Promise<void> {
  for (const running of runs.values()) {
    await running.settle();
    const end = { ...none, unchanged: 0, rejected: 0, state, message, warnings: [] };
    await endRun(database, running.run.id, end, clock());
  }
}

async function beginRuns(options: ApplyOptions): Promise<Runs> {
  const { database, bundle, by, clock } = options;
  const runs = new Map<SourceKey, RunningRun>();
  for (const source of bundle.manifest.sources.filter((one): one is SourceKey =>
    (sourceKeys as readonly string[]).includes(one),
  )) {
    const run = await addRun(database, source, `${by} (bundle)`, clock(), 'running');
    if (run !== null) {
      const running = new RunningRun(database, run, { now: clock });
      running.enter({ code: 'importing_bundle', params: {} });
      runs.set(source, running);
      continue;
    }
    await endUnchanged(options, runs, 'cancelled', { code: 'bundle_blocked_by_sync', params: {} });
    throw new BundleRefused(
      `${sourceLabels[source]} is being synced. Nothing was changed; apply the bundle when the sync has ended.`,
    );
  }
  return runs;
}

function successfulEnd({ counts }: RunningRun, signedBy: string, source: SourceKey): RunEnd {
  const { added, changed, withdrawn } = counts;
  return {
    ...counts,
    state: 'succeeded',
    message: { code: 'bundle_applied', params: { added, changed, withdrawn, source, signedBy } },
    warnings: [],
  };
}

async function applyList(
  { clock, onRows, signal }: ApplyOptions,
  tx: Session,
  bundled: BundleList,
  runs: Runs,
): Promise<BundleListChanges> {
  const { list } = bundled;
  const running = list.source === null ? undefined : runs.get(list.source);
  const report = noChanges(list.key, list.label);
  const recordChanges = async (changes: readonly WrittenChange[]) => {
    for (const { kind } of changes) {
      report[kind === 'added' || kind === 'withdrawn' ? kind : 'changed'] += 1;
      // A run counts returned records as added.
      if (running !== undefined) running.counts[kind === 'returned' ? 'added' : kind] += 1;
    }
    if (running !== undefined)
      await addChanges(
        tx,
        running.run.id,
        changes.map((change) => toRunChange(list, change)),
      );
  };

  const met = new Set<string>();
  for await (const lines of bundled.lines()) {
    signal.throwIfAborted();
    for (const { key } of lines) met.add(key);
    const before = report.added + report.changed + report.withdrawn;
    await adoptFormerKeys(tx, list, findRenamed(lines), (key) => met.has(key));
    for (const [part, entries] of entriesByPart(lines))
      await recordChanges(await writeEntries(tx, list, part, entries, clock()));
    const gone = lines.flatMap((line) => (isWithdrawal(line) ? [line.key] : []));
    if (gone.length > 0)
      await recordChanges(await withdraw(tx, list, await readListedIds(tx, list, gone), clock()));
    const unchanged = lines.length - (report.added + report.changed + report.withdrawn - before);
    report.unchanged += unchanged;
    if (running !== undefined) running.counts.unchanged += unchanged;
    onRows(list, lines.length);
  }
  const gone = await findMissingRows(tx, bundled, met);
  for (let from = 0; from < gone.length; from += 500)
    await recordChanges(await withdraw(tx, list, gone.slice(from, from + 500), clock()));
  return report;
}

async function applyRisk(
  { clock, onRows, signal }: ApplyOptions,
  tx: Session,
  risk: BundleRisk,
  runs: Runs,
): Promise<BundleListChanges> {
  const running = runs.get(risk.source);
  const { report } = await importRisk(tx, risk, {
    writtenAt: clock(),
    onRows,
    signal,
    onChanges: async (changes) => {
      if (running !== undefined) await logFactChanges(tx, running.run.id, changes);
    },
  });
  const { added, changed, withdrawn, unchanged } = report;
  if (running !== undefined)
    Object.assign(running.counts, { added, changed, withdrawn, unchanged });
  return report;
}

function entriesByPart(lines: readonly BundleLine[]): ReadonlyMap<string, readonly EntryToWrite[]> {
  const parts = new Map<string, EntryToWrite[]>();
  for (const line of lines) {
    if (isWithdrawal(line)) continue;
    const { key, part, hash, row, detail } = line;
    const entries = parts.get(part) ?? [];
    entries.push({ key, row: row as EntryToWrite['row'], detail, contentHash: hash });
    parts.set(part, entries);
  }
  return parts;
}
