/**
 * Derives from a list's definition how the index of records reads it: a record's name, its vendor and release, its severity, and
 * its CVEs and packages. A new list only has to use the field names of the other lists.
 */
import type { FieldKind } from '../definition/field-kinds.ts';
import { getField, type ListDefinition } from '../definition/list-definition.ts';
import {
  isNamed,
  ratingField,
  releaseDateField,
  titleFields,
  withVersion,
} from '../definition/record-name.ts';
import { type Severity, toSeverity, toSeverityScale } from '../schemas/severities.ts';

/** The path of a value: a field of the row, a fact of the detail, or a field of a table of the detail. */
export type ValuePath =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'fact'; readonly name: string }
  | { readonly kind: 'table'; readonly table: string; readonly name: string };

export interface RecordMapping {
  /** Fields of the identifier; the first with a value counts. */
  readonly identifier: readonly string[];
  /** Fields of the title; the first with a value counts. */
  readonly title: readonly string[];
  /** The field with the version of a record that is called by its name, which follows the title: `macOS Sonoma 14.6.1`. */
  readonly version: string | null;
  /** A field of the row, or the same words for all records. */
  readonly vendor:
    | { readonly kind: 'field'; readonly name: string }
    | { readonly kind: 'words'; readonly words: string };
  readonly release: ValuePath | null;
  /** The release that a value of that field belongs to, where it is a part of one; absent if the field has only releases. */
  readonly releases?: Readonly<Record<string, string>>;
  /** The name of a release whose field has its number alone; `{}` stands for it. */
  readonly releaseName?: string;
  /** A choice, with its words mapped to the scale that all lists share. */
  readonly severity: {
    readonly name: string;
    readonly scale: Readonly<Record<string, Severity>>;
  } | null;
  /** The vendor's own word for the severity. */
  readonly vendorSeverity: ValuePath | null;
  readonly cve: ValuePath | null;
  readonly packages: ValuePath | null;
  readonly releaseDate: ValuePath | null;
  readonly superseded: string | null;
  /** The field with the vendor's statement about exploitation. */
  readonly exploited: string | null;
  /** Values by which a record is found: its own names, and the names that it mentions. */
  readonly names: readonly ValuePath[];
}

/** The companies and projects behind the sources whose label is a product. */
const vendorsOfSources: Readonly<Record<string, string>> = { wsus: 'Microsoft', mac: 'Apple' };

/** @param sourceLabel the display name of the list's source. */
export function recordMapping(list: ListDefinition, sourceLabel: string): RecordMapping {
  const severity = severityOfList(list);
  const identifiers = list.identity.filter((name) => getField(list, name).kind === 'identifier');
  const titles = titleFields(list);
  const release = findPath(list, ['osVersion', 'affectedOs', 'productName', 'distribution']);
  const { releases, releaseName } =
    (release?.kind === 'field' ? list.fields[release.name] : undefined) ?? {};
  return {
    identifier: identifiers.length > 0 ? identifiers : list.identity,
    title: titles.length > 0 ? titles : list.identity,
    version: isNamed(list) && hasField(list, 'version') ? 'version' : null,
    vendor: hasField(list, 'manufacturer')
      ? { kind: 'field', name: 'manufacturer' }
      : { kind: 'words', words: vendorsOfSources[list.source ?? ''] ?? sourceLabel },
    release,
    ...(releases !== undefined && { releases }),
    ...(releaseName !== undefined && { releaseName }),
    severity,
    vendorSeverity:
      findPath(list, ['vendorSeverity', 'vendorPriority']) ??
      (severity === null ? null : { kind: 'field', name: severity.name }),
    cve: findPath(list, ['cve']),
    packages: packagesOfList(list),
    releaseDate: dateOfList(list),
    superseded: hasField(list, 'superseded') ? 'superseded' : null,
    exploited: list.fields['exploited']?.alsoVendor === true ? 'exploited' : null,
    names: namesOfList(list),
  };
}

/** Kinds whose values are names. Choices are words of a small vocabulary, and prose is free text. */
const namingKinds: ReadonlySet<FieldKind> = new Set(['text', 'identifier', 'identifiers', 'tags']);

/** Facts of the detail count only when they are identifiers, as in the list's own keyword search. */
function namesOfList({ fields, detail }: ListDefinition): readonly ValuePath[] {
  const ofRow = Object.entries(fields).filter(
    ([, { kind, restricted }]) => namingKinds.has(kind) && restricted !== true,
  );
  const ofDetail = Object.entries(detail.facts).filter(
    ([, { kind, restricted }]) =>
      (kind === 'identifier' || kind === 'identifiers') && restricted !== true,
  );
  return [
    ...ofRow.map(([name]) => ({ kind: 'field' as const, name })),
    ...ofDetail.map(([name]) => ({ kind: 'fact' as const, name })),
  ];
}

