/** Reads the facts that installation commands need, without the rest of the records' details. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { arrayTexts } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { feedColumnsOfList } from '../platform/database/list-columns.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { type RecordReference, toRecordKey } from './machine-records-store.ts';

export interface InstallableRecord {
  /** The name of the record in the package manager; null without one. */
  readonly installedBy: string | null;
  /** The required restart, as a sentence; null if none. */
  readonly restart: string | null;
}

const FactsRow = z.object({
  id: z.number(),
  installedBy: z.string().nullable(),
  reboot: z.boolean().nullable(),
  relogin: z.boolean().nullable(),
  restart: z.boolean().nullable(),
});

/** Returns facts by the record's key. */
export async function readInstallableRecords(
  database: Queryable,
  records: readonly RecordReference[],
): Promise<ReadonlyMap<string, InstallableRecord>> {
  const found = new Map<string, InstallableRecord>();
  for (const [key, own] of Map.groupBy(records, ({ list }) => list)) {
    const rows = await queryRows(
      database,
      FactsRow,
      `select id, ${nameSql(getList(key as never))} as "installedBy", ${isTrue('rebootSuggested')} as reboot,
         ${isTrue('reloginSuggested')} as relogin, ${isTrue('restartSuggested')} as restart
       from ${key} where id = any($1::bigint[])`,
      arrayTexts(own, 'recordId'),
    );
    for (const { id, installedBy, ...flags } of rows)
      found.set(toRecordKey(key, id), { installedBy, restart: toRestart(flags) });
  }
  return found;
}

const isTrue = (name: string) => `detail ->> '${name}' = 'true'`;

/** Returns SQL for the vendor's name of the record. zypper installs patches by another name than that of their announcement. */
function nameSql(list: ListDefinition): string {
  const names = Object.hasOwn(list.fields, 'patchName') ? ['patchName'] : list.identity;
  const columns = feedColumnsOfList(list).filter(
    ({ field, storage }) => names.includes(field) && storage.type === 'text',
  );
  const inOrder = names.flatMap((name) => columns.find(({ field }) => field === name) ?? []);
  return `coalesce(${inOrder.map(({ column }) => `nullif(${column}, '')`).join(', ')})`;
}

function toRestart({
  reboot,
  relogin,
  restart,
}: Pick<z.infer<typeof FactsRow>, 'reboot' | 'relogin' | 'restart'>): string | null {
  if (reboot === true) return 'Reboot';
  if (relogin === true) return 'Log in again';
  return restart === true ? 'Restart what was updated' : null;
}
