/** Which columns a person sees of a list, in which order and how wide, how dense, how it is paged: the own preference, or the list's own. */
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type ListPreference, leastColumnWidth } from '@patch/contract/preference-endpoints.ts';
import { resetPreference, updatePreference, usePreferences } from '../api/preferences.ts';
import { preferredSort } from './list-url.ts';

type Density = NonNullable<ListPreference['density']>;
type LoadMode = NonNullable<ListPreference['loadMode']>;

export interface ColumnChoice {
  readonly columns: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
  readonly density: Density;
  readonly loadMode: LoadMode;
  /** The order in which the list opens. */
  readonly sort: string;
  /** Whether anything differs from the list's own set. */
  readonly changed: boolean;
  readonly setColumns: (columns: readonly string[]) => void;
  readonly setWidth: (column: string, width: number) => void;
  /** What is undefined goes back to the list's own. */
  readonly prefer: (
    change: { readonly [Name in keyof ListPreference]?: ListPreference[Name] | undefined },
  ) => void;
  readonly reset: () => void;
}

export interface ShownColumns {
  readonly columns: readonly string[] | undefined;
  readonly onColumns: (columns: readonly string[] | undefined) => void;
}

/** All that can be a column: the list's own set first, then its other fields. */
export function columnsOffered(list: ListDefinition): readonly string[] {
  return [...new Set([...list.columns, ...Object.keys(list.fields), 'id'])];
}

/** `shown`: what the address asks to be shown, and how it is told that the person chose otherwise. */
export function useColumnChoice(list: ListDefinition, shown: ShownColumns): ColumnChoice {
  const { preferences } = usePreferences();
  const preference = preferences[list.key] ?? {};
  const prefer: ColumnChoice['prefer'] = (change) => {
    const next = Object.fromEntries(
      Object.entries({ ...preference, ...change }).filter(([, value]) => value !== undefined),
    );
    updatePreference(list.key, next as ListPreference);
  };
  const offered = columnsOffered(list);
  const widths = preference.widths ?? {};
  // A field that a later version has dropped is no column any more.
  const chosen = preference.columns?.filter((name) => offered.includes(name)) ?? [];
  return {
    columns: shown.columns ?? (chosen.length > 0 ? chosen : list.columns),
    widths,
    density: preference.density ?? 'comfortable',
    loadMode: preference.loadMode ?? 'paging',
    sort: preferredSort(list, preference),
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

/** The column of what a record is called in words, which is read from row to row. */
export function headlineColumn(
  list: ListDefinition,
  columns: readonly string[],
): string | undefined {
  return columns.find((name) => fieldOf(list, name).kind === 'text');
}

/** What heads the list's records: the first identity field that is a column, else the first column. */
export function identityColumn(
  list: ListDefinition,
  columns: readonly string[],
): string | undefined {
  return list.identity.find((name) => columns.includes(name)) ?? columns[0];
}
