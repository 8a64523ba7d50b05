/** Button that downloads all rows of the search as CSV. */
import { DownloadOutlined } from '@ant-design/icons-svg';
import type { ExportFormat } from '@patch/contract/records/export-endpoints.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import type { RowsToExport } from './export-rows.ts';
import { useRowExport } from './use-row-export.ts';

interface CsvButtonProps {
  /** Called on click, so that relative times are current. */
  readonly buildExport: (format: ExportFormat) => RowsToExport;
}

export function CsvButton({ buildExport }: CsvButtonProps) {
  const { pending, begin } = useRowExport();
  return (
    <Button
      look="quiet"
      loading={pending}
      icon={<Icon of={DownloadOutlined} />}
      aria-label="Download CSV"
      title="Download CSV"
      onClick={() => begin(buildExport('csv'))}
    >
      CSV
    </Button>
  );
}
