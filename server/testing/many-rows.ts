/** Fills a list with many rows by SQL, so that conditions on a field match none, few, half or all of them. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Database } from '../platform/database/database.ts';
import { getSharedColumns, recordTable } from '../platform/database/records/list-views.ts';
import {
  columnsOfField,
  columnsOfList,
  type FieldColumns,
} from '../platform/database/rows/list-columns.ts';

/** SQL of values by column; `n` is the number of the row, from 1. */
type Cells = ReadonlyMap<string, string>;

/** Returns the words of a field: a thousandth of the rows has `few`, half of them `half`, a tenth none, the others unique words. */
export function getFieldWords(list: ListDefinition, name: string): { few: string; half: string } {
  const choices = (getField(list, name).choices ?? []).map(String);
  return { few: choices.at(-1) ?? 'few every', half: choices[0] ?? 'half every' };
}

/** Inserts the rows, the only ones of the list's table then. */
export async function fillWithRows(
  database: Database,
  list: ListDefinition,
  rows: number,
): Promise<void> {
  const own = new Map<string, string>();
  const joined = new Map<string, string>();
  for (const [index, columns] of columnsOfList(list).entries()) {
    const { risk, joined: isJoined = columns.joined } = getField(list, columns.field);
    if (columns.stamped || columns.sealed) continue;
    const value = valueSql(list, columns, `((n * 7919 + ${index} * 104729) % ${rows})`, rows);
    if (isJoined || risk !== undefined) joined.set(risk ?? columns.column, value);
    else for (const [column, sql] of buildCells(list, columns, value)) own.set(column, sql);
  }
  const folded = [...own].filter(([column]) => column.endsWith('_folded')).map(([, sql]) => sql);
  const keyword = `concat_ws(E'\\n', ${folded.join(', ')})`;
  own.set('id', 'n').set('created_time', 'n').set('updated_time', 'n').set('revision', 'n');
  own.set('keyword', keyword);
  if ((list.viewOf ?? recordTable) === recordTable)
    await database.script(`truncate ${recordTable}, record_risk, record_epss cascade`);
  await insertInto(database, list, own, joined, rows);
  await database.query('update list_revision set revision = $2, listed = $2 where list = $1', [
    list.key,
    rows,
  ]);
}

function valueSql(list: ListDefinition, columns: FieldColumns, m: string, rows: number): string {
  const { storage, kind, field } = columns;
  if (kind === 'flag')
    return `(case when ${m} % 1000 = 1 then true when ${m} % 2 = 0 then false end)`;
  if (!storage.words)
    return `(case when ${m} % 10 <> 9 then ${kind === 'decimal' ? `${m}::float8 / ${rows}` : m} end)`;
  const { few, half } = getFieldWords(list, field);
  const line = `(case when ${m} % 10 = 9 then null when ${m} % 1000 = 1 then '${few}' when ${m} % 2 = 0 then '${half}' else 'own' || ${m} || ' every' end)`;
  return storage.several ? `(${line} || E'\\nsecond line' || ${m} % 100)` : line;
}

/** Returns the columns of one field. */
function buildCells(list: ListDefinition, columns: FieldColumns, value: string): Cells {
  const { field, column, folded, rank, sortedFrom } = columns;
  const choices = (getField(list, field).choices ?? []).map((one) => String(one).toLowerCase());
  const cells = new Map([[column, value]]);
  if (folded !== null) cells.set(folded, `lower(${value})`);
  if (rank !== null)
    cells.set(
      rank,
      `(case when ${value} is not null then coalesce(array_position('{${choices.join(',')}}'::text[], lower(${value})), 0) - 1 end)`,
    );
  if (!cells.has(sortedFrom)) cells.set(sortedFrom, `lower(${value})`);
  return cells;
}

