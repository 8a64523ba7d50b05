/** Input of a date criterion: a relative time, which is always `equal`, or custom days or times in the reader's zone. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import { isRelativeTime, listRelativeTimes } from '@patch/contract/dates/relative-date.ts';
import { InputNumber, Radio } from 'antd';
import { type ReactNode, useState } from 'react';
import type { InputProps } from './criterion-rules.ts';
import { relativeTimeText } from './criterion-text.ts';
import styles from './inputs.module.css';
import { useReaderZone } from './reader-zone.ts';
import { ZonedDatePicker } from './zoned-date-picker.tsx';

const lastDays = /^last_(\d+)_days$/;
const defaultDays = 30;

export function DateInput({ field, draft, onDraft }: InputProps) {
  const { value } = draft;
  const offered = listRelativeTimes({ dueBy: field.dueBy ?? false }).filter(
    (time) => time !== 'custom',
  );
  const days = typeof value === 'string' ? lastDays.exec(value) : null;
  // Keeps the number input open while the typed number equals an offered relative time.
  const [isDayCount, setIsDayCount] = useState(
    days !== null && !offered.some((time) => time === value),
  );
  const chosen =
    days !== null && isDayCount
      ? 'days'
      : typeof value === 'string' && isRelativeTime(value)
        ? value
        : 'custom';
  const options = [
    ...offered.map((time): { value: string; label: ReactNode } => ({
      value: time,
      label: relativeTimeText(time),
    })),
    { value: 'days', label: 'Last … days' },
    { value: 'custom', label: 'Custom' },
  ];
  function choose(time: string): void {
    setIsDayCount(time === 'days');
    if (time === 'custom')
      onDraft({ operator: 'greater_than', value: undefined, toValue: undefined });
    else
      onDraft({
        operator: 'equal',
        value: time === 'days' ? `last_${defaultDays}_days` : time,
        toValue: undefined,
      });
  }
  return (
    <div className={styles['stack']}>
      <Radio.Group
        className={styles['choices'] ?? ''}
        aria-label={`${field.label}: time`}
        options={options}
        value={chosen}
        onChange={({ target }) => choose(target.value as string)}
      />
      {chosen === 'days' && days !== null && (
        <InputNumber
          aria-label="Number of days"
          prefix="Last"
          suffix="days"
          min={1}
          max={99_999}
          precision={0}
          value={Number(days[1])}
          onChange={(count) => onDraft({ ...draft, value: `last_${count ?? defaultDays}_days` })}
        />
      )}
      {chosen === 'custom' && <CustomDates field={field} draft={draft} onDraft={onDraft} />}
    </div>
  );
}

/** The calendar disables dates beyond the other end; a typed one is refused on submit. */
function CustomDates({ field, draft, onDraft }: InputProps) {
  const reader = useReaderZone();
  const isDay = field.precision === 'day';
  const zone = dateZone(field, reader);
  const between = draft.operator === 'between';
  const from = typeof draft.value === 'number' ? draft.value : undefined;
  const to = between ? draft.toValue : undefined;
  return (
    <div className={styles['stack']}>
      <ZonedDatePicker
        aria-label={between ? `${field.label} from` : field.label}
        zone={zone}
        withTime={!isDay}
        endOfDay={isDay && ['greater_than', 'less_than_or_equal'].includes(draft.operator)}
        value={from ?? 0}
        max={to}
        onChange={(at) => onDraft({ ...draft, value: at === 0 ? undefined : at })}
      />
      {between && (
        <ZonedDatePicker
          aria-label={`${field.label} to`}
          zone={zone}
          withTime={!isDay}
          endOfDay
          value={to ?? 0}
          min={from}
          onChange={(at) => onDraft({ ...draft, toValue: at === 0 ? undefined : at })}
        />
      )}
      {!isDay && <span className={styles['zone']}>{zone}</span>}
    </div>
  );
}
