import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiCallError } from '../api/api-call-error.ts';
import { fillIn, person } from '../testing/person.ts';
import { type PasswordQuestion, usePasswordPrompt } from './password-prompt.tsx';

let ask: (question: PasswordQuestion) => Promise<string>;
let unmount: () => void;

function SearchCaller() {
  const password = usePasswordPrompt();
  return (
    <>
      <button type="button" onClick={() => (ask = password.ask)}>
        Take
      </button>
      {password.prompt}
    </>
  );
}

beforeEach(async () => {
  ({ unmount } = render(<SearchCaller />));
  await person.click(screen.getByRole('button', { name: 'Take' }));
});

/** Asks a question and returns a function that reads its outcome so far. */
function startQuestion(question: Partial<PasswordQuestion> = {}): () => string {
  let outcome = 'open';
  act(() => {
    ask({ title: 'Remove the key?', ...question }).then(
      (password) => (outcome = `got ${password}`),
      (failure: Error) => (outcome = failure.message),
    );
  });
  return () => outcome;
}

const field = () => screen.findByLabelText<HTMLInputElement>('Your password');
const confirm = (name = 'Confirm') => person.click(screen.getByRole('button', { name }));

test('resolves with the typed password', async () => {
  const outcome = startQuestion({ body: 'It cannot be had back.', yes: 'Remove' });
  expect((await field()).type).toBe('password');
  expect(screen.getByText('It cannot be had back.')).toBeTruthy();
  await fillIn(await field(), 'Own-Horse-7');
  await confirm('Remove');
  await waitFor(() => expect(outcome()).toBe('got Own-Horse-7'));
});

test.each(['', '   '])('requires a password when it is empty (%j)', async (typed) => {
  const onPassword = vi.fn<(password: string) => Promise<void>>();
  const outcome = startQuestion({ onPassword });
  await fillIn(await field(), typed);
  await confirm();
  expect(await screen.findByText('Password field is required')).toBeTruthy();
  expect(outcome()).toBe('open');
  expect(onPassword).not.toHaveBeenCalled();
});

describe('when cancelled', () => {
  test("rejects with the message 'cancelled'", async () => {
    const outcome = startQuestion();
    await field();
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(outcome()).toBe('cancelled'));
  });

  test('rejects when its screen is left or another question is asked', async () => {
    const first = startQuestion();
    const second = startQuestion();
    await waitFor(() => expect(first()).toBe('cancelled'));
    unmount();
    await waitFor(() => expect(second()).toBe('cancelled'));
  });

  test('starts the next question empty', async () => {
    startQuestion();
    await fillIn(await field(), 'half');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    startQuestion();
    expect((await field()).value).toBe('');
  });
});

test('shows a wrong password at the field, accepts another, and stays open until the action is done', async () => {
  const onPassword = vi.fn<(password: string) => Promise<void>>(async () => undefined);
  onPassword.mockRejectedValueOnce(
    new ApiCallError(422, 'wrong_password', 'This is not your password.'),
  );
  const outcome = startQuestion({ onPassword });
  await fillIn(await field(), 'wrong');
  await confirm();
  expect(await screen.findByText('This is not your password.')).toBeTruthy();
  expect(outcome()).toBe('open');
  await fillIn(await field(), 'right');
  await confirm();
  await waitFor(() => expect(outcome()).toBe('got right'));
  expect(onPassword.mock.calls).toEqual([['wrong'], ['right']]);
});
