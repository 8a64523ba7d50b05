import { ownApiKeysEndpoint } from '@patch/contract/api-key-endpoints.ts';
import {
  changePasswordEndpoint,
  passwordPolicyEndpoint,
} from '@patch/contract/sign-in-endpoints.ts';
import { screen, waitFor } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { expect, test, vi } from 'vitest';
import { session } from '../api/session.ts';
import { refuse, reply } from '../testing/fake-api.ts';
import { fillIn, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { ChangePasswordForm } from './change-password-form.tsx';

const policy = {
  minLength: 8,
  enableSpecialChar: true,
  enableAlphabetAndNumber: true,
  enableMixCase: true,
};

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

async function change(outcome: HttpHandler) {
  const onChanged = vi.fn<() => void>();
  await renderInApp(
    <ChangePasswordForm cancel={<button type="button">Cancel</button>} onChanged={onChanged} />,
    {
      session: {},
      replies: [
        reply(passwordPolicyEndpoint, policy),
        reply(ownApiKeysEndpoint, { objList: [], totalCount: 0 }),
        outcome,
      ],
    },
  );
  await screen.findByText('At least 8 characters');
  for (const [name, value] of [
    ['Current password', 'Old-Horse-7'],
    ['New password', 'Another-Horse-8'],
    ['Confirm password', 'Another-Horse-8'],
  ] as const) {
    await fillIn(field(name), value);
  }
  await person.click(screen.getByRole('button', { name: 'Update' }));
  return onChanged;
}

test('closes the drawer, clears the form and signs out after a change', async () => {
  const onChanged = await change(
    reply(changePasswordEndpoint, { message: 'password updated successfully' }),
  );
  await waitFor(() => expect(onChanged).toHaveBeenCalledTimes(1));
  await waitFor(() => expect(field('New password').value).toBe(''));
  expect(session().token).toBeNull();
});

test('shows a refusal without a field over the form and preserves the input', async () => {
  const onChanged = await change(refuse(changePasswordEndpoint, 409));
  expect((await screen.findByText('Refused with 409.')).closest('[role="alert"]')).not.toBeNull();
  expect(field('New password').value).toBe('Another-Horse-8');
  expect(onChanged).not.toHaveBeenCalled();
  expect(session().token).toBe('token');
});
