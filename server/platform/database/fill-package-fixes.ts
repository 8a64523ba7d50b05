/** Keeps the fixes of records that a version without them wrote. Until a list is done, machines are judged by reading its records. */
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import type { Queryable } from './database.ts';
import { type Filling, fillFromRecords } from './fill-from-records.ts';
import { bringsPackages, keepFixes, packageLists } from './package-fix-store.ts';
import { queryRows } from './query-rows.ts';
import { refreshStatistics } from './refresh-statistics.ts';

const ListRow = z.object({ list: z.string() });

/** Whether the fixes of every record are kept. */
export async function areFixesKept(database: Queryable): Promise<boolean> {
  const rows = await queryRows(
    database,
    ListRow,
    'select list from package_fix_to_fill where list = any($1::text[]) limit 1',
    [arrayText(packageLists.map(({ key }) => key))],
  );
  return rows.length === 0;
}

/** Answers how many records were read. Rejects with a DatabaseError. */
export async function fillPackageFixes(filling: Filling): Promise<number> {
  const read = await fillFromRecords(filling, {
    table: 'package_fix_to_fill',
    isOf: bringsPackages,
    keep: (tx, list, records) =>
      keepFixes(
        tx,
        list,
        records.map((record) => ({ ...record, isNew: false })),
      ),
  });
  if (read > 0)
    await refreshStatistics(filling.database, { package_fix: read * 10, fix_series: read });
  return read;
}
