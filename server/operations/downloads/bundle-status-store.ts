/** Reads the package statuses of a source as lines of a bundle, and stores those of one. */
import { goneWord } from '@patch/catalogue/definition/package-status.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { cursorRows } from '../../platform/database/cursor-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryValues } from '../../platform/database/query-rows.ts';
import {
  PackageStatuses,
  replaceStatuses,
} from '../../platform/database/records/package-status-store.ts';
import type { BundleStatuses } from './read-bundle.ts';

/** Returns the parts of the source that have stated statuses, also those that state none now. */
export const readStatusParts = (tx: Queryable, source: SourceKey): Promise<readonly string[]> =>
  queryValues(
    tx,
    z.string(),
    'select distinct part from package_status where source = $1 order by part',
    [source],
  );

const LineRow = z.object({ line: z.string() });

/** Yields lines of JSON without line feeds. Requires a transaction. */
export async function* readStatusLines(
  tx: Queryable,
  source: SourceKey,
): AsyncGenerator<readonly string[]> {
  const select = `select json_build_object('part', part, 'release', release, 'package', package, 'cve', cve, 'word', word)::text as line
    from package_status where source = '${source}' and word <> '${goneWord}' order by part, release, package, cve`;
  for await (const rows of cursorRows(tx, LineRow, select, ({ line }) => line.length + 100))
    yield rows.map(({ line }) => line);
}

/** Replaces all statuses of the parts. */
export async function applyStatuses(
  tx: Queryable,
  { source, parts, statuses }: BundleStatuses,
  signal: AbortSignal,
  now: number,
): Promise<void> {
  const byPart = new Map(parts.map((part) => [part, new PackageStatuses()]));
  for await (const batch of statuses()) {
    signal.throwIfAborted();
    for (const { part, ...status } of batch) byPart.get(part)?.add({ kind: 'status', ...status });
  }
  await replaceStatuses(tx, source, byPart, now);
}
