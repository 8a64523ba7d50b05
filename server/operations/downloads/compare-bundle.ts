/** The dry run of an import: reads the complete bundle and reports what applying it would change. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { BundleListChanges } from '@patch/contract/operations/bundle-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { findRenamings } from '../../platform/database/records/former-keys.ts';
import { readKeysOfPart } from '../../platform/database/records/listed-keys-store.ts';
import { addOnce, findRenamed, isWithdrawal, noChanges } from './bundle-manifest.ts';
import { importRisk } from './bundle-risk-changes.ts';
import { readKnownRows } from './bundle-rows-store.ts';
import type { BundleList, ReadableBundle } from './read-bundle.ts';

export interface CompareOptions {
  readonly database: Database;
  readonly bundle: ReadableBundle;
  readonly onRows: (of: { readonly label: string }, rows: number) => void;
  readonly signal: AbortSignal;
}

/** The withdrawals of a bundle from a part of a list, or from a risk source. */
export interface Loss {
  readonly source: SourceKey | null;
  readonly label: string;
  /** Null for a risk source. */
  readonly part: string | null;
  /** The number of listed rows of the part. */
  readonly known: number;
  readonly withdrawn: number;
}

export interface Comparison {
  readonly lists: BundleListChanges[];
  readonly losses: readonly Loss[];
}

export async function compareBundle({
  database,
  bundle,
  onRows,
  signal,
}: CompareOptions): Promise<Comparison> {
  const reports: BundleListChanges[] = [];
  const losses: Loss[] = [];
  for (const bundled of bundle.lists) {
    const { list } = bundled;
    const report = noChanges(list.key, list.label);
    const met = new Set<string>();
    const withdrawn = new Map<string, number>();
    const addLoss = (part: string, rows: number) =>
      withdrawn.set(part, (withdrawn.get(part) ?? 0) + rows);
    for await (const lines of bundled.lines()) {
      signal.throwIfAborted();
      const keys = lines.map(({ key }) => key);
      addOnce(met, list.label, keys);
      const known = new Map(await readKnownRows(database, list, keys));
      for (const { key, row } of await findRenamings(database, list, findRenamed(lines), (former) =>
        met.has(former),
      )) {
        const before = await readKnownRows(database, list, [row.natural_key]);
        for (const found of before.values()) known.set(key, found);
        met.add(row.natural_key);
      }
      for (const line of lines) {
        const row = known.get(line.key);
        if (isWithdrawal(line)) {
          report[row?.withdrawn === false ? 'withdrawn' : 'unchanged'] += 1;
          if (row?.withdrawn === false) addLoss(line.part, 1);
        } else if (row === undefined) report.added += 1;
        else report[row.withdrawn || row.hash !== line.hash ? 'changed' : 'unchanged'] += 1;
      }
      onRows(list, lines.length);
    }
    for (const part of bundled.parts) {
      const gone = await findMissingRows(database, { list, parts: [part] }, met);
      report.withdrawn += gone.length;
      if (gone.length > 0) addLoss(part, gone.length);
    }
    for (const [part, rows] of withdrawn) {
      losses.push({
        source: list.source,
        label: list.label,
        part,
        known: (await readKeysOfPart(database, list, part)).size,
        withdrawn: rows,
      });
    }
    reports.push(report);
  }
  for (const risk of bundle.risk) {
    const { report, known } = await importRisk(database, risk, { writtenAt: null, onRows, signal });
    const { source, label } = risk;
    losses.push({ source, label, part: null, known, withdrawn: report.withdrawn });
    reports.push(report);
  }
  return { lists: reports, losses };
}

/** Returns the rows that are listed here but absent from the bundle, for the parts that a full bundle contains completely. */
export async function findMissingRows(
  database: Pick<Database, 'query'>,
  { list, parts }: Pick<BundleList, 'list' | 'parts'>,
  met: ReadonlySet<string>,
): Promise<number[]> {
  const gone: number[] = [];
  for (const part of parts)
    for (const [key, id] of await readKeysOfPart(database, list, part))
      if (!met.has(key)) gone.push(id);
  return gone;
}
