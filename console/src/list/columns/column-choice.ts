/** The user's preferences for a list: columns, widths, density, load mode, order. Defaults come from the list. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  type ListPreference,
  leastColumnWidth,
} from '@patch/contract/operations/preference-endpoints.ts';
import { resetPreference, updatePreference, usePreferences } from '../../api/preferences.ts';
import { getPreferredSort } from '../address/list-url.ts';

type Density = NonNullable<ListPreference['density']>;
type LoadMode = NonNullable<ListPreference['loadMode']>;

export interface ColumnChoice {
  readonly columns: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
  readonly density: Density;
  readonly loadMode: LoadMode;
  /** True for one row for each update, in a list in which several records can belong to one. */
  readonly grouped: boolean;
  /** Order in which the list opens. */
  readonly sort: string;
  /** True when anything differs from the list's defaults. */
  readonly changed: boolean;
  readonly setColumns: (columns: readonly string[]) => void;
  readonly setWidth: (column: string, width: number) => void;
  /** Undefined values return to the list's defaults. */
  readonly prefer: (
    change: { readonly [Name in keyof ListPreference]?: ListPreference[Name] | undefined },
  ) => void;
  readonly reset: () => void;
}

export interface ShownColumns {
  readonly columns: readonly string[] | undefined;
  readonly onColumns: (columns: readonly string[] | undefined) => void;
}

/** Returns all possible columns: the list's default ones, then its other fields. */
export function getAvailableColumns(list: ListDefinition): readonly string[] {
  return [...new Set([...list.columns, ...Object.keys(list.fields), 'id'])];
}

/** Returns the default columns, those for programs last: a UUID says nothing to people. */
const orderForPeople = (list: ListDefinition): readonly string[] =>
  list.columns.toSorted(
    (a, b) =>
      Number(getField(list, a).technical ?? false) - Number(getField(list, b).technical ?? false),
  );

/** @param shown - Columns of the address, which take precedence, and the callback for other columns. */
export function useColumnChoice(list: ListDefinition, shown: ShownColumns): ColumnChoice {
  const { preferences } = usePreferences();
  const preference = preferences[list.key] ?? {};
  const prefer: ColumnChoice['prefer'] = (change) => {
    const next = Object.fromEntries(
      Object.entries({ ...preference, ...change }).filter(([, value]) => value !== undefined),
    );
    updatePreference(list.key, next as ListPreference);
  };
  const offered = getAvailableColumns(list);
  const widths = preference.widths ?? {};
  // Drops fields that this version no longer has.
  const chosen = preference.columns?.filter((name) => offered.includes(name)) ?? [];
  return {
    columns: shown.columns ?? (chosen.length > 0 ? chosen : orderForPeople(list)),
    widths,
    density: preference.density ?? 'comfortable',
    loadMode: preference.loadMode ?? 'paging',
    grouped: isGrouped(list, preference),
    sort: getPreferredSort(list, preference),
    changed: shown.columns !== undefined || Object.keys(preference).length > 0,
    setColumns: (columns) => {
      if (shown.columns !== undefined) shown.onColumns(columns);
      prefer({ columns: [...columns] });
    },
    setWidth: (column, width) =>
      prefer({ widths: { ...widths, [column]: Math.max(leastColumnWidth, Math.round(width)) } }),
    prefer,
    reset: () => {
      if (shown.columns !== undefined) shown.onColumns(undefined);
      resetPreference(list.key);
    },
  };
}

export const isGrouped = (list: ListDefinition, { grouping }: ListPreference): boolean =>
  list.countedBy !== undefined && grouping !== 'off';

/** Adds the column that the rows are sorted by, before the columns for programs. A named order has no column of its own. */
export function withSortedColumn(
  list: ListDefinition,
  columns: readonly string[],
  sort: string,
): readonly string[] {
  const sorted = sort.replace(/^-/, '');
  if (columns.includes(sorted) || Object.hasOwn(list.compoundSorts, sort)) return columns;
  const technical = columns.findIndex((name) => getField(list, name).technical === true);
  return columns.toSpliced(technical === -1 ? columns.length : technical, 0, sorted);
}

/** Returns the column with the title. */
export function headlineColumn(
  list: ListDefinition,
  columns: readonly string[],
): string | undefined {
  return columns.find((name) => getField(list, name).kind === 'text');
}

/** Returns the first identity field among the columns, else the first column. */
export function identityColumn(
  list: ListDefinition,
  columns: readonly string[],
): string | undefined {
  return list.identity.find((name) => columns.includes(name)) ?? columns[0];
}
