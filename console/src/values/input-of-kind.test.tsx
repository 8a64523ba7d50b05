import { type FieldKind, operatorsOfKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { newQueryClient } from '../api/query-client.ts';
import { fillIn, person } from '../testing/person.ts';
import type { Draft } from './criterion-rules.ts';
import { inputOfKind } from './input-of-kind.tsx';
import { ReaderZone } from './reader-zone.ts';

function renderInput(
  kind: FieldKind,
  first: Partial<Draft>,
  more: Partial<Field<FieldKind, unknown>> = {},
) {
  const seen: Draft[] = [];
  const Input = inputOfKind[kind];
  function Parent() {
    const [draft, setDraft] = useState<Draft>({
      operator: 'equal',
      value: undefined,
      toValue: undefined,
      ...first,
    });
    seen.push(draft);
    return (
      <ReaderZone value="Asia/Kolkata">
        <Input field={{ kind, label: 'Field', ...more }} draft={draft} onDraft={setDraft} />
      </ReaderZone>
    );
  }
  const { container } = render(
    <QueryClientProvider client={newQueryClient()}>
      <Parent />
    </QueryClientProvider>,
  );
  return { container, draft: () => seen.at(-1) };
}

describe.each(Object.entries(operatorsOfKind))('%s', (kind, operators) => {
  test('has an input for each of its operators', () => {
    for (const operator of operators) {
      const { container } = renderInput(
        kind as FieldKind,
        { operator },
        { choices: ['Low', 'High'] },
      );
      expect(container.querySelector('input, button'), operator).not.toBeNull();
    }
  });
});

test('takes typed text', async () => {
  const { draft } = renderInput('text', { operator: 'contains' });
  await fillIn(screen.getByRole('textbox', { name: 'Field' }), 'ssl');
  expect(draft()?.value).toBe('ssl');
});

test('shows checkboxes for several choices, radio buttons for one, highest first', async () => {
  const choices = ['Low', 'High'];
  const several = renderInput('choice', { operator: 'in' }, { choices });
  expect(screen.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).value)).toEqual([
    'High',
    'Low',
  ]);
  await person.click(screen.getByRole('checkbox', { name: 'High' }));
  await person.click(screen.getByRole('checkbox', { name: 'Low' }));
  expect(several.draft()?.value).toEqual(['High', 'Low']);
  const single = renderInput('choice', { operator: 'equal' }, { choices });
  await person.click(screen.getByRole('radio', { name: 'Low' }));
  expect(single.draft()?.value).toBe('Low');
});

test('shows inputs for both ends of a range', () => {
  renderInput('number', { operator: 'between', value: 5, toValue: 9 });
  expect((screen.getByRole('spinbutton', { name: 'Field to' }) as HTMLInputElement).value).toBe(
    '9',
  );
});

test('shows a flag as a switch', async () => {
  const { draft } = renderInput('flag', { value: false });
  await person.click(screen.getByRole('switch', { name: 'Field' }));
  expect(draft()?.value).toBe(true);
});

describe('a date', () => {
  test('uses the operator `equal` for a relative time', async () => {
    const { draft } = renderInput('date', { operator: 'greater_than' });
    await person.click(screen.getByRole('radio', { name: 'Last week' }));
    expect(draft()).toMatchObject({ operator: 'equal', value: 'last_week' });
    await person.click(screen.getByRole('radio', { name: 'Last … days' }));
    expect(draft()).toMatchObject({ operator: 'equal', value: 'last_30_days' });
    await fillIn(screen.getByRole('spinbutton', { name: 'Number of days' }), '90');
    expect(draft()?.value).toBe('last_90_days');
    await person.click(screen.getByRole('radio', { name: 'Custom' }));
    expect(draft()).toEqual({ operator: 'greater_than', value: undefined, toValue: undefined });
  });

  test("shows a custom date in the reader's zone", () => {
    renderInput('date', {
      operator: 'between',
      value: Date.UTC(2024, 2, 12, 17, 5),
      toValue: Date.UTC(2024, 2, 13),
    });
    expect((screen.getByRole('textbox', { name: 'Field from' }) as HTMLInputElement).value).toBe(
      '12/03/2024 10:35 PM',
    );
    expect(screen.getByText('Asia/Kolkata')).toBeTruthy();
  });
});
