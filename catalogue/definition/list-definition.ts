/** A list the administrator browses and searches: its fields, its columns, its criteria, and what a record's detail adds. */
import type { Field, Fields } from './fields.ts';

/** A table inside a record's detail: the packages of an erratum, the files of an update. */
export interface DetailTable<F extends Fields = Fields> {
  readonly label: string;
  readonly fields: F;
  /** Rows come and go with each version that the vendor offers: fewer of them is no loss, none at all is. */
  readonly turnover?: true;
}

export type DetailTables = Readonly<Record<string, DetailTable>>;

/** What a record has beyond its row: more facts, and tables. Kept beside the row and read one record at a time. */
export interface Detail<F extends Fields = Fields, T extends DetailTables = DetailTables> {
  readonly facts: F;
  readonly tables: T;
  /** Where records replace each other. */
  readonly supersedence?: Supersedence;
  /** Where the packages are that a record brings: a keyword finds it by them. */
  readonly packages?: PackageTable;
  /** Where the vendor says how severe each CVE is. */
  readonly scores?: ScoreTable;
}

/** A table of packages, by the names of its fields. */
export interface PackageTable {
  /** How names and versions are written together. */
  readonly format: 'rpm' | 'dpkg';
  readonly table: string;
  readonly name: string;
  /** Upstream version and the distribution's release, joined by a dash, an epoch and a colon before them or not. */
  readonly version: string;
  /** The file name of the source package: openssl-1.1.1k-12.el8_9.src.rpm. */
  readonly source?: string;
}

/** A table of CVEs with a CVSS score each, by the names of its fields; the CVE is in `cve`. */
export interface ScoreTable {
  /** Whose scores they are: Microsoft. */
  readonly by: string;
  readonly table: string;
  readonly score: string;
  readonly vector: string;
}

/**
 * What the chain of records that replace each other is drawn from, by names of fields and facts: a table of the shape
 * `supersedenceTable` that knows the whole chain, or the next ones alone.
 */
export interface Supersedence {
  /** What the record is called in the chain. */
  readonly name: string;
  /** What the chain holds within: a KB that is replaced on one product is the newest on another. */
  readonly within?: string;
  readonly table?: string;
  /** Those that it replaces directly, and those that replace it directly. */
  readonly older?: string;
  readonly newer?: string;
  /** The one at the end of the chain, to be installed in place of all others. */
  readonly last?: string;
  /** A fact: why that one is the last, or why none is known, in sentences. */
  readonly evidence?: string;
  /** A table of the shape `contradictionsTable`. */
  readonly contradictions?: string;
}

export interface ListDefinition<
  F extends Fields = Fields,
  Key extends string = string,
  DF extends Fields = Fields,
  DT extends DetailTables = DetailTables,
  Source extends string | null = string | null,
> {
  /** The product area; also the preference key, and the name of the table or view that is searched. */
  readonly key: Key;
  /** Plural, as the list's heading says it. */
  readonly label: string;
  /** The sidebar's word. */
  readonly shortLabel: string;
  /** Who publishes it, by the name the wire reports; a new name is a new source. Null for what the service itself keeps. */
  readonly source: Source;
  /** Child path below /patch-repository in the console; empty for the home list. */
  readonly route: string;
  /** Below /api. */
  readonly searchPath: string;
  /** Below /api, the record's id as {id}. */
  readonly detailPath: string;
  readonly fields: F;
  /** The default columns, in order. May name `id`. */
  readonly columns: readonly string[];
  /** Fields that are said beside a record's title while they are no columns: the release that an erratum is for. */
  readonly titleFacts: readonly string[];
  /** The fields a criterion may ask, in the order the search bar offers them. May name `id`. */
  readonly searchable: readonly string[];
  /** Fields whose values are counted beside a search, in the order in which they are shown: words of a small vocabulary, flags, and dates by year. */
  readonly facets: readonly string[];
  /** Where the wire asks for a field by another name: { productName: 'products' }. The field's own name is understood too. */
  readonly filterName: Readonly<Partial<Record<string, string>>>;
  /** What names a record to people: its first value that is not empty heads the drawer and can be typed as an exact identifier. */
  readonly identity: readonly string[];
  /**
   * The table that holds the records, where the list is a view of a table of its own, with the record's detail as a column.
   * Absent: the list has a table that the entry writer fills, and details are stored beside it.
   */
  readonly viewOf?: string;
  /** The order of a list that nobody has sorted. */
  readonly defaultSort: string;
  /**
   * The field that says which update a record is about. Records of the lists of one source that have the same value there are one
   * update, and count once where updates are counted. A record without a value, and each record of a list that names no such
   * field, is an update of its own.
   */
  readonly countedBy?: string;
  /** Fields by which other parts of the product look records up, beside the first one that names a record: each has an index. */
  readonly lookups?: readonly string[];
  /** Fields and facts whose values another part of the feed may conclude. */
  readonly concluded?: readonly string[];
  readonly detail: Detail<DF, DT>;
}

