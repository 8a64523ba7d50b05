import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { signIn, signOut } from '../api/session.ts';
import { ReaderZone } from './reader-zone.ts';
import { ZonedDatePicker, type ZonedDatePickerProps } from './zoned-date-picker.tsx';

const zone = 'Asia/Kolkata';
const first = Date.UTC(2024, 2, 12, 17, 5);

function picker(props: ZonedDatePickerProps = {}, readerZone: string | null = zone) {
  const told: number[] = [];
  function Holder() {
    const [value, setValue] = useState(props.value ?? first);
    return (
      <ReaderZone value={readerZone ?? undefined}>
        <ZonedDatePicker
          aria-label="When"
          {...props}
          value={value}
          onChange={(at) => {
            told.push(at);
            setValue(at);
          }}
        />
      </ReaderZone>
    );
  }
  render(<Holder />);
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'When' });
  fireEvent.mouseDown(box);
  fireEvent.click(box);
  const day = (title: string) => document.querySelector(`td[title="${title}"]`) as HTMLElement;
  const column = (place: number) => [...(document.querySelectorAll('.ant-picker-time-panel-column')[place]?.querySelectorAll('li') ?? [])];
  const time = (place: number, words: string) =>
    column(place).find(({ textContent }) => textContent === words)?.firstElementChild as Element;
  return { box, day, time, told: () => told.map((at) => (at === 0 ? '0' : new Date(at).toISOString())) };
}

test('every chosen time is told, whether near now or not, with seconds zeroed', () => {
  const { day, time, told, box } = picker();
  fireEvent.click(day('2024-03-20'));
  fireEvent.click(time(0, '01'));
  fireEvent.click(time(1, '30'));
  fireEvent.click(time(2, 'AM'));
  expect(told()).toEqual(['2024-03-20T17:05:00.000Z', '2024-03-20T08:05:00.000Z', '2024-03-20T08:00:00.000Z', '2024-03-19T20:00:00.000Z']);
  expect(box.value).toBe('20/03/2024 01:30 AM');
});

test.each([
  ['beginning', false, '2024-03-19T18:30:00.000Z'],
  ['end', true, '2024-03-20T18:29:59.999Z'],
])('without time a day is its %s', (_, endOfDay, instant) => {
  const { day, told, box } = picker({ withTime: false, endOfDay });
  expect(box.value).toBe('12/03/2024');
  fireEvent.click(day('2024-03-20'));
  expect(told()).toEqual([instant]);
});

test('clearing tells 0', () => {
  const { told } = picker({ withTime: false, endOfDay: true });
  fireEvent.click(document.querySelector('.ant-picker-clear') as HTMLElement);
  expect(told()).toEqual(['0']);
});

test('days before the earliest and after the latest cannot be chosen', () => {
  const { day, told } = picker({ min: Date.UTC(2024, 2, 10), max: Date.UTC(2024, 2, 20) });
  for (const title of ['2024-03-09', '2024-03-21']) {
    expect(day(title).className).toContain('disabled');
    fireEvent.click(day(title));
  }
  expect(told()).toEqual([]);
});

test('what is typed is read as day, month, year and a twelve-hour clock', () => {
  const { box, told } = picker();
  fireEvent.change(box, { target: { value: '01/02/2024 12:15 AM' } });
  expect(told()).toEqual(['2024-01-31T18:45:00.000Z']);
});

test("the zone is the user's", () => {
  signIn('token', { id: 1, name: 'o', email: '', userType: 'Admin', timezone: 'Asia/Tokyo', mustChangePassword: false });
  const { box } = picker({}, null);
  expect(box.value).toBe('13/03/2024 02:05 AM');
  signOut();
});
