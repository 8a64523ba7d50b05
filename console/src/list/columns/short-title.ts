/** Shortens titles by words that say nothing beside the other columns; never by the product. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField, shownSeverityField } from '@patch/catalogue/definition/record-name.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { labelFor } from '../../values/value-view.tsx';
import { headlineColumn } from './column-choice.ts';

/** Returns the visible part of a row's title; undefined shows all of it. */
export type ShownTitle = (row: WireRow) => string | undefined;

/** Words that other columns of the row show already. */
export interface ShownElsewhere {
  readonly severity: boolean;
  /** The list is in the order of the release date, so that a month in a title repeats it. */
  readonly month: boolean;
  /** Values of the row's other columns. */
  readonly values: readonly unknown[];
}

export function createShownTitle(
  list: ListDefinition,
  columns: readonly string[],
  sort: string,
): ShownTitle {
  const name = headlineColumn(list, columns);
  if (name === undefined) return () => undefined;
  const field = getField(list, name);
  const others = columns.filter((column) => column !== name);
  const date = releaseDateField(list)?.name;
  const severity = others.includes(shownSeverityField(list) ?? '');
  const month = date !== undefined && sort.replace(/^-/, '') === date && others.includes(date);
  return (row) =>
    shortenTitle(labelFor(field, String(row[name] ?? '')), {
      severity,
      month,
      values: others.map((column) => row[column]),
    });
}

/** Returns undefined when nothing can be omitted. */
export function shortenTitle(
  title: string,
  { severity, month, values }: ShownElsewhere,
): string | undefined {
  const kb = /\s*\((KB\d+)\)$/.exec(title);
  let short = kb?.[1] !== undefined && values.includes(kb[1]) ? title.slice(0, kb.index) : title;
  if (severity) short = short.replace(/^(?:Critical|Important|Moderate|Low): /, '');
  if (month) short = short.replace(/^\d{4}-\d{2} /, '');
  short = short
    .replace(/^(\d{4}-\d{2} )?Security Updates? for /, '$1')
    .replace(/ Vulnerability$/, '');
  return short === title ? undefined : short;
}
