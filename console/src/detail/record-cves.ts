/** Reads the CVEs and the vendor of a record, which each list stores differently. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type RecordMapping, recordMapping } from '@patch/catalogue/records/record-mapping.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { sourceLabels } from '@patch/catalogue/sources.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { isCve } from '../values/is-cve.ts';

const getLabel = ({ source, label }: ListDefinition): string =>
  source === null ? label : (sourceLabels[source as SourceKey] ?? label);

/** Returns the mapping from the list's fields to the common ones. */
export const getMapping = (list: ListDefinition): RecordMapping =>
  recordMapping(list, getLabel(list));

/** Returns the vendor of a record: Microsoft, AlmaLinux. */
export function getVendor(list: ListDefinition, record: WireDetail): string {
  const { vendor } = getMapping(list);
  if (vendor.kind === 'words') return vendor.words;
  const value = record[vendor.name];
  return typeof value === 'string' && value !== '' ? value : getLabel(list);
}

export interface RecordCves {
  /** Field with the vendor's page; null when the list has no CVEs. */
  readonly field: Field<FieldKind, unknown> | null;
  /** Field or fact with the CVEs; null when they are in a table. */
  readonly name: string | null;
  readonly cves: readonly string[];
  /** Values among the CVEs that are not CVE numbers: 'not yet numbered'. */
  readonly others: readonly string[];
}

export function readCves(list: ListDefinition, record: WireDetail): RecordCves {
  const location = getMapping(list).cve;
  if (location === null) return { field: null, name: null, cves: [], others: [] };
  const field =
    location.kind === 'table'
      ? list.detail.tables[location.table]?.fields[location.name]
      : { ...list.fields, ...list.detail.facts }[location.name];
  const value = location.kind === 'table' ? record[location.table] : record[location.name];
  const values = Array.isArray(value)
    ? value.map((item: unknown) =>
        location.kind === 'table'
          ? (item as Readonly<Record<string, unknown>>)[location.name]
          : item,
      )
    : [value];
  const names = [
    ...new Set(values.filter((name): name is string => typeof name === 'string' && name !== '')),
  ];
  return {
    field: field ?? null,
    name: location.kind === 'table' ? null : location.name,
    cves: [...new Set(names.filter(isCve).map((name) => name.toUpperCase()))],
    others: names.filter((name) => !isCve(name)),
  };
}
