/** Menu that exports all rows of the search as CSV or JSON with the shown columns. */

import { DownloadOutlined, DownOutlined } from '@ant-design/icons-svg';
import type { ExportFormat } from '@patch/contract/records/export-endpoints.ts';
import type { ReactNode } from 'react';
import { Icon } from '../../widgets/icon.tsx';
import { Menu } from '../../widgets/menu.tsx';
import type { RowsToExport } from './export-rows.ts';
import { useRowExport } from './use-row-export.ts';

interface ExportMenuProps {
  /** Called on click, so that relative times are current. Returns null for too many rows. */
  readonly buildExport: (format: ExportFormat) => RowsToExport | null;
  /** Smaller, beside the rows that are exported. */
  readonly small?: boolean;
  /** Label; without it the button shows only its icon. */
  readonly children?: ReactNode;
}

const formats = [
  { key: 'csv', label: 'CSV, for spreadsheets' },
  { key: 'json', label: 'JSON, for programs' },
] as const satisfies readonly { key: ExportFormat; label: string }[];

export function ExportMenu({ buildExport, small = false, children }: ExportMenuProps) {
  const { pending, begin } = useRowExport();
  return (
    <Menu
      look="quiet"
      small={small}
      loading={pending}
      icon={<Icon of={small ? DownloadOutlined : DownOutlined} />}
      aria-label="Export"
      title="Export"
      entries={formats.map(({ key, label }) => ({
        key,
        label,
        onChoose: () => begin(buildExport(key)),
      }))}
    >
      {children}
    </Menu>
  );
}
