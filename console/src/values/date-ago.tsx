/** Age of a date, such as '12 days ago'; the tip shows the exact date. */
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { useNow } from '../widgets/ticking-clock.ts';
import { dateTexts } from './day-date.ts';
import { useReaderZone } from './reader-zone.ts';

interface DateAgoProps {
  readonly field: Pick<Field, 'precision'>;
  readonly value: number;
}

export function DateAgo({ field, value }: DateAgoProps) {
  const reader = { zone: useReaderZone(), now: useNow() };
  const { exact, ago, zone } = dateTexts(field, value, reader);
  return (
    <time
      dateTime={new Date(value).toISOString()}
      data-tip={zone === null ? exact : `${exact} (${zone})`}
    >
      {ago}
    </time>
  );
}
