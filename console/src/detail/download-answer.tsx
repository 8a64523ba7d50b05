/** Download link of the vendor, and a link to the table of files. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { findInstallFields } from '@patch/catalogue/records/install-fields.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { OutArrow } from '../values/out-arrow.tsx';
import { safeAddress } from '../values/safe-address.ts';
import { Answer } from './answer.tsx';
import { ScrollButton } from './scroll-button.tsx';
import { buildSectionId } from './section-id.ts';
import type { TableRow } from './table-rows.ts';

interface DownloadAnswerProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
}

export function DownloadAnswer({ list, record }: DownloadAnswerProps) {
  const { download } = findInstallFields(list);
  const own = download === undefined ? undefined : safeAddress(String(record[download] ?? ''));
  const files = findFiles(list, record);
  if (own === undefined && files === null) return null;
  return (
    <Answer label="Download">
      {own !== undefined && (
        <a href={own} target="_blank" rel="noopener noreferrer">
          {new URL(own).host} <OutArrow />
        </a>
      )}{' '}
      {files !== null && (
        <ScrollButton to={buildSectionId(record.id, files.table)}>
          {files.count === 1 ? '1 file' : `${files.count} files`}
        </ScrollButton>
      )}
    </Answer>
  );
}

/** Returns the first table with download addresses and the number of its files. */
function findFiles(
  list: ListDefinition,
  record: WireDetail,
): { readonly table: string; readonly count: number } | null {
  for (const [table, { fields }] of Object.entries(list.detail.tables)) {
    if (fields['downloadUrl'] === undefined) continue;
    const rows = (record[table] ?? []) as readonly TableRow[];
    const count = rows.filter(
      ({ downloadUrl }) =>
        typeof downloadUrl === 'string' && safeAddress(downloadUrl) !== undefined,
    ).length;
    if (count > 0) return { table, count };
  }
  return null;
}
