/** Offers all rows of the search, not only the current page, as CSV or JSON in the columns that are shown. */

import { DownloadOutlined } from '@ant-design/icons-svg';
import type { ExportFormat } from '@patch/contract/export-endpoints.ts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toast } from '../api/toast.ts';
import { formatNumber } from '../widgets/format-number.ts';
import { Icon } from '../widgets/icon.tsx';
import { Menu } from '../widgets/menu.tsx';
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
    onSuccess: (total) =>
      toast.success(`Exporting ${total === 1 ? '1 record' : `${formatNumber(total)} records`}.`),
  });
  function begin(format: ExportFormat): void {
    const rows = rowsOf(format);
    if (rows === null)
      toast.error('Too many rows selected', 'Select at most 1,000 rows, or select all matching.');
    else exporting.mutate(rows);
  }
  return (
    <Menu
      look="quiet"
      small={children !== undefined}
      loading={exporting.isPending}
      icon={<Icon of={DownloadOutlined} />}
      aria-label="Export"
      title="Export"
      entries={formats.map(({ key, label }) => ({ key, label, onChoose: () => begin(key) }))}
    >
      {children}
    </Menu>
  );
}
