/** Describes a cron line and its next runs, requested when typing pauses. The field itself shows errors. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { timeZone } from '../../api/session.ts';
import { durations } from '../../theme/tokens.ts';
import { useNow } from '../../widgets/ticking-clock.ts';
import { absoluteTime, agoText } from '../../widgets/time-text.ts';
import { useDebouncedValue } from '../../widgets/use-debounced-value.ts';
import styles from './schedule-preview.module.css';
import { toSchedulePreviewQuery } from './schedule-preview-query.ts';

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
      className={styles['preview']}
      data-waiting={isWaiting || undefined}
      data-empty={preview === undefined || undefined}
    >
      <p className={styles['words']} aria-live="polite">
        {preview?.words}
      </p>
      {preview === undefined ? null : (
        <>
          <p className={styles['zone']} id="schedule-next">
            Next runs, {zone}
          </p>
          <ol className={styles['times']} aria-labelledby="schedule-next">
            {preview.next.map((time, index) => (
              <li key={time}>
                <time dateTime={new Date(time).toISOString()}>{absoluteTime(time, zone)}</time>
                {index === 0 ? <span className={styles['zone']}> {agoText(time, now)}</span> : null}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