/** Columns and criteria must be fields; checked here, once, so that every list can be passed on as a plain ListDefinition. */
type ListAsWritten<
  F extends Fields,
  Key extends string,
  DF extends Fields,
  DT extends DetailTables,
  Source extends string | null,
> = Omit<
  ListDefinition<F, Key, DF, DT, Source>,
  | 'columns'
  | 'titleFacts'
  | 'searchable'
  | 'facets'
  | 'filterName'
  | 'identity'
  | 'defaultSort'
  | 'countedBy'
  | 'concluded'
  | 'detail'
> & {
  readonly columns: readonly ((keyof F & string) | 'id')[];
  readonly titleFacts?: readonly (keyof F & string)[];
  readonly searchable: readonly ((keyof F & string) | 'id')[];
  readonly facets?: readonly (keyof F & string)[];
  readonly filterName?: { readonly [Name in keyof F & string]?: string };
  readonly identity: readonly (keyof F & string)[];
  readonly defaultSort: (keyof F & string) | `-${keyof F & string}`;
  readonly countedBy?: keyof F & string;
  readonly concluded?: readonly ((keyof F | keyof DF) & string)[];
  readonly detail?: Detail<DF, DT>;
};

type ValueOf<F> = F extends Field<infer _Kind, infer Value> ? Value : never;

/** A row as a feed writes it; the database adds the id. A vendor may leave any field out. */
export type NewRow<F extends Fields> = { readonly [Name in keyof F]?: ValueOf<F[Name]> | null };

/** A record's detail as a feed writes it: facts by name, tables as arrays of rows. */
export type NewDetail<DF extends Fields, DT extends DetailTables> = NewRow<DF> & {
  readonly [Name in keyof DT]?: readonly NewRow<DT[Name]['fields']>[];
};

export function defineList<
  const F extends Fields,
  const Key extends string,
  const DF extends Fields = Record<never, never>,
  const DT extends DetailTables = Record<never, never>,
  const Source extends string | null = string | null,
>(list: ListAsWritten<F, Key, DF, DT, Source>): ListDefinition<F, Key, DF, DT, Source> {
  const detail = list.detail ?? ({ facts: {}, tables: {} } as unknown as Detail<DF, DT>);
  return { facets: [], filterName: {}, titleFacts: [], ...list, detail };
}

/** The field a criterion or a sort names, by its own name or by the name the wire asks for it; undefined when the list has none such. */
export function fieldAsked(list: ListDefinition, asked: string): string | undefined {
  const renamed = Object.keys(list.filterName).find((name) => list.filterName[name] === asked);
  if (renamed !== undefined) return renamed;
  return Object.hasOwn(list.fields, asked) || Object.hasOwn(impliedFields, asked)
    ? asked
    : undefined;
}

/** What every list has without declaring it. */
const impliedFields: Fields = {
  id: { kind: 'number', label: 'Id', help: "The record's number in this repository." },
  revision: {
    kind: 'number',
    label: 'Change',
    help: "The number of the change that the record was last part of: a list's changes are numbered one after the other.",
  },
};

/** Whether a criterion may ask the field. What has changed can be asked of every list, though no search bar offers it. */
export function isFilterable(list: ListDefinition, name: string): boolean {
  return list.searchable.includes(name) || name === 'revision';
}

/** The field of that name; every list has `id` and `revision` without declaring them. */
export function fieldOf(list: ListDefinition, name: string): Field<Field['kind'], unknown> {
  const found = [list.fields, impliedFields].find((fields) => Object.hasOwn(fields, name))?.[name];
  if (found === undefined) throw new Error(`${list.key} has no field ${name}`);
  return found;
}
