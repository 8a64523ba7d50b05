/**
 * What the index of records takes from each list, told from the list's definition: what a record is called, whom and what it is
 * for, how severe it is, which CVEs and packages it names. A new list needs nothing but the names that the other lists use.
 */
import type { FieldKind } from '../definition/field-kinds.ts';
import { fieldOf, type ListDefinition } from '../definition/list-definition.ts';
import { releaseDateField, severityField, titleFields } from '../definition/record-name.ts';
import { type Severity, severityOf } from '../schemas/severities.ts';

/** A field of the row, a fact of the detail, or a field of a table of the detail. */
export type RecordPlace =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'fact'; readonly name: string }
  | { readonly kind: 'table'; readonly table: string; readonly name: string };

export interface RecordMapping {
  /** The first that has a value names the record. */
  readonly identifier: readonly string[];
  /** The first that has a value. */
  readonly title: readonly string[];
  /** A field of the row, or the same words for all records. */
  readonly vendor:
    | { readonly kind: 'field'; readonly name: string }
    | { readonly kind: 'words'; readonly words: string };
  readonly release: RecordPlace | null;
  /** A choice, and what each of its words is on the scale that all lists share. */
  readonly severity: {
    readonly name: string;
    readonly scale: Readonly<Record<string, Severity>>;
  } | null;
  /** The vendor's own word for the severity. */
  readonly vendorSeverity: RecordPlace | null;
  readonly cve: RecordPlace | null;
  readonly packages: RecordPlace | null;
  readonly releaseDate: RecordPlace | null;
  readonly superseded: string | null;
  /** What the vendor says of exploitation. */
  readonly exploited: string | null;
  /** What a record is named and what it mentions: each value is a name by which it is found. */
  readonly names: readonly RecordPlace[];
}

/** The companies and projects behind the sources whose label is a product. */
const vendorsOfSources: Readonly<Record<string, string>> = { wsus: 'Microsoft', mac: 'Apple' };

/** `sourceLabel`: what people call the list's source. */
export function recordMapping(list: ListDefinition, sourceLabel: string): RecordMapping {
  const severity = severityOfList(list);
  const named = list.identity.filter((name) => fieldOf(list, name).kind === 'identifier');
  const titles = titleFields(list);
  return {
    identifier: named.length > 0 ? named : list.identity,
    title: titles.length > 0 ? titles : list.identity,
    vendor: hasField(list, 'manufacturer')
      ? { kind: 'field', name: 'manufacturer' }
      : { kind: 'words', words: vendorsOfSources[list.source ?? ''] ?? sourceLabel },
    release: firstPlace(list, ['osVersion', 'affectedOs', 'productName', 'distribution']),
    severity,
    vendorSeverity:
      firstPlace(list, ['vendorSeverity', 'vendorPriority']) ??
      (severity === null ? null : { kind: 'field', name: severity.name }),
    cve: firstPlace(list, ['cve']),
    packages: packagesOfList(list),
    releaseDate: dateOfList(list),
    superseded: hasField(list, 'superseded') ? 'superseded' : null,
    exploited: list.fields['exploited']?.alsoVendor === true ? 'exploited' : null,
    names: namesOfList(list),
  };
}

/** Kinds whose values name something. A choice is a word of a small vocabulary, and prose tells a story. */
const namingKinds: ReadonlySet<FieldKind> = new Set(['text', 'identifier', 'identifiers', 'tags']);

