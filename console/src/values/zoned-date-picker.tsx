/**
 * Date picker with or without time, in the reader's zone. It reports every intermediate choice, and 0 when it is cleared.
 * A choice outside the bounds is reported unchanged and marked invalid: the form refuses it.
 */
import { DatePicker } from 'antd';
import type { Dayjs } from 'dayjs';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { hasOpenPopup, useOutsidePress } from '../widgets/popover-panel.tsx';
import styles from './inputs.module.css';
import { useReaderZone } from './reader-zone.ts';
import {
  dayFormat,
  instantChosen,
  isOutside,
  pickerTime,
  timeFormat,
} from './zoned-picker-time.ts';

export interface ZonedDatePickerProps {
  readonly id?: string;
  /** Epoch milliseconds; 0 means empty. */
  readonly value?: number;
  readonly onChange?: (at: number) => void;
  readonly onBlur?: () => void;
  /** Default: the reader's zone. */
  readonly zone?: string;
  readonly withTime?: boolean;
  /** Without time, a day means its last millisecond instead of its first; with time, its last minute is preselected. */
  readonly endOfDay?: boolean;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly disabled?: boolean;
  readonly 'aria-label'?: string;
}

/** Matches days only: a click on a month, year or time leaves the calendar open. */
const dayCell = '.ant-picker-date-panel td.ant-picker-cell:not(.ant-picker-cell-disabled)';

export function ZonedDatePicker(props: ZonedDatePickerProps) {
  const {
    value = 0,
    onChange,
    onBlur,
    withTime = true,
    endOfDay = false,
    min,
    max,
    zone: givenZone,
    ...rest
  } = props;
  const readerZone = useReaderZone();
  const zone = givenZone ?? readerZone;
  const [open, setOpen] = useState(false);
  const picker = useRef<{ readonly focus: () => void; readonly nativeElement: HTMLElement }>(null);
  const pressInside = useOutsidePress(open, () => setOpen(false));
  const format = withTime ? timeFormat : dayFormat;
  const choose = (picked: Dayjs | null | undefined) => {
    const chosen = instantChosen(picked ?? null, zone, { withTime, endOfDay });
    if (chosen !== value) onChange?.(chosen);
  };
  const closeAfterDay = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest(dayCell) === null) return;
    setOpen(false);
    picker.current?.focus();
  };
  return (
    // Events of the field and the calendar bubble through this element.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <span
      className={styles['picker']}
      {...{ [hasOpenPopup]: open || undefined }}
      onPointerDown={pressInside}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !open) return;
        // The surrounding dialog stays open.
        event.stopPropagation();
        setOpen(false);
        picker.current?.focus();
      }}
    >
      <DatePicker
        {...rest}
        ref={picker as never}
        {...(isOutside(value, min, max) && { status: 'error' as const })}
        open={open}
        onOpenChange={setOpen}
        classNames={{ popup: { root: styles['calendar'] ?? '' } }}
        placeholder={format}
        format={format}
        showTime={
          withTime
            ? { format: 'hh:mm A', use12Hours: true, defaultOpenValue: defaultTime(endOfDay) }
            : false
        }
        needConfirm={false}
        value={value === 0 ? null : pickerTime(value, zone)}
        {...(min === undefined ? {} : { minDate: pickerTime(min, zone) })}
        {...(max === undefined ? {} : { maxDate: pickerTime(max, zone) })}
        panelRender={(panel: ReactNode): ReactElement => (
          // The interactive elements are the cells inside.
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
          <div onClick={closeAfterDay}>{panel}</div>
        )}
        // `onChange` would wait for the calendar to close.
        onCalendarChange={(picked) => choose(picked as Dayjs | null | undefined)}
        onBlur={() => onBlur?.()}
      />
    </span>
  );
}

/** Preselected time of a day. */
const defaultTime = (end: boolean): Dayjs =>
  pickerTime(end ? Date.UTC(2000, 0, 1, 23, 59) : Date.UTC(2000, 0, 1), 'UTC');
