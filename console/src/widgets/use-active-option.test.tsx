import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { person, pressKey } from '../testing/person.ts';
import { useActiveOption } from './option-list.tsx';

let moved: boolean;
/** Whether the default action of the key was prevented. */
let isPrevented: boolean;

function Box({ first, optionCount }: { readonly first: 0 | -1; readonly optionCount: number }) {
  const option = useActiveOption(first);
  return (
    <>
      <input
        aria-label="Words"
        onKeyDown={(event) => {
          moved = option.moveBy(event, optionCount);
          isPrevented = event.isDefaultPrevented();
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
const press = (key: string) => pressKey(key, screen.getByLabelText('Words'));

test('moves with the arrow keys between no option and the last one', async () => {
  render(<Box first={-1} optionCount={2} />);
  const reached: number[] = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp']) {
    await press(key);
    reached.push(active());
  }
  expect(reached).toEqual([0, 1, 1, 0, -1, -1]);
});

test('keeps an option active with `first` 0', async () => {
  render(<Box first={0} optionCount={2} />);
  await press('ArrowUp');
  expect(active()).toBe(0);
});

test('leaves all other keys to the input', async () => {
  render(<Box first={-1} optionCount={2} />);
  await press('ArrowDown');
  expect([moved, isPrevented]).toEqual([true, true]);
  await press('Home');
  expect([moved, isPrevented]).toEqual([false, false]);
  expect(active()).toBe(0);
  await person.click(screen.getByRole('button', { name: 'Leave' }));
  expect(active()).toBe(-1);
});
