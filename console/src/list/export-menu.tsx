/** Offers all rows of the search, not only the current page, as CSV or JSON in the columns that are shown. */

import { DownloadOutlined, DownOutlined } from '@ant-design/icons-svg';
import type { ExportFormat } from '@patch/contract/export-endpoints.ts';
import type { ReactNode } from 'react';
import { Icon } from '../widgets/icon.tsx';
import { Menu } from '../widgets/menu.tsx';
import type { RowsToExport } from './export-rows.ts';
import { useRowExport } from './use-row-export.ts';

interface ExportMenuProps {
  /** Null when there are too many to be named; asked at the click, so that relative times are of that moment. */
  readonly rowsOf: (format: ExportFormat) => RowsToExport | null;
  /** Only an arrow when absent: it stands beside the button that exports at once. */
  readonly children?: ReactNode;
}

const formats = [
  { key: 'csv', label: 'CSV, for spreadsheets' },
  { key: 'json', label: 'JSON, for programs' },
] as const satisfies readonly { key: ExportFormat; label: string }[];

export function ExportMenu({ rowsOf, children }: ExportMenuProps) {
  const { pending, begin } = useRowExport();
  return (
    <Menu
      look="quiet"
      small={children !== undefined}
      loading={pending}
      icon={<Icon of={children === undefined ? DownOutlined : DownloadOutlined} />}
      aria-label="Export"
      title="Export"
      entries={formats.map(({ key, label }) => ({
        key,
        label,
        onChoose: () => begin(rowsOf(key)),
      }))}
    >
      {children}
    </Menu>
  );
}
