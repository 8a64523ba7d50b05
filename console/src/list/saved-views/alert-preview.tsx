/** Preview of what an alert would have reported in the last days. */

import { countedText } from '@patch/contract/base/counted-text.ts';
import { requestCriteria } from '@patch/contract/base/requested-criteria.ts';
import type { ViewSearch } from '@patch/contract/records/saved-view-endpoints.ts';
import {
  type AlertMode,
  type AlertPreviewDay,
  previewAlertEndpoint,
  previewedDays,
} from '@patch/contract/reports/alert-endpoints.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { dayDate } from '../../values/day-date.ts';
import { Spinner } from '../../widgets/spinner.tsx';
import styles from './alert-preview.module.css';

interface AlertPreviewProps {
  readonly list: string;
  readonly search: Pick<ViewSearch, 'criteria' | 'keyword'>;
  readonly mode: AlertMode;
  readonly hour: number;
}

export function AlertPreview({
  list,
  search: { criteria, keyword },
  mode,
  hour,
}: AlertPreviewProps) {
  const zone = timeZone();
  const body = {
    list,
    search: { criteria: requestCriteria(criteria), keyword },
    mode,
    hour: mode === 'digest' ? hour : 0,
    timeZone: zone,
  };
  const preview = useQuery({
    ...apiQuery(queryKeys.alerts.preview(body), previewAlertEndpoint, { body }),
    // Keeps the last reply while another hour is loaded.
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const days = preview.data?.days.filter(({ total }) => total > 0) ?? [];
  return (
    <section className={styles['preview']} aria-label="Preview" aria-busy={preview.isFetching}>
      {preview.data === undefined ? null : (
        <p className={styles['sum']}>{toSummary(days, preview.data, mode)}</p>
      )}
      {preview.isPending ? <Spinner /> : null}
      {preview.error === null ? null : <p role="alert">{preview.error.message}</p>}
      {days.length === 0 ? null : (
        <ul className={styles['days']}>
          {days.map(({ at, updates, records }) => (
            <li key={at} className={styles['day']}>
              <span className={styles['date']}>{dayDate(at, zone)}</span>
              <span className={styles['total']}>{updates}</span>
              <span className={styles['names']}>{toNamesText({ updates, records })}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function toSummary(
  days: readonly AlertPreviewDay[],
  { total, updates }: Pick<AlertPreviewDay, 'total' | 'updates'>,
  mode: AlertMode,
): string {
  if (total === 0) return `This alert would not have fired in the last ${previewedDays} days.`;
  const records = countedText({ totalCount: total, updateCount: updates });
  const on =
    mode === 'digest'
      ? days.length === 1
        ? 'in 1 email'
        : `in ${days.length} emails`
      : days.length === 1
        ? 'on 1 day'
        : `on ${days.length} days`;
  return `In the last ${previewedDays} days this alert would have reported ${records} ${on}:`;
}

function toNamesText({ updates, records }: Pick<AlertPreviewDay, 'updates' | 'records'>): string {
  const names = records.map(({ name }) => name).join(', ');
  return updates > records.length ? `${names} …` : names;
}
