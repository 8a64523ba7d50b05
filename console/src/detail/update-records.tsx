/** Table of an update's records: the risk and the CVEs on each product. */
import { number } from '@patch/catalogue/definition/fields.ts';
import {
  type DetailTable as DetailTableDefinition,
  getField,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import { titleField } from '@patch/catalogue/definition/record-name.ts';
import type { WireDetail, WireRow } from '@patch/contract/base/row-schema.ts';
import { DetailTable } from './detail-table.tsx';
import { getMapping } from './record-cves.ts';
import { useUpdate } from './use-update.ts';

/** More products are folded. */
const maxUnfolded = 5;

interface UpdateRecordsProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  readonly Heading: 'h2' | 'h3';
}

/** Renders nothing for a record that is an update by itself. */
export function UpdateRecords({ list, record, Heading }: UpdateRecordsProps) {
  const { data } = useUpdate(list, record);
  if (data === undefined || data === null || data.recordCount < 2) return null;
  return (
    <DetailTable
      key={record.id}
      id="update"
      table={toTable(list, data.records)}
      rows={data.records.map(withCount)}
      Heading={Heading}
      isOpen={data.records.length <= maxUnfolded}
    />
  );
}

/** Columns are the fields of the list that it has: product, severity, risk, CVEs. Titles tell records of one product apart. */
function toTable(list: ListDefinition, records: readonly WireRow[]): DetailTableDefinition {
  const release = getMapping(list).release?.name;
  const areProducts = new Set(records.map((row) => row[release ?? ''])).size === records.length;
  const title = areProducts ? undefined : records.map((row) => titleField(list, row)).find(Boolean);
  const names = [title, release, 'severity', 'exploited', 'cvss', 'superseded'].filter(
    (name) => name !== undefined && Object.hasOwn(list.fields, name),
  ) as readonly string[];
  return {
    label: 'Risk by product',
    fields: {
      ...Object.fromEntries(names.map((name) => [name, getField(list, name)])),
      // The rows of some lists are without CVEs, which only their records name.
      ...(Object.hasOwn(list.fields, 'cve') && { cveCount: number('Number of CVEs') }),
      // Where all fix the same, the table of CVEs names them.
      ...(new Set(records.map(joinCves)).size > 1 && { cve: getField(list, 'cve') }),
    },
  } as DetailTableDefinition;
}

const withCount = (row: WireRow) => ({
  ...row,
  cveCount: Array.isArray(row['cve']) ? row['cve'].length : 0,
});

const { compare: compareTexts } = new Intl.Collator('en');

const joinCves = ({ cve }: WireRow) =>
  Array.isArray(cve) ? [...new Set<unknown>(cve)].map(String).toSorted(compareTexts).join(' ') : '';
