/** A cron line in words and its next times, asked of the server once the typing pauses. Why one is refused the field itself says. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { timeZone } from '../../api/session.ts';
import { durations } from '../../theme/tokens.ts';
import { useNow } from '../../widgets/ticking-clock.ts';
import { absoluteTime, agoText } from '../../widgets/time-text.ts';
import { useDebouncedValue } from '../../widgets/use-debounced-value.ts';
import styles from './schedule-preview.module.css';
import { schedulePreviewQuery } from './schedule-preview-query.ts';

export function SchedulePreview({ cron }: { readonly cron: string }) {
  const settled = useDebouncedValue(cron, durations.formValidates);
  const now = useNow();
  const zone = timeZone();
  const { data, isError, isPlaceholderData } = useQuery({
    ...schedulePreviewQuery(settled),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  const known = settled !== '' && !isError ? data : undefined;
  const waiting = settled !== cron || isPlaceholderData;
  return (
    <div
      className={styles['preview']}
      data-waiting={waiting || undefined}
      data-empty={known === undefined || undefined}
    >
      <p className={styles['words']} aria-live="polite">
        {known?.words}
      </p>
      {known === undefined ? null : (
        <>
          <p className={styles['zone']} id="schedule-next">
            Next runs, {zone}
          </p>
          <ol className={styles['times']} aria-labelledby="schedule-next">
            {known.next.map((time, place) => (
              <li key={time}>
                <time dateTime={new Date(time).toISOString()}>{absoluteTime(time, zone)}</time>
                {place === 0 ? <span className={styles['zone']}> {agoText(time, now)}</span> : null}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
