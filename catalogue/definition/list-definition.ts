/** The definition of a list that administrators browse and search: its fields, columns, criteria and the detail of its records. */
import type { Field, Fields } from './fields.ts';

/** A table inside a record's detail: the packages of an erratum, the files of an update. */
export interface DetailTable<F extends Fields = Fields> {
  readonly label: string;
  readonly fields: F;
  /** Rows come and go with each version that the vendor offers: losing some is normal, losing all is not. */
  readonly turnover?: true;
  /** What administrators read before an installation: the console shows it unfolded. */
  readonly readFirst?: true;
}

export type DetailTables = Readonly<Record<string, DetailTable>>;

/** The facts and tables of a record beyond its row, stored beside it and read one record at a time. */
export interface Detail<F extends Fields = Fields, T extends DetailTables = DetailTables> {
  readonly facts: F;
  readonly tables: T;
  /** Set when records replace each other. */
  readonly supersedence?: Supersedence;
  /** The table of the packages that a record ships; keywords find the record by them. */
  readonly packages?: PackageTable;
  /** The table in which the vendor rates the severity of each CVE. */
  readonly scores?: ScoreTable;
}

/** A table of packages; the members are names of its fields. */
export interface PackageTable {
  /** The format in which names and versions are written together. */
  readonly format: 'rpm' | 'dpkg';
  readonly table: string;
  readonly name: string;
  /** Upstream version and the distribution's release joined by a dash, with or without a leading epoch and colon. */
  readonly version: string;
  /** The file name of the source package: openssl-1.1.1k-12.el8_9.src.rpm. */
  readonly source?: string;
}

/** A table of CVEs with a CVSS score each; the members are names of its fields. Its field `cve` is the CVE. */
export interface ScoreTable {
  /** The publisher of the scores: Microsoft. */
  readonly by: string;
  readonly table: string;
  readonly score: string;
  readonly vector: string;
}

/**
 * The fields and facts from which the chain of replacements is drawn: a table of the shape `supersedenceTable` with the complete
 * chain, or only the direct neighbours.
 */
export interface Supersedence {
  /** The record's name in the chain. */
  readonly name: string;
  /** The field that delimits a chain: a KB that is replaced on one product is the newest on another. */
  readonly within?: string;
  readonly table?: string;
  /** Records that it replaces directly, and records that replace it directly. */
  readonly older?: string;
  readonly newer?: string;
  /** The record at the end of the chain, to be installed instead of all others. */
  readonly last?: string;
  /** A fact that explains, in sentences, why that record is the last, or why none is known. */
  readonly evidence?: string;
  /** A table of the shape `contradictionsTable`. */
  readonly contradictions?: string;
}

export interface CompoundSort {
  readonly label: string;
  /** As a search writes its order: see `readSortKeys`. */
  readonly fields: string;
  /** Records that another one replaces come after all others. */
  readonly currentFirst?: true;
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
  /** Plural, as in the list's heading. */
  readonly label: string;
  /** Label in the sidebar. */
  readonly shortLabel: string;
  /** The publisher, by its name on the wire; a new name creates a new source. Null for data of the service itself. */
  readonly source: Source;
  /** Child path below /patch-repository in the console; empty for the home list. */
  readonly route: string;
  /** Below /api. */
  readonly searchPath: string;
  /** Below /api, the record's id as {id}. */
  readonly detailPath: string;
  readonly fields: F;
  /**
   * Fields that no row has and only criteria use, such as the CVEs that a machine misses. They are `searchable` unless they are technical. The module
   * that knows them evaluates them for the search (server/records/criteria/computed-criteria.ts).
   */
  readonly criteria: Fields;
  /** The default columns, in order. May name `id`. */
  readonly columns: readonly string[];
  /** Fields shown beside a record's title when they are not columns: the release that an erratum is for. */
  readonly titleFacts: readonly string[];
  /** Fields that a criterion may use, in the order in which the search bar offers them. May contain `id`. */
  readonly searchable: readonly string[];
  /**
   * What is counted beside a search, in display order: fields that are words of a small vocabulary, flags, or dates by year, and
   * criteria, of which the rows that meet them are counted.
   */
  readonly facets: readonly string[];
  /** Other names of fields on the wire: { productName: 'products' }. The field's own name is accepted too. */
  readonly filterName: Readonly<Partial<Record<string, string>>>;
  /** Fields that name a record to people: the first that is not empty heads the drawer and can be typed as an exact identifier. */
  readonly identity: readonly string[];
  /**
   * The underlying table, where the list is a view whose rows include the detail as a column. Absent: the list is a view of the
   * table of records, which the entry writer fills, and details are stored beside it.
   */
  readonly viewOf?: string;
  /** The order of a list without a sort by the user. */
  readonly defaultSort: string;
  /** The order and the criteria of the list when the console opens it; the criteria in the form of an address. */
  readonly opens?: { readonly sort?: string; readonly criteria?: string };
  /** Orders of several fields, by the name that a search sends instead of fields. */
  readonly compoundSorts: Readonly<Record<string, CompoundSort>>;
  /**
   * The field that identifies the update which a record is about. Records of the lists of one source with the same value count as
   * one update. A record without a value, and each record of a list without such a field, counts as an update of its own.
   */
  readonly countedBy?: string;
  /** Indexed fields by which other parts of the product look records up, beside the first identity field. */
  readonly lookups?: readonly string[];
  /** Fields and facts whose values another part of the feed may override. */
  readonly concluded?: readonly string[];
  readonly detail: Detail<DF, DT>;
}

