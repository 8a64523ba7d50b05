/** Describes a cron line and its next runs, requested when typing pauses. The field itself shows errors. */

import { schedulePreviewEndpoint } from '@patch/contract/sources/source-settings-endpoints.ts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { durations } from '../../theme/tokens.ts';
import { useNow } from '../../widgets/ticking-clock.ts';
import { absoluteTime, agoText } from '../../widgets/time-text.ts';
import { useDebouncedValue } from '../../widgets/use-debounced-value.ts';
import styles from './schedule-preview.module.css';

export function SchedulePreview({ cron }: { readonly cron: string }) {
  const debounced = useDebouncedValue(cron, durations.formValidates);
  const now = useNow();
  const zone = timeZone();
  const { data, isError, isPlaceholderData } = useQuery({
    ...toSchedulePreviewQuery(debounced),
    enabled: debounced !== '',
    placeholderData: keepPreviousData,
  });
  const preview = debounced !== '' && !isError ? data : undefined;
  const isWaiting = debounced !== cron || isPlaceholderData;
  return (
    <div
      className={`${styles['preview']} p-3 border rounded bg-canvas text-dense leading-row`}
      data-waiting={isWaiting || undefined}
      data-empty={preview === undefined || undefined}
    >
      <p className={`${styles['words']} mb-1 font-500`} aria-live="polite">
        {preview?.words}
      </p>
      {preview === undefined ? null : (
        <>
          <p className="text-quiet text-small" id="schedule-next">
            Next runs, {zone}
          </p>
          <ol className="plain-list" aria-labelledby="schedule-next">
            {preview.next.map((time, index) => (
              <li key={time}>
                <time dateTime={new Date(time).toISOString()}>{absoluteTime(time, zone)}</time>
                {index === 0 ? (
                  <span className="text-quiet text-small"> {agoText(time, now)}</span>
                ) : null}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

/** Milliseconds. Older replies are requested again, because the next runs change. */
const staleTimeMs = 60_000;

export const toSchedulePreviewQuery = (cron: string) =>
  queryOptions({
    ...apiQuery(queryKeys.sources.schedulePreview(cron), schedulePreviewEndpoint, {
      query: { cron },
    }),
    staleTime: staleTimeMs,
  });
