import { specified } from '@patch/catalogue/testing/specified.ts';
import { render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { pasteInto, person } from '../testing/person.ts';
import type { Draft } from './criterion-rules.ts';
import { inputOfKind } from './input-of-kind.tsx';

async function type(kind: 'number' | 'size', text: string) {
  const Input = inputOfKind[kind];
  let stored: Draft['value'] | undefined;
  function Parent() {
    const [draft, setDraft] = useState<Draft>({
      operator: 'equal',
      value: undefined,
      toValue: undefined,
    });
    stored = draft.value;
    return <Input field={{ kind, label: 'Field' }} draft={draft} onDraft={setDraft} />;
  }
  const { unmount } = render(<Parent />);
  const box = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Field' });
  await pasteInto(box, text);
  await person.tab();
  const shown = box.value;
  unmount();
  return { shown, stored };
}

test('accepts two decimals for a size, none for an integer, and no negative values', async () => {
  const rounded = (1.239).toFixed(specified.numberPrecision);
  expect(await type('size', '1.239')).toEqual({
    shown: rounded,
    stored: Math.round(Number(rounded) * specified.fileSizes.mb),
  });
  expect((await type('size', '2')).shown).toBe((2).toFixed(specified.numberPrecision));
  expect(await type('number', '1.239')).toEqual({ shown: '1', stored: 1 });
  expect((await type('number', '-3')).shown).toBe('0');
  expect((await type('size', '-3')).shown).toBe('0.00');
});

test.each(Object.entries(specified.fileSizes))('offers sizes in %s', (unit, bytes) => {
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
