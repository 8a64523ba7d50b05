/** Which CVEs a record names, wherever its list has them. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type RecordMapping, recordMapping } from '@patch/catalogue/records/record-mapping.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { sourceLabels } from '@patch/catalogue/sources.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { isCve } from '../values/is-cve.ts';

const labelOf = ({ source, label }: ListDefinition): string =>
  source === null ? label : (sourceLabels[source as SourceKey] ?? label);

/** Where the record says what every list says in its own way. */
export const mappingOf = (list: ListDefinition): RecordMapping =>
  recordMapping(list, labelOf(list));

/** Whose record it is: Microsoft, AlmaLinux. */
export function vendorOf(list: ListDefinition, record: WireDetail): string {
  const { vendor } = mappingOf(list);
  if (vendor.kind === 'words') return vendor.words;
  const named = record[vendor.name];
  return typeof named === 'string' && named !== '' ? named : labelOf(list);
}

export interface RecordCves {
  /** With the vendor's page; null where the list has no place for CVEs. */
  readonly field: Field<FieldKind, unknown> | null;
  /** The fact or field that holds them; null where a table does. */
  readonly name: string | null;
  readonly cves: readonly string[];
  /** What stands among them and is no CVE: 'not yet numbered'. */
  readonly others: readonly string[];
}

export function cvesOfRecord(list: ListDefinition, record: WireDetail): RecordCves {
  const place = mappingOf(list).cve;
  if (place === null) return { field: null, name: null, cves: [], others: [] };
  const field =
    place.kind === 'table'
      ? list.detail.tables[place.table]?.fields[place.name]
      : { ...list.fields, ...list.detail.facts }[place.name];
  const value = place.kind === 'table' ? record[place.table] : record[place.name];
  const said = Array.isArray(value)
    ? value.map((one: unknown) =>
        place.kind === 'table' ? (one as Readonly<Record<string, unknown>>)[place.name] : one,
      )
    : [value];
  const names = [
    ...new Set(said.filter((name): name is string => typeof name === 'string' && name !== '')),
  ];
  return {
    field: field ?? null,
    name: place.kind === 'table' ? null : place.name,
    cves: [...new Set(names.filter(isCve).map((name) => name.toUpperCase()))],
    others: names.filter((name) => !isCve(name)),
  };
}
