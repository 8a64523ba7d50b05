import { specified } from '@patch/catalogue/testing/specified.ts';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import type { Draft } from './criterion-rules.ts';
import { inputOfKind } from './input-of-kind.tsx';

function type(kind: 'number' | 'size', text: string) {
  const Input = inputOfKind[kind];
  let held: Draft['value'] | undefined;
  function Holder() {
    const [draft, setDraft] = useState<Draft>({
      operator: 'equal',
      value: undefined,
      toValue: undefined,
    });
    held = draft.value;
    return <Input field={{ kind, label: 'Field' }} draft={draft} onDraft={setDraft} />;
  }
  const { unmount } = render(<Holder />);
  const box = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Field' });
  fireEvent.change(box, { target: { value: text } });
  fireEvent.blur(box);
  const shown = box.value;
  unmount();
  return { shown, held };
}

test('a number of a unit takes two decimals, a whole number none; neither is negative', () => {
  const rounded = (1.239).toFixed(specified.numberPrecision);
  expect(type('size', '1.239')).toEqual({
    shown: rounded,
    held: Math.round(Number(rounded) * specified.fileSizes.mb),
  });
  expect(type('size', '2').shown).toBe((2).toFixed(specified.numberPrecision));
  expect(type('number', '1.239')).toEqual({ shown: '1', held: 1 });
  expect(type('number', '-3').shown).toBe('0');
  expect(type('size', '-3').shown).toBe('0.00');
});

test.each(Object.entries(specified.fileSizes))('a size is asked in %s', (unit, bytes) => {
  const Input = inputOfKind.size;
  render(
    <Input
      field={{ kind: 'size', label: 'Field' }}
      draft={{ operator: 'equal', value: 3 * bytes, toValue: undefined }}
      onDraft={() => {}}
    />,
  );
  expect(screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Field' }).value).toBe('3.00');
  expect(screen.getByTitle(unit.toUpperCase())).toBeTruthy();
});
