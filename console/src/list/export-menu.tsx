/** Offers the rows as CSV or JSON: those of the whole search, all pages of it, in the columns that are shown. */
import { DownloadOutlined } from '@ant-design/icons';
import type { ExportFormat } from '@patch/contract/export-calls.ts';
import { useMutation } from '@tanstack/react-query';
import { Button, Dropdown } from 'antd';
import type { ReactNode } from 'react';
import { figures } from '../widgets/figures.ts';
import { toast } from '../widgets/toast.tsx';
import { exportRows, type RowsToExport } from './export-rows.ts';

interface ExportMenuProps {
  /** Null when there are too many to be named; asked at the click, so that relative times are of that moment. */
  readonly rowsOf: (format: ExportFormat) => RowsToExport | null;
  /** Only an icon when absent. */
  readonly children?: ReactNode;
}

const formats = [
  { key: 'csv', label: 'CSV, for spreadsheets' },
  { key: 'json', label: 'JSON, for programs' },
] as const satisfies readonly { key: ExportFormat; label: string }[];

export function ExportMenu({ rowsOf, children }: ExportMenuProps) {
  const exporting = useMutation({
    mutationFn: exportRows,
    onSuccess: (total) => toast.success(`Exporting ${total === 1 ? '1 record' : `${figures(total)} records`}.`),
  });
  function begin(format: ExportFormat): void {
    const rows = rowsOf(format);
    if (rows === null) toast.error('Too many rows are marked', 'Mark at most 1,000, or select all that match.');
    else exporting.mutate(rows);
  }
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={{ items: [...formats], onClick: ({ key }) => begin(key as ExportFormat) }}>
      <Button
        type="text"
        size={children === undefined ? 'middle' : 'small'}
        loading={exporting.isPending}
        icon={<DownloadOutlined aria-hidden />}
        aria-label="Export"
        title="Export"
      >
        {children}
      </Button>
    </Dropdown>
  );
}
