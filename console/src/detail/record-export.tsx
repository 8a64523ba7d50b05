/** Menu that exports a record in the formats that it has. */
import { DownloadOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { useMutation } from '@tanstack/react-query';
import { saveJson } from '../api/save-json.ts';
import { Icon } from '../widgets/icon.tsx';
import { Menu } from '../widgets/menu.tsx';
import { listDocuments, type RecordDocument } from './record-documents.ts';

interface RecordExportProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
}

export function RecordExport({ list, record }: RecordExportProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ fetch, fileName }: RecordDocument) => saveJson(await fetch(), fileName),
  });
  return (
    <Menu
      look="quiet"
      small
      loading={isPending}
      icon={<Icon of={DownloadOutlined} />}
      heading="Export as"
      entries={listDocuments(list, record).map((document) => ({
        key: document.key,
        label: document.label,
        onChoose: () => mutate(document),
      }))}
    >
      Export
    </Menu>
  );
}
