/** How a record is named to people, derived from the definition of its list. */
import { getField, type ListDefinition } from './list-definition.ts';

/** A row or a complete record, by field name. */
type Values = Readonly<Record<string, unknown>>;

/** The first identity field that has a value; undefined when none has. */
export function identityField(list: ListDefinition, record: Values): string | undefined {
  return list.identity.find((name) => !isEmpty(record[name]));
}

/** Returns true for a list whose records are called by their name, as applications and systems are, not by an identifier. */
export const isNamed = (list: ListDefinition): boolean =>
  getField(list, list.identity[0] ?? 'id').kind === 'text';

/** Returns the title, with the version unless it states it already. */
export const withVersion = <Title extends string | null>(
  title: Title,
  version: string | null,
): Title | string =>
  title === null || version === null || title.includes(version) ? title : `${title} ${version}`;

/**
 * Returns what people call the record: its first identity value, or a name with its version, since `macOS Sonoma` alone is each of its
 * releases. Undefined when nothing names it.
 */
export function recordName(list: ListDefinition, record: Values): string | undefined {
  const identity = identityField(list, record);
  if (identity === undefined) return undefined;
  const value = record[identity];
  const name = Array.isArray(value) ? value.join(', ') : String(value);
  const version = record['version'];
  const isCalledByName = isNamed(list) && identity === list.identity[0];
  return isCalledByName && typeof version === 'string' && version !== ''
    ? withVersion(name, version)
    : name;
}

/** Returns the next identity field or the first text field: it says in words what the identifier names. */
export function titleField(list: ListDefinition, record: Values): string | undefined {
  const identity = identityField(list, record);
  return titleFields(list).find(
    (name) =>
      name !== identity &&
      !isEmpty(record[name]) &&
      (identity === undefined || record[name] !== record[identity]),
  );
}

export function titleFields(list: ListDefinition): readonly string[] {
  return [...new Set([...list.identity, ...Object.keys(list.fields)])].filter(
    (name) => getField(list, name).kind === 'text',
  );
}

/** Returns the field with the vendor's severity, on the scale that all lists share. */
export function severityField(list: ListDefinition): string | undefined {
  return Object.keys(list.fields).find((name) => {
    const { look, stated } = getField(list, name);
    return look === 'severity' && stated === undefined;
  });
}

/** Returns the field from which the severity of a record is concluded: where the vendor states none, its urgency or priority. */
export function ratingField(list: ListDefinition): string | undefined {
  return (
    severityField(list) ?? ['urgency', 'priority'].find((one) => Object.hasOwn(list.fields, one))
  );
}

/** Returns the severity by which records are counted and read: with that of CVSS where the vendor states none, if the list has it. */
export function shownSeverityField(list: ListDefinition): string | undefined {
  const stated = severityField(list);
  const rated = Object.keys(list.fields).find(
    (name) => stated !== undefined && getField(list, name).stated === stated,
  );
  return rated ?? stated;
}

/** Returns the vendor's release date: a field, or a fact of the detail. */
export function releaseDateField(
  list: ListDefinition,
): { readonly name: string; readonly of: 'row' | 'detail' } | undefined {
  for (const [of, fields] of [
    ['row', list.fields],
    ['detail', list.detail.facts],
  ] as const) {
    const name = Object.keys(fields).find(
      (field) => fields[field]?.kind === 'date' && fields[field].stamped === undefined,
    );
    if (name !== undefined) return { name, of };
  }
  return undefined;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  );
}
