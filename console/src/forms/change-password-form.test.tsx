import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { session, signIn, signOut } from '../api/session.ts';
import { type Answers, renderInRouter } from '../testing/render-in-router.tsx';
import { ChangePasswordForm } from './change-password-form.tsx';

const policy = {
  minLength: 8,
  enableSpecialChar: true,
  enableAlphabetAndNumber: true,
  enableMixCase: true,
};

afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

async function change(answers: Answers) {
  signIn('token', {
    id: 1,
    name: 'operator',
    email: '',
    userType: 'Admin',
    timezone: null,
    mustChangePassword: false,
  });
  const onChanged = vi.fn<() => void>();
  await renderInRouter(
    <ChangePasswordForm cancel={<button type="button">Cancel</button>} onChanged={onChanged} />,
    {
      '/user/passwordpolicy': policy,
      ...answers,
    },
  );
  await screen.findByText('At least 8 characters');
  for (const [name, value] of [
    ['Current password', 'Old-Horse-7'],
    ['New password', 'Another-Horse-8'],
    ['Confirm password', 'Another-Horse-8'],
  ] as const) {
    fireEvent.change(field(name), { target: { value } });
  }
  fireEvent.click(screen.getByRole('button', { name: 'Update' }));
  return onChanged;
}

test('a change closes the drawer, clears the form and signs the person out', async () => {
  const onChanged = await change({
    '/user/changepassword': { message: 'password updated successfully' },
  });
  await waitFor(() => expect(onChanged).toHaveBeenCalledTimes(1));
  await waitFor(() => expect(field('New password').value).toBe(''));
  expect(session().token).toBeNull();
});

test('a refusal without a field stands over the form, which keeps what was typed', async () => {
  const onChanged = await change({ '/user/changepassword': 409 });
  expect((await screen.findByText('Refused with 409.')).closest('.ant-alert')).not.toBeNull();
  expect(field('New password').value).toBe('Another-Horse-8');
  expect(onChanged).not.toHaveBeenCalled();
  expect(session().token).toBe('token');
});
