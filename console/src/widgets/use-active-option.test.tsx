import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useActiveOption } from './use-active-option.ts';

let moved: boolean;

function Box({ first, optionCount }: { readonly first: 0 | -1; readonly optionCount: number }) {
  const option = useActiveOption(first);
  return (
    <>
      <input
        aria-label="Words"
        onKeyDown={(event) => {
          moved = option.moveBy(event, optionCount);
        }}
      />
      <output>{option.active}</output>
      <button type="button" onClick={() => option.activate(-1)}>
        Leave
      </button>
    </>
  );
}

const active = () => Number(screen.getByRole('status').textContent);
/** Answers whether the input kept the key for itself. */
const press = (key: string) => fireEvent.keyDown(screen.getByLabelText('Words'), { key });

test('moves with the arrow keys between no option and the last one', () => {
  render(<Box first={-1} optionCount={2} />);
  const reached = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp'].map(
    (key) => {
      press(key);
      return active();
    },
  );
  expect(reached).toEqual([0, 1, 1, 0, -1, -1]);
});

test('always keeps one option where the first is the least', () => {
  render(<Box first={0} optionCount={2} />);
  press('ArrowUp');
  expect(active()).toBe(0);
});

test('leaves every other key to the input', () => {
  render(<Box first={-1} optionCount={2} />);
  expect(press('ArrowDown')).toBe(false);
  expect(moved).toBe(true);
  expect(press('Home')).toBe(true);
  expect(moved).toBe(false);
  expect(active()).toBe(0);
  fireEvent.click(screen.getByRole('button', { name: 'Leave' }));
  expect(active()).toBe(-1);
});
