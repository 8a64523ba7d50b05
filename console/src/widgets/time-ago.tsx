/** Relative time, '12 minutes ago'; the tip shows the exact time with its zone. */
import { timeZone } from '../api/session.ts';
import { useNow } from './ticking-clock.ts';
import { absoluteTime, agoText } from './time-text.ts';

export interface TimeAgoProps {
  /** Epoch milliseconds. */
  readonly value: number;
}

export function TimeAgo({ value }: TimeAgoProps) {
  const now = useNow();
  const zone = timeZone();
  return (
    <time
      dateTime={new Date(value).toISOString()}
      data-tip={`${absoluteTime(value, zone)} (${zone})`}
    >
      {agoText(value, now)}
    </time>
  );
}

/** Exact time in the user's zone, for details and headings. */
export function ExactTime({ value }: TimeAgoProps) {
  const zone = timeZone();
  return (
    <time dateTime={new Date(value).toISOString()} title={zone}>
      {absoluteTime(value, zone)}
    </time>
  );
}
