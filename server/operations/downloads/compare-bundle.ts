/** The dry run of an import: reads the whole bundle and reports what applying it would change, without changing anything. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { BundleListChanges } from '@patch/contract/bundle-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { renamingsOf } from '../../platform/database/former-keys.ts';
import { keysOfPart } from '../../platform/database/listed-keys-store.ts';
import { BundleRefused, isWithdrawal, renamedIn } from './bundle-manifest.ts';
import { bringRisk } from './bundle-risk-changes.ts';
import { knownRowsOf } from './bundle-rows-store.ts';
import type { BundleList, ReadableBundle } from './read-bundle.ts';

export interface Comparing {
  readonly database: Database;
  readonly bundle: ReadableBundle;
  readonly onRows: (of: { readonly label: string }, rows: number) => void;
  readonly signal: AbortSignal;
}

/** What a bundle withdraws from a part of a list, or from all that a risk source says. */
export interface Loss {
  readonly source: SourceKey | null;
  readonly label: string;
  /** Null for a risk source. */
  readonly part: string | null;
  /** Number of listed rows of the part. */
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
}: Comparing): Promise<Comparison> {
  const reports: BundleListChanges[] = [];
  const losses: Loss[] = [];
  for (const bundled of bundle.lists) {
    const { list } = bundled;
    const report = {
      list: list.key,
      label: list.label,
      added: 0,
      changed: 0,
      withdrawn: 0,
      unchanged: 0,
    };
    const met = new Set<string>();
    const withdrawn = new Map<string, number>();
    const lose = (part: string, rows: number) =>
      withdrawn.set(part, (withdrawn.get(part) ?? 0) + rows);
    for await (const lines of bundled.lines()) {
      signal.throwIfAborted();
      for (const { key } of lines) {
        if (met.has(key))
          throw new BundleRefused(
            `The bundle is damaged: ${list.label} has ${key} twice. Export it again.`,
          );
        met.add(key);
      }
      const known = new Map(
        await knownRowsOf(
          database,
          list,
          lines.map(({ key }) => key),
        ),
      );
      for (const { key, row } of await renamingsOf(database, list, renamedIn(lines), (former) =>
        met.has(former),
      )) {
        const before = await knownRowsOf(database, list, [row.natural_key]);
        for (const found of before.values()) known.set(key, found);
        met.add(row.natural_key);
      }
      for (const line of lines) {
        const row = known.get(line.key);
        if (isWithdrawal(line)) {
          report[row?.withdrawn === false ? 'withdrawn' : 'unchanged'] += 1;
          if (row?.withdrawn === false) lose(line.part, 1);
        } else if (row === undefined) report.added += 1;
        else report[row.withdrawn || row.hash !== line.hash ? 'changed' : 'unchanged'] += 1;
      }
      onRows(list, lines.length);
    }
    for (const part of bundled.parts) {
      const gone = await goneRows(database, { list, parts: [part] }, met);
      report.withdrawn += gone.length;
      if (gone.length > 0) lose(part, gone.length);
    }
    for (const [part, rows] of withdrawn) {
      losses.push({
        source: list.source,
        label: list.label,
        part,
        known: (await keysOfPart(database, list, part)).size,
        withdrawn: rows,
      });
    }
    reports.push(report);
  }
  for (const risk of bundle.risk) {
    const { report, known } = await bringRisk(database, risk, { writtenAt: null, onRows, signal });
    const { source, label } = risk;
    losses.push({ source, label, part: null, known, withdrawn: report.withdrawn });
    reports.push(report);
  }
  return { lists: reports, losses };
}

/** For the parts that a full bundle holds completely: the rows that are listed here but not in the bundle. */
export async function goneRows(
  database: Pick<Database, 'query'>,
  { list, parts }: Pick<BundleList, 'list' | 'parts'>,
  met: ReadonlySet<string>,
): Promise<number[]> {
  const gone: number[] = [];
  for (const part of parts)
    for (const [key, id] of await keysOfPart(database, list, part))
      if (!met.has(key)) gone.push(id);
  return gone;
}
