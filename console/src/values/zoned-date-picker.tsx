/**
 * Picks a date, with or without its time, in the zone of whoever reads. Every choice is told, also one that another follows;
 * 0 is told when it is cleared.
 */
import { DatePicker } from 'antd';
import type { Dayjs } from 'dayjs';
import { useReaderZone } from './reader-zone.ts';
import { instantChosen, pickerTime } from './zoned-picker-time.ts';

export interface ZonedDatePickerProps {
  readonly id?: string;
  /** Epoch milliseconds; 0 is none. */
  readonly value?: number;
  readonly onChange?: (at: number) => void;
  readonly onBlur?: () => void;
  readonly withTime?: boolean;
  /** Without time: the day's last millisecond instead of its first. */
  readonly endOfDay?: boolean;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly disabled?: boolean;
  readonly 'aria-label'?: string;
}

export function ZonedDatePicker(props: ZonedDatePickerProps) {
  const { value = 0, onChange, onBlur, withTime = true, endOfDay = false, min, max, ...rest } = props;
  const zone = useReaderZone();
  const format = withTime ? 'DD/MM/YYYY hh:mm A' : 'DD/MM/YYYY';
  const choose = (picked: Dayjs | null | undefined) => {
    const chosen = instantChosen(picked ?? null, zone, { withTime, endOfDay, min, max });
    if (chosen !== value) onChange?.(chosen);
  };
  return (
    <DatePicker
      {...rest}
      placeholder={format}
      format={format}
      showTime={withTime ? { format: 'hh:mm A', use12Hours: true } : false}
      needConfirm={false}
      value={value === 0 ? null : pickerTime(value, zone)}
      {...(min === undefined ? {} : { minDate: pickerTime(min, zone) })}
      {...(max === undefined ? {} : { maxDate: pickerTime(max, zone) })}
      // Not `onChange`, which waits for the calendar to close.
      onCalendarChange={(picked) => choose(picked as Dayjs | null | undefined)}
      onBlur={() => onBlur?.()}
    />
  );
}
