/** A time as people say it, '12 minutes ago'; the exact one with its zone in a tooltip, mounted only when it is asked for. */
import { Tooltip } from 'antd';
import { useState } from 'react';
import { timeZone } from '../api/session.ts';
import { useNow } from './ticking-clock.ts';
import { absoluteTime, agoWords } from './time-words.ts';

export interface TimeAgoProps {
  /** Epoch milliseconds. */
  readonly value: number;
}

export function TimeAgo({ value }: TimeAgoProps) {
  const now = useNow();
  const [asked, setAsked] = useState(false);
  const time = (
    <time dateTime={new Date(value).toISOString()} onPointerEnter={() => setAsked(true)}>
      {agoWords(value, now)}
    </time>
  );
  if (!asked) return time;
  const zone = timeZone();
  return (
    <Tooltip defaultOpen title={`${absoluteTime(value, zone)} (${zone})`}>
      {time}
    </Tooltip>
  );
}

/** The exact time in the user's zone, for details and headings. */
export function ExactTime({ value }: TimeAgoProps) {
  const zone = timeZone();
  return (
    <time dateTime={new Date(value).toISOString()} title={zone}>
      {absoluteTime(value, zone)}
    </time>
  );
}