const hasField = (list: ListDefinition, name: string) => Object.hasOwn(list.fields, name);

function findPath(list: ListDefinition, names: readonly string[]): ValuePath | null {
  for (const name of names) {
    if (hasField(list, name)) return { kind: 'field', name };
    if (Object.hasOwn(list.detail.facts, name)) return { kind: 'fact', name };
  }
  return null;
}

function severityOfList(list: ListDefinition): RecordMapping['severity'] {
  const name = ratingField(list);
  if (name === undefined) return null;
  return { name, scale: toSeverityScale((getField(list, name).choices ?? []).map(String)) };
}

function packagesOfList(list: ListDefinition): ValuePath | null {
  const { packages, tables } = list.detail;
  if (packages !== undefined) return { kind: 'table', table: packages.table, name: packages.name };
  const table = ['packages', 'releasePackages'].find((one) => Object.hasOwn(tables, one));
  return table === undefined
    ? findPath(list, ['binaryPkgName', 'pkgName'])
    : { kind: 'table', table, name: 'name' };
}

function dateOfList(list: ListDefinition): ValuePath | null {
  const date = releaseDateField(list);
  if (date === undefined) return null;
  return { kind: date.of === 'row' ? 'field' : 'fact', name: date.name };
}

type Values = Readonly<Record<string, unknown>>;

/** A record in the index, by the fields of the list of all patches, without its position and joined values. */
export interface IndexedRecord {
  readonly identifier: string | null;
  /** A second identifier. */
  readonly alias: string | null;
  readonly title: string | null;
  readonly vendor: string | null;
  readonly release: readonly string[];
  readonly severity: Severity;
  readonly vendorSeverity: string | null;
  readonly cve: readonly string[];
  readonly packages: readonly string[];
  readonly releaseDate: number | null;
  readonly superseded: boolean | null;
  readonly exploited: boolean | null;
  readonly names: readonly string[];
}

const cveName = /^CVE-\d{4}-\d{4,19}$/i;

export function toIndexedRecord(
  mapping: RecordMapping,
  row: Values,
  detail: Values,
): IndexedRecord {
  const read = (path: ValuePath | null): unknown => {
    if (path === null) return null;
    if (path.kind === 'field') return row[path.name] ?? null;
    if (path.kind === 'fact') return detail[path.name] ?? null;
    const rows = detail[path.table];
    return Array.isArray(rows) ? rows.map((one: Values) => one[path.name] ?? null) : null;
  };
  const severity = mapping.severity === null ? null : toWord(row[mapping.severity.name]);
  const date = read(mapping.releaseDate);
  const called = [...new Set(mapping.identifier.flatMap((name) => toWord(row[name]) ?? []))];
  return {
    identifier: called[0] ?? null,
    alias: called[1] ?? null,
    title: withVersion(firstWord(mapping.title, row), toWord(row[mapping.version ?? ''])),
    vendor:
      mapping.vendor.kind === 'words' ? mapping.vendor.words : toWord(row[mapping.vendor.name]),
    release: toReleases(mapping, toWords(read(mapping.release))),
    severity:
      severity === null
        ? 'Unspecified'
        : (mapping.severity?.scale[severity] ?? toSeverity(severity)),
    vendorSeverity: toWord(read(mapping.vendorSeverity)),
    cve: toWords(read(mapping.cve))
      .filter((name) => cveName.test(name))
      .map((name) => name.toUpperCase()),
    packages: toWords(read(mapping.packages)),
    releaseDate: typeof date === 'number' ? date : null,
    superseded: toFlag(mapping.superseded, row),
    exploited: toFlag(mapping.exploited, row),
    names: [...new Set(mapping.names.flatMap((path) => namesIn(read(path))))],
  };
}

function toReleases(
  { releases = {}, releaseName = '{}' }: RecordMapping,
  values: readonly string[],
): readonly string[] {
  const named = values.map(
    (value) =>
      (Object.hasOwn(releases, value) ? releases[value] : undefined) ??
      releaseName.replace('{}', () => value),
  );
  return [...new Set(named)];
}

function firstWord(names: readonly string[], row: Values): string | null {
  for (const name of names) {
    const word = toWord(row[name]);
    if (word !== null) return word;
  }
  return null;
}

/** A feed may write a number in a field of words. */
function toWord(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

function toFlag(name: string | null, row: Values): boolean | null {
  const value = name === null ? null : row[name];
  return typeof value === 'boolean' ? value : null;
}

/** Returns each word once, in order. */
function toWords(value: unknown): readonly string[] {
  const words = Array.isArray(value) ? value : [value];
  return [...new Set(words.map(toWord).filter((word) => word !== null))];
}

/** A feed may write a number in a field of words. Each of several values is one name, whatever it contains. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((one) => String(one).replaceAll('\n', ' '));
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
