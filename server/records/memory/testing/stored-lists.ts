/** Reads all rows of a list from its tables with plain statements, independently of the product's mapping and joins. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { orderFunction } from '@patch/catalogue/definition/natural-order.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { PlainField, PlainRow } from '../../../testing/plain-search.ts';
import type { Searched } from '../../search/testing/expected-rows.ts';

type StoredCells = Readonly<Record<string, unknown>>;

/** The listed rows of a list in the order of their ids: as stored columns, and as plain values of its fields. */
export interface StoredList extends Searched {
  readonly cells: ReadonlyMap<number, StoredCells>;
}

const riskTables = `left join record_risk on record_risk.record_id = stored.id
   left join record_epss on record_epss.record_id = stored.id`;
const riskCells = `jsonb_build_object('exploited', record_risk.exploited, 'ransomware', record_risk.ransomware,
  'cvss', record_risk.cvss, 'epss', record_epss.epss)`;

/** Statements for the lists that are views. */
const views: Readonly<Record<string, string>> = {
  all_patches: 'select to_jsonb(all_patches) as cells from all_patches',
  vulnerabilities: `select to_jsonb(vulnerability) || jsonb_build_object('epss', epss_score.epss, 'epss_percentile', percentile) as cells
    from vulnerability left join epss_score on epss_score.cve_folded = lower(cve) where withdrawn_time is null`,
  floto_user: 'select to_jsonb(licensed_client) as cells from licensed_client',
  machines: `select (to_jsonb(machine) - 'parts') || to_jsonb(machine_standing) || jsonb_build_object('shared_key', shared_on is not null) as cells
    from machine, machine_standing where machine_standing.id = machine.id`,
};

function statementOf(list: ListDefinition): string {
  const view = views[list.key];
  if (view !== undefined) return view;
  return `select to_jsonb(stored) || ${riskCells} as cells from ${list.key} as stored
    ${riskTables} where withdrawn_time is null`;
}

/** Returns the column of a field, as the migrations name it. */
const columnOf = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const severalKinds: readonly string[] = ['identifiers', 'tags'];

function toValue(cell: unknown, kind: string): unknown {
  return severalKinds.includes(kind) && typeof cell === 'string'
    ? cell.split('\n')
    : (cell ?? null);
}

/** The folded columns that a keyword of the list is compared with. */
export function wordColumnsOf(list: ListDefinition): readonly string[] {
  const kinds = ['text', 'identifier', 'choice', 'prose', ...severalKinds];
  const names = Object.keys(list.fields).filter((name) => {
    const { kind, restricted = false, risk } = getField(list, name);
    return kinds.includes(kind) && !restricted && risk === undefined;
  });
  return [...names.map((name) => `${columnOf(name)}_folded`), 'keyword'];
}

export async function readStoredList(
  database: Queryable,
  list: ListDefinition,
): Promise<StoredList> {
  const found = await database.query(statementOf(list));
  const cells = new Map(
    found.rows
      .map((row) => row['cells'] as StoredCells)
      .toSorted((a, b) => Number(a['id']) - Number(b['id']))
      .map((row) => [Number(row['id']), row]),
  );
  const fields = Object.fromEntries(
    ['id', ...Object.keys(list.fields)].map((name): [string, PlainField] => {
      const definition = getField(list, name);
      const choices = (definition.choices ?? []).map(String);
      return [name, { kind: definition.kind, choices, order: orderFunction(definition) }];
    }),
  );
  const words = wordColumnsOf(list);
  const rows = [...cells].map(([id, row]): PlainRow => {
    const values = Object.keys(list.fields).map((name) => [
      name,
      toValue(row[columnOf(name)], getField(list, name).kind),
    ]);
    const lines = words.flatMap((column) => String(row[column] ?? '').split('\n'));
    return { id, values: Object.fromEntries(values), words: lines.filter((line) => line !== '') };
  });
  return { list, fields, rows, cells };
}
