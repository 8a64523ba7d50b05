/** A date in a criterion: a relative time, which is always `equal`, or dates of one's own in the reader's zone. */
import { isRelativeTime, relativeTimesOffered } from '@patch/contract/dates/relative-date.ts';
import { DatePicker, InputNumber, Radio } from 'antd';
import type { ReactNode } from 'react';
import type { InputProps } from './criterion-rules.ts';
import { relativeTimeWords } from './criterion-words.ts';
import styles from './inputs.module.css';
import { useReaderZone } from './reader-zone.ts';
import { instantPicked, pickerTime } from './zoned-picker-time.ts';

const offered = relativeTimesOffered();
const lastDays = /^last_(\d+)_days$/;
const someDays = 30;

export function DateInput({ field, draft, onDraft }: InputProps) {
  const { value } = draft;
  const days = typeof value === 'string' ? lastDays.exec(value) : null;
  const chosen = days !== null ? 'days' : typeof value === 'string' && isRelativeTime(value) ? value : 'custom';
  const options = [
    ...offered
      .filter((time) => time !== 'custom')
      .map((time): { value: string; label: ReactNode } => ({ value: time, label: relativeTimeWords(time) })),
    { value: 'days', label: 'Last … days' },
    { value: 'custom', label: 'Custom' },
  ];
  function choose(time: string): void {
    if (time === 'custom') onDraft({ operator: 'greater_than', value: undefined, toValue: undefined });
    else onDraft({ operator: 'equal', value: time === 'days' ? `last_${someDays}_days` : time, toValue: undefined });
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
      {days !== null && (
        <InputNumber
          aria-label="Number of days"
          prefix="Last"
          suffix="days"
          min={1}
          max={99_999}
          precision={0}
          value={Number(days[1])}
          onChange={(count) => onDraft({ ...draft, value: `last_${count ?? someDays}_days` })}
        />
      )}
      {chosen === 'custom' && <OwnDates field={field} draft={draft} onDraft={onDraft} />}
    </div>
  );
}

function OwnDates({ field, draft, onDraft }: InputProps) {
  const zone = useReaderZone();
  const between = draft.operator === 'between';
  const picker = (label: string, at: unknown, onAt: (at: number | undefined) => void) => (
    <DatePicker
      aria-label={label}
      placeholder="DD/MM/YYYY hh:mm A"
      format="DD/MM/YYYY hh:mm A"
      showTime={{ format: 'hh:mm A', use12Hours: true }}
      needConfirm={false}
      value={typeof at === 'number' ? pickerTime(at, zone) : null}
      onChange={(picked) => onAt(picked === null ? undefined : instantPicked(picked, zone))}
    />
  );
  return (
    <div className={styles['stack']}>
      {picker(between ? `${field.label} from` : field.label, draft.value, (value) => onDraft({ ...draft, value }))}
      {between && picker(`${field.label} to`, draft.toValue, (toValue) => onDraft({ ...draft, toValue }))}
      <span className={styles['zone']}>{zone}</span>
    </div>
  );
}