/** Of the detail only identifiers, as the list's own keyword has it. */
function namesOfList({ fields, detail }: ListDefinition): readonly RecordPlace[] {
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

function firstPlace(list: ListDefinition, names: readonly string[]): RecordPlace | null {
  for (const name of names) {
    if (hasField(list, name)) return { kind: 'field', name };
    if (Object.hasOwn(list.detail.facts, name)) return { kind: 'fact', name };
  }
  return null;
}

/** Words of vendors that rate how urgent a fix is, where the shared scale has another word. */
const urgencies: Readonly<Record<string, Severity>> = { negligible: 'Low', unimportant: 'Low' };

function severityOfList(list: ListDefinition): RecordMapping['severity'] {
  const name = severityField(list) ?? ['urgency', 'priority'].find((one) => hasField(list, one));
  if (name === undefined) return null;
  const words = (fieldOf(list, name).choices ?? []).map(String);
  const scale = Object.fromEntries(
    words.map((word) => [word, urgencies[word] ?? severityOf(word)]),
  );
  return { name, scale };
}

function packagesOfList(list: ListDefinition): RecordPlace | null {
  const { packages, tables } = list.detail;
  if (packages !== undefined) return { kind: 'table', table: packages.table, name: packages.name };
  const table = ['packages', 'releasePackages'].find((one) => Object.hasOwn(tables, one));
  return table === undefined
    ? firstPlace(list, ['binaryPkgName', 'pkgName'])
    : { kind: 'table', table, name: 'name' };
}

function dateOfList(list: ListDefinition): RecordPlace | null {
  const date = releaseDateField(list);
  if (date === undefined) return null;
  return { kind: date.of === 'row' ? 'field' : 'fact', name: date.name };
}

type Values = Readonly<Record<string, unknown>>;

/** What the index says of a record, by the fields of the list of all patches, but where it stands and what is joined. */
export interface IndexedRecord {
  readonly identifier: string | null;
  /** Another identifier that names it. */
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

export function indexedRecord(mapping: RecordMapping, row: Values, detail: Values): IndexedRecord {
  const at = (place: RecordPlace | null): unknown => {
    if (place === null) return null;
    if (place.kind === 'field') return row[place.name] ?? null;
    if (place.kind === 'fact') return detail[place.name] ?? null;
    const rows = detail[place.table];
    return Array.isArray(rows) ? rows.map((one: Values) => one[place.name] ?? null) : null;
  };
  const severity = mapping.severity === null ? null : wordOf(row[mapping.severity.name]);
  const date = at(mapping.releaseDate);
  const called = [...new Set(mapping.identifier.flatMap((name) => wordOf(row[name]) ?? []))];
  return {
    identifier: called[0] ?? null,
    alias: called[1] ?? null,
    title: firstWord(mapping.title, row),
    vendor:
      mapping.vendor.kind === 'words' ? mapping.vendor.words : wordOf(row[mapping.vendor.name]),
    release: wordsOf(at(mapping.release)),
    severity:
      severity === null
        ? 'Unspecified'
        : (mapping.severity?.scale[severity] ?? severityOf(severity)),
    vendorSeverity: wordOf(at(mapping.vendorSeverity)),
    cve: wordsOf(at(mapping.cve))
      .filter((name) => cveName.test(name))
      .map((name) => name.toUpperCase()),
    packages: wordsOf(at(mapping.packages)),
    releaseDate: typeof date === 'number' ? date : null,
    superseded: flagOf(mapping.superseded, row),
    exploited: flagOf(mapping.exploited, row),
    names: [...new Set(mapping.names.flatMap((place) => namesIn(at(place))))],
  };
}

function firstWord(names: readonly string[], row: Values): string | null {
  for (const name of names) {
    const word = wordOf(row[name]);
    if (word !== null) return word;
  }
  return null;
}

const wordOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

function flagOf(name: string | null, row: Values): boolean | null {
  const value = name === null ? null : row[name];
  return typeof value === 'boolean' ? value : null;
}

/** Each once, in their order. */
function wordsOf(value: unknown): readonly string[] {
  const words = Array.isArray(value) ? value : [value];
  return [...new Set(words.map(wordOf).filter((word) => word !== null))];
}

/** A feed may write a number where the list has words. Of several values each is one name, whatever it holds. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((one) => String(one).replaceAll('\n', ' '));
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