/** Checks once that columns and criteria are fields, so that every list can be passed on as a plain ListDefinition. */
type ListAsWritten<
  F extends Fields,
  Key extends string,
  DF extends Fields,
  DT extends DetailTables,
  Source extends string | null,
> = Omit<
  ListDefinition<F, Key, DF, DT, Source>,
  | 'columns'
  | 'criteria'
  | 'compoundSorts'
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
  readonly criteria?: Fields;
  readonly searchable: readonly ((keyof F & string) | 'id')[];
  readonly facets?: readonly string[];
  readonly filterName?: { readonly [Name in keyof F & string]?: string };
  readonly identity: readonly (keyof F & string)[];
  readonly defaultSort: (keyof F & string) | `-${keyof F & string}`;
  readonly compoundSorts?: Readonly<Record<string, CompoundSort>>;
  readonly countedBy?: keyof F & string;
  readonly concluded?: readonly ((keyof F | keyof DF) & string)[];
  readonly detail?: Detail<DF, DT>;
};

type FieldValue<F> = F extends Field<infer _Kind, infer Value> ? Value : never;

/** A row as a feed writes it; the database adds the id. Any field may be absent. */
export type NewRow<F extends Fields> = { readonly [Name in keyof F]?: FieldValue<F[Name]> | null };

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
  const criteria = { ...(list.source !== null && criteriaOfVendors), ...list.criteria };
  const offered = Object.keys(criteria).filter((name) => criteria[name]?.technical !== true);
  const searchable = [...list.searchable, ...offered];
  return {
    facets: [],
    filterName: {},
    titleFacts: [],
    compoundSorts: {},
    ...list,
    criteria,
    searchable,
    detail,
  };
}

/** Resolves the field of a criterion or a sort, by its own name or its name on the wire; undefined when the list has none. */
export function resolveField(list: ListDefinition, name: string): string | undefined {
  const renamed = Object.keys(list.filterName).find((own) => list.filterName[own] === name);
  if (renamed !== undefined) return renamed;
  return fieldsOfCriteria(list).some((fields) => Object.hasOwn(fields, name)) ? name : undefined;
}

/** Returns all fields that a criterion can name. */
const fieldsOfCriteria = (list: ListDefinition): readonly Fields[] => [
  list.fields,
  list.criteria,
  impliedFields,
];

/** Returns whether rows have no value of the field, so that only a criterion may use it. */
export const isCriterionOnly = (list: ListDefinition, name: string): boolean =>
  Object.hasOwn(list.criteria, name);

/** Fields that every list has without declaring them. */
const impliedFields: Fields = {
  id: { kind: 'number', label: 'Id', help: "The record's number in this repository." },
  revision: {
    kind: 'number',
    label: 'Change',
    help: "The number of the change that the record was last part of: a list's changes are numbered one after the other.",
  },
};

/** Criteria of every list of a vendor. */
const criteriaOfVendors: Fields = {
  mentions: {
    kind: 'identifiers',
    label: 'Mentions',
    help: 'A CVE or a KB that the record names, or its own name.',
    technical: true,
  },
};

/** Returns whether a criterion may use the field. Every list can be filtered by `revision`, though no search bar offers it. */
export function isFilterable(list: ListDefinition, name: string): boolean {
  return list.searchable.includes(name) || name === 'revision' || isCriterionOnly(list, name);
}

/** Returns the field of that name, including `id` and `revision`. Throws when the list has no such field. */
export function getField(list: ListDefinition, name: string): Field<Field['kind'], unknown> {
  const found = fieldsOfCriteria(list).find((fields) => Object.hasOwn(fields, name))?.[name];
  if (found === undefined) throw new Error(`${list.key} has no field ${name}`);
  return found;
}
