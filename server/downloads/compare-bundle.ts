/** The dry run of an import: reads the bundle to its end and says what applying it would change, without changing anything. */
import type { BundleListChanges } from '@patch/contract/bundle-calls.ts';
import type { Database } from '../database/database.ts';
import { keysOfPart } from '../database/entry-writer.ts';
import { renamingsOf } from '../database/former-keys.ts';
import { BundleRefused, renamedIn } from './bundle-manifest.ts';
import { knownRowsOf } from './bundle-rows-store.ts';
import type { BundleList, ReadableBundle } from './read-bundle.ts';

export interface Comparing {
  readonly database: Database;
  readonly bundle: ReadableBundle;
  readonly onRows: (list: BundleList['list'], rows: number) => void;
  readonly signal: AbortSignal;
}

export async function compareBundle({ database, bundle, onRows, signal }: Comparing): Promise<BundleListChanges[]> {
  const reports: BundleListChanges[] = [];
  for (const bundled of bundle.lists) {
    const { list } = bundled;
    const report = { list: list.key, label: list.label, added: 0, changed: 0, withdrawn: 0, unchanged: 0 };
    const met = new Set<string>();
    for await (const lines of bundled.lines()) {
      signal.throwIfAborted();
      for (const { key } of lines) {
        if (met.has(key)) throw new BundleRefused(`The bundle is damaged: ${list.label} has ${key} twice. Have it made anew.`);
        met.add(key);
      }
      const known = new Map(
        await knownRowsOf(
          database,
          list,
          lines.map(({ key }) => key),
        ),
      );
      for (const { key, row } of await renamingsOf(database, list, renamedIn(lines), (former) => met.has(former))) {
        const before = await knownRowsOf(database, list, [row.natural_key]);
        for (const found of before.values()) known.set(key, found);
        met.add(row.natural_key);
      }
      for (const line of lines) {
        const row = known.get(line.key);
        if ('withdrawn' in line) report[row?.withdrawn === false ? 'withdrawn' : 'unchanged'] += 1;
        else if (row === undefined) report.added += 1;
        else report[row.withdrawn || row.hash !== line.hash ? 'changed' : 'unchanged'] += 1;
      }
      onRows(list, lines.length);
    }
    report.withdrawn += (await goneRows(database, bundled, met)).length;
    reports.push(report);
  }
  return reports;
}

/** Of the parts that a full bundle holds wholly: the rows that are listed here and are not in it. */
export async function goneRows(
  database: Pick<Database, 'query'>,
  { list, parts }: BundleList,
  met: ReadonlySet<string>,
): Promise<number[]> {
  const gone: number[] = [];
  for (const part of parts) for (const [key, id] of await keysOfPart(database, list, part)) if (!met.has(key)) gone.push(id);
  return gone;
}
