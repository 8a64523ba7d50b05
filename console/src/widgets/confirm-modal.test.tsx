import { specified } from '@patch/catalogue/testing/specified.ts';
import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { fillIn, person, pressKey } from '../testing/person.ts';
import type { Question } from './confirm-dialog.tsx';
import { ConfirmHost, confirm } from './confirm-modal.tsx';

beforeEach(() => void render(<ConfirmHost />));

async function ask(question: Question = {}) {
  let outcome = 'open';
  await act(async () => {
    confirm(question).then(
      () => {
        outcome = 'confirmed';
      },
      (reason: Error) => {
        outcome = reason.message;
      },
    );
  });
  await screen.findByRole('dialog');
  return () => outcome;
}

it('shows the specified texts and resolves on Yes', async () => {
  const outcome = await ask();
  const [yes, no] = specified.errors.confirmButtons;
  expect(screen.getByText(specified.errors.areYouSure)).toBeTruthy();
  expect(screen.getByRole('button', { name: no })).toBeTruthy();
  await person.click(screen.getByRole('button', { name: yes }));
  await waitFor(() => expect(outcome()).toBe('confirmed'));
});

it('rejects with cancelled on No', async () => {
  const outcome = await ask({ title: 'Remove the file?' });
  await person.click(screen.getByRole('button', { name: 'No' }));
  await waitFor(() => expect(outcome()).toBe(specified.cancelled));
});

it('enables Yes only when the required word is typed', async () => {
  const outcome = await ask({ danger: true, yes: 'Withdraw', typed: '860' });
  const yes = screen.getByRole<HTMLButtonElement>('button', { name: 'Withdraw' });
  expect(yes.disabled).toBe(true);
  const input = screen.getByRole('textbox', { name: 'Type 860 to confirm' });
  // The dialog moves the focus to No once it is open.
  const no = screen.getByRole('button', { name: 'No' });
  await waitFor(() => expect(document.activeElement).toBe(no));
  await fillIn(input, '86');
  await pressKey('Enter', input);
  expect(outcome()).toBe('open');
  await fillIn(input, '860');
  expect(yes.disabled).toBe(false);
  await pressKey('Enter', input);
  await waitFor(() => expect(outcome()).toBe('confirmed'));
});
