/** Table of an update's records: the risk and the CVEs on each product. */
import { number } from '@patch/catalogue/definition/fields.ts';
import {
  type DetailTable as DetailTableDefinition,
  getField,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail, WireRow } from '@patch/contract/row-schema.ts';
import { DetailTable } from './detail-table.tsx';
import styles from './record-content.module.css';
import { getMapping } from './record-cves.ts';
import { buildSectionId } from './scroll-button.tsx';
import { useUpdate } from './use-update.ts';

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
    <div id={buildSectionId(record.id, 'update')} className={styles['table']}>
      <DetailTable table={toTable(list)} rows={data.records.map(withCount)} Heading={Heading} />
    </div>
  );
}

/** Columns are the fields of the list that it has: product, severity, risk, CVEs. */
function toTable(list: ListDefinition): DetailTableDefinition {
  const release = getMapping(list).release?.name;
  const names = [release, 'severity', 'exploited', 'cvss', 'superseded'].filter(
    (name) => name !== undefined && Object.hasOwn(list.fields, name),
  ) as readonly string[];
  return {
    label: 'Risk by product',
    fields: {
      ...Object.fromEntries(names.map((name) => [name, getField(list, name)])),
      cveCount: number('Number of CVEs'),
      cve: getField(list, 'cve'),
    },
  } as DetailTableDefinition;
}

const withCount = (row: WireRow) => ({
  ...row,
  cveCount: Array.isArray(row['cve']) ? row['cve'].length : 0,
});
