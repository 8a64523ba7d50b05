import { Link } from '@tanstack/react-router';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Input } from 'antd';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIn, signOut } from '../api/session.ts';
import { renderInRouter } from '../testing/render-in-router.tsx';
import { ConfirmHost } from '../widgets/confirm-modal.tsx';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import { SubmitButton } from './submit-button.tsx';
import { UnsavedMark } from './unsaved-mark.tsx';

beforeEach(() =>
  signIn('token', {
    id: 1,
    name: 'admin',
    email: '',
    userType: 'Admin',
    timezone: 'UTC',
    mustChangePassword: false,
  }),
);
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

async function open(onSubmit = async () => undefined as unknown) {
  const { path } = await renderInRouter(
    <>
      <RuleForm<{ readonly name: string }>
        initialValues={{ name: 'web' }}
        unsaved={{ words: 'The name is not saved.' }}
        onSubmit={onSubmit}
      >
        <RuleField name="name" label="Name">
          <Input />
        </RuleField>
        <SubmitButton whenChanged>Save</SubmitButton>
        <UnsavedMark />
      </RuleForm>
      <Link to={'/elsewhere' as never}>Elsewhere</Link>
      <ConfirmHost />
    </>,
  );
  return path;
}
const change = async () => {
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'web 2' } });
  await screen.findByText('Not saved yet');
  // The guard stands once the effects of that rendering have run.
  await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
};
const leave = () => fireEvent.click(screen.getByRole('link', { name: 'Elsewhere' }));

test('a form that was not changed is left without a question', async () => {
  const path = await open();
  await screen.findByLabelText('Name');
  leave();
  await waitFor(() => expect(path()).toBe('/elsewhere'));
});

test('changes that are not saved are asked about, and stay when they are to be kept', async () => {
  const path = await open();
  await change();
  leave();
  expect(await screen.findByText('The name is not saved.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(path()).toBe('/');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('web 2');
});

test('they are discarded after a yes', async () => {
  const path = await open();
  await change();
  leave();
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(path()).toBe('/elsewhere'));
});

test('what is saved is not asked about', async () => {
  const path = await open();
  await change();
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByText('Not saved yet')).toBeNull());
  leave();
  await waitFor(() => expect(path()).toBe('/elsewhere'));
});

test('does not ask a user who is signed out', async () => {
  const path = await open();
  await change();
  signOut();
  leave();
  await waitFor(() => expect(path()).toBe('/elsewhere'));
});
