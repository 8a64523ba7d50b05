import { Link } from '@tanstack/react-router';
import { act, screen, waitFor } from '@testing-library/react';
import { Input } from 'antd';
import { beforeEach, expect, test } from 'vitest';
import { signOut } from '../api/session.ts';
import { fillIn, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { signInAs } from '../testing/sign-in-as.ts';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import { SubmitButton } from './submit-button.tsx';
import { UnsavedMark } from './unsaved-mark.tsx';

beforeEach(() => void signInAs());
async function open(onSubmit = async () => undefined as unknown, more: object = {}) {
  const { path } = await renderInApp(
    <>
      <RuleForm<{ readonly name: string }>
        initialValues={{ name: 'web', ...more }}
        unsaved={{ message: 'The name is not saved.' }}
        onSubmit={onSubmit}
      >
        <RuleField name="name" label="Name">
          <Input />
        </RuleField>
        <SubmitButton whenChanged>Save</SubmitButton>
        <UnsavedMark />
      </RuleForm>
      <Link to={'/elsewhere' as never}>Elsewhere</Link>
    </>,
  );
  return path;
}
const change = async () => {
  await fillIn(await screen.findByLabelText('Name'), 'web 2');
  await screen.findByText('Not saved yet');
  // The guard is active after the effects of that render.
  await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
};
const leave = () => person.click(screen.getByRole('link', { name: 'Elsewhere' }));

test('leaves an unchanged form without a question', async () => {
  const path = await open();
  await screen.findByLabelText('Name');
  await leave();
  await waitFor(() => expect(path()).toBe('/elsewhere'));
});

test('leaves a form without a question that does not show one of its initial values', async () => {
  const path = await open(undefined, { invitation: 'email' });
  await screen.findByLabelText('Name');
  expect(screen.queryByText('Not saved yet')).toBeNull();
  await leave();
  await waitFor(() => expect(path()).toBe('/elsewhere'));
});

test('asks about unsaved changes, and preserves them when the user goes on editing', async () => {
  const path = await open();
  await change();
  await leave();
  expect(await screen.findByText('The name is not saved.')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Keep editing' }));
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(path()).toBe('/');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('web 2');
});

test('discards changes after confirmation', async () => {
  const path = await open();
  await change();
  await leave();
  await person.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(path()).toBe('/elsewhere'));
});

test('does not ask about saved changes', async () => {
  const path = await open();
  await change();
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByText('Not saved yet')).toBeNull());
  await leave();
  await waitFor(() => expect(path()).toBe('/elsewhere'));
});

test('does not ask a user who is signed out', async () => {
  const path = await open();
  await change();
  signOut();
  await leave();
  await waitFor(() => expect(path()).toBe('/elsewhere'));
});
