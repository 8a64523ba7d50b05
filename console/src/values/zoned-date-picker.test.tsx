import { render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { fillIn, person, pressKey } from '../testing/person.ts';
import { ReaderZone } from './reader-zone.ts';
import { ZonedDatePicker, type ZonedDatePickerProps } from './zoned-date-picker.tsx';

const zone = 'Asia/Kolkata';
const first = Date.UTC(2024, 2, 12, 17, 5);

async function picker(props: ZonedDatePickerProps = {}, readerZone: string | null = zone) {
  const reported: number[] = [];
  function Parent() {
    const [value, setValue] = useState(props.value ?? first);
    return (
      <ReaderZone value={readerZone ?? undefined}>
        <ZonedDatePicker
          aria-label="When"
          {...props}
          value={value}
          onChange={(at) => {
            reported.push(at);
            setValue(at);
          }}
        />
      </ReaderZone>
    );
  }
  const surrounding = { onKeyDown: vi.fn(), onClick: vi.fn() };
  render(
    <>
      <div role="presentation" onKeyDown={surrounding.onKeyDown}>
        <Parent />
      </div>
      <p role="presentation" onClick={surrounding.onClick}>
        A record <button type="button">Copy</button>
      </p>
    </>,
  );
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'When' });
  // happy-dom never ends the closing animation.
  const calendar = () =>
    document.querySelector(
      '.ant-picker-dropdown:not(.ant-picker-dropdown-hidden, .ant-slide-up-leave)',
    );
  async function open(): Promise<void> {
    await person.click(box);
    await waitFor(() => expect(calendar()).not.toBeNull());
  }
  const closed = () => waitFor(() => expect(calendar()).toBeNull());
  await open();
  const day = (title: string) => document.querySelector(`td[title="${title}"]`) as HTMLElement;
  const column = (index: number) => [
    ...(document.querySelectorAll('.ant-picker-time-panel-column')[index]?.querySelectorAll('li') ??
      []),
  ];
  const time = (columnIndex: number, words: string) =>
    column(columnIndex).find(({ textContent }) => textContent === words)
      ?.firstElementChild as Element;
  return {
    box,
    day,
    time,
    open,
    closed,
    surrounding,
    calendar,
    reported: () => reported.map((at) => (at === 0 ? '0' : new Date(at).toISOString())),
  };
}

test('reports every chosen time with zero seconds', async () => {
  const { day, time, reported, box, open, closed } = await picker();
  await person.click(day('2024-03-20'));
  await closed();
  await open();
  await person.click(time(0, '01'));
  await person.click(time(1, '30'));
  await person.click(time(2, 'AM'));
  expect(reported()).toEqual([
    '2024-03-20T17:05:00.000Z',
    '2024-03-20T08:05:00.000Z',
    '2024-03-20T08:00:00.000Z',
    '2024-03-19T20:00:00.000Z',
  ]);
  expect(box.value).toBe('20/03/2024 01:30 AM');
});

test('reports 0 when it is cleared', async () => {
  const { reported } = await picker({ withTime: false, endOfDay: true });
  await person.click(document.querySelector('.ant-picker-clear') as HTMLElement);
  expect(reported()).toEqual(['0']);
});

test('disables days outside the bounds', async () => {
  const { day, reported } = await picker({
    min: Date.UTC(2024, 2, 10),
    max: Date.UTC(2024, 2, 20),
  });
  for (const title of ['2024-03-09', '2024-03-21']) {
    expect(day(title).className).toContain('disabled');
    await person.click(day(title));
  }
  expect(reported()).toEqual([]);
});

test('parses typed text as day, month, year and a twelve-hour clock', async () => {
  const { box, reported } = await picker();
  await fillIn(box, '01/02/2024 12:15 AM');
  expect(reported()).toEqual(['2024-01-31T18:45:00.000Z']);
});

test.each([true, false])('closes when a day is chosen, with time %j', async (withTime) => {
  const { day, closed, box } = await picker({ withTime });
  await person.click(day('2024-03-20'));
  await closed();
  expect(document.activeElement).toBe(box);
});

test('closes when the current day is chosen again', async () => {
  const { day, closed, reported } = await picker();
  await person.click(day('2024-03-12'));
  await closed();
  expect(reported()).toEqual([]);
});

test('stays open when a time or a disabled day is clicked', async () => {
  const { day, time, calendar } = await picker({ min: Date.UTC(2024, 2, 10) });
  await person.click(time(0, '01'));
  await person.click(day('2024-03-09'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(calendar()).not.toBeNull();
});

test('closes only the calendar on the first Escape', async () => {
  const { box, closed, surrounding } = await picker();
  await pressKey('Escape', box);
  expect(surrounding.onKeyDown).not.toHaveBeenCalled();
  await closed();
  await pressKey('Escape', box);
  expect(surrounding.onKeyDown).toHaveBeenCalledTimes(1);
});

test('closes on a click outside, which reaches the page only on a button', async () => {
  const { closed, open, surrounding } = await picker();
  const press = (target: Element) => person.click(target);
  await press(screen.getByText('A record'));
  await closed();
  expect(surrounding.onClick).not.toHaveBeenCalled();
  await press(screen.getByText('A record'));
  expect(surrounding.onClick).toHaveBeenCalledTimes(1);
  await open();
  await press(screen.getByRole('button', { name: 'Copy' }));
  expect(surrounding.onClick).toHaveBeenCalledTimes(2);
});

test('reports a typed date outside the bounds unchanged and marks it invalid', async () => {
  const { box, reported } = await picker({
    min: Date.UTC(2024, 2, 10),
    max: Date.UTC(2024, 2, 20),
  });
  expect(box.getAttribute('aria-invalid')).toBe('false');
  await fillIn(box, '09/03/2024 10:00 AM');
  expect(reported()).toEqual(['2024-03-09T04:30:00.000Z']);
  expect(box.value).toBe('09/03/2024 10:00 AM');
  expect(box.getAttribute('aria-invalid')).toBe('true');
});
