/** Age of a date, such as '12 days ago'; the tip shows the exact date. */
import { useNow } from '../widgets/ticking-clock.ts';
import { dateTexts } from './day-date.ts';
import { useReaderZone } from './reader-zone.ts';

interface DateProps {
  readonly field: Parameters<typeof dateTexts>[0];
  readonly value: number;
}

export function useDateTexts({ field, value }: DateProps) {
  const texts = dateTexts(field, value, { zone: useReaderZone(), now: useNow() });
  const { exact, zone } = texts;
  return { ...texts, tip: zone === null ? exact : `${exact} (${zone})` };
}

export function DateAgo(props: DateProps) {
  const { ago, tip } = useDateTexts(props);
  return (
    <time dateTime={new Date(props.value).toISOString()} data-tip={tip}>
      {ago}
    </time>
  );
}
