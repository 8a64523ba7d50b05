/** Starts an export and shows the number of records. */
import { useMutation } from '@tanstack/react-query';
import { toast } from '../../api/toast.ts';
import { formatNumber } from '../../widgets/format-number.ts';
import { exportRows, type RowsToExport } from './export-rows.ts';

interface RowExport {
  readonly pending: boolean;
  /** Null stands for too many selected rows. */
  readonly begin: (rows: RowsToExport | null) => void;
}

export function useRowExport(): RowExport {
  const { mutate, isPending } = useMutation({
    mutationFn: exportRows,
    onSuccess: (total) =>
      toast.success(`Exporting ${total === 1 ? '1 record' : `${formatNumber(total)} records`}.`),
  });
  return {
    pending: isPending,
    begin: (rows) => {
      if (rows === null)
        toast.error('Too many rows selected', 'Select at most 1,000 rows, or select all matching.');
      else mutate(rows);
    },
  };
}
