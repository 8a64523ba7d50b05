/** Takes the month away: on paper, as a file, as a feed. */
import { getList } from '@patch/catalogue/lists.ts';
import type { CalendarMonth } from '@patch/contract/dates/calendar-month.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import { type MonthFormat, monthFileEndpoint } from '@patch/contract/reports/month-endpoints.ts';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callForFile } from '../api/call-api.ts';
import { takeText } from '../api/take-file.ts';
import { toast } from '../api/toast.ts';
import { Button, buttonClass } from '../widgets/button.tsx';
import { listPath } from '../widgets/list-paths.ts';
import styles from './month.module.css';

const types = { md: 'text/markdown', csv: 'text/csv' } as const;
const allPatches = getList('all_patches');

interface MonthActionsProps {
  readonly month: CalendarMonth;
  readonly query: { readonly products: 'all' | 'mine'; readonly since?: string };
  /** Undefined while loading. */
  readonly figure: Figure | undefined;
}

export function MonthActions({ month, query, figure }: MonthActionsProps) {
  const file = useMutation({
    mutationFn: (format: MonthFormat) =>
      callForFile(monthFileEndpoint, {
        params: { month: month.key },
        query: { ...query, format },
      }),
    onSuccess: (text, format) => takeText(text, types[format], `updates-${month.key}.${format}`),
    onError: (failure) => toast.failure(failure),
  });
  const button = (format: MonthFormat, label: string) => (
    <Button
      small
      loading={file.isPending && file.variables === format}
      onClick={() => file.mutate(format)}
    >
      {label}
    </Button>
  );
  return (
    <div className={styles['actions']}>
      <Button small onClick={() => globalThis.print()}>
        Print
      </Button>
      {button('md', 'Markdown')}
      {button('csv', 'CSV')}
      {figure !== undefined && (
        <Link
          className={buttonClass({ small: true })}
          to={listPath(allPatches)}
          search={{ criteria: writeCriteria(allPatches, figure.criteria), view: 'all' } as never}
          data-tip="Opens the updates as a list: save it as a view, and Subscribe makes its Atom feed"
        >
          Atom
        </Link>
      )}
    </div>
  );
}