/** Returns the columns of the table of records: those that the list always shares, and all others in one. */
function buildOwnCells(
  list: ListDefinition,
  cells: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  const shared = new Map(
    [...getSharedColumns(list)].flatMap(([field, { column, isSame }]) => {
      const { column: own, folded } = columnsOfField(list, field);
      if (!isSame) return [];
      return [
        [own, column] as const,
        ...(folded === null ? [] : [[folded, `${column}_folded`] as const]),
      ];
    }),
  );
  const stamps = ['id', 'created_time', 'updated_time'];
  const names = [...cells.keys()].filter((name) => !shared.has(name) && !stamps.includes(name));
  const own = names
    .filter((name) => name !== 'revision')
    .map((name) => `'${name}', ${cells.get(name)}`);
  return [
    ...[...cells].flatMap(([name, sql]) => {
      if (name === 'revision') return [['list_revision', sql] as const];
      const column = stamps.includes(name) ? name : shared.get(name);
      return column === undefined ? [] : [[column, sql] as const];
    }),
    ['own', `jsonb_strip_nulls(jsonb_build_object(${own.join(', ')}))`] as const,
  ];
}

async function insertInto(
  database: Database,
  list: ListDefinition,
  own: ReadonlyMap<string, string>,
  joined: Cells,
  rows: number,
): Promise<void> {
  const some = (names: readonly string[]): [string, string][] =>
    names.flatMap((name) => {
      const sql = joined.get(name);
      return sql === undefined ? [] : [[name, sql]];
    });
  const add = (table: string, cells: Iterable<readonly [string, string]>, where = 'true') =>
    insertRows(database, { table, cells: new Map(cells), where, rows });
  const table = list.viewOf ?? recordTable;
  switch (list.key) {
    case 'vulnerabilities': {
      const cve = "('CVE-' || 1999 + n % 25 || '-' || n)";
      const cveCells = [...buildCveCells(cve), ['record_count', 'n % 20']] as const;
      await add(table, [...own, ...cveCells]);
      const score = [
        ['cve_folded', `lower(${cve})`],
        ['epss', joined.get('epss') ?? ''],
      ] as const;
      await add(
        'epss_score',
        [...score, ['percentile', joined.get('epss_percentile') ?? '']],
        `${joined.get('epss')} is not null`,
      );
      return;
    }
    case 'machines': {
      const key = [
        ['id', 'n'],
        ['client_id', 'n % 20 + 1'],
      ] as const;
      const report = [
        ['natural_key', 'n::text'],
        ['report_hash', "''"],
        ['parts', "''"],
      ] as const;
      await add(table, [...own, ...key, ...report]);
      const seen = [
        ['sent_hash', "''"],
        ['last_seen', 'n'],
        ['not_judged', 'n % 1000 = 1'],
      ] as const;
      const { shared_key: shared, ...facts } = Object.fromEntries(joined);
      const since = ['shared_on', `case when ${shared} then n end`] as const;
      await add('machine_standing', [...Object.entries(facts), ...key, ...seen, since]);
      return;
    }
    case 'floto_user':
      await add(table, [...own, ['key', 'n::text']]);
      return;
    default:
  }
  const isIndex = list.key === 'all_patches';
  const stored = isIndex
    ? ([...own, ['own', "'{}'"], ['folded', 'n % 1000 = 1']] as const)
    : buildOwnCells(list, own);
  const keyCells = [
    ['list', isIndex ? "'sweep'" : `'${list.key}'`],
    ['natural_key', 'n::text'],
    ['part', "''"],
    ['content_hash', "''"],
  ] as const;
  await add(
    table,
    [...stored, ...keyCells].filter(([name]) => name !== 'record_id' && name !== 'list_folded'),
  );
  if (joined.size === 0) return;
  const record = [['record_id', 'n']] as const;
  await add('record_risk', [...record, ...some(['cvss', 'exploited'])]);
  await add('record_epss', [...record, ...some(['epss'])], `${joined.get('epss')} is not null`);
}

const buildCveCells = (cve: string): readonly (readonly [string, string])[] => [
  ['cve', cve],
  ['cve_folded', `lower(${cve})`],
  ['cve_order', `'cve-' || 1999 + n % 25 || '-' || lpad(n::text, 19, '0')`],
];

async function insertRows(
  database: Database,
  { table, cells, where, rows }: { table: string; cells: Cells; where: string; rows: number },
): Promise<void> {
  const sql = [...cells.values()].join(', ');
  await database.query(
    `insert into ${table} (${[...cells.keys()].join(', ')}) ${cells.has('id') && !table.startsWith('machine') ? 'overriding system value' : ''}
     select ${sql} from generate_series(1::bigint, ${rows}::bigint) as series(n) where ${where}`,
  );
  await database.script(`vacuum (analyze) ${table}`);
}
