import { specified } from '@patch/catalogue/testing/specified.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newQueryClient } from '../../api/query-client.ts';
import { newRouter } from '../../shell/router.tsx';
import { ToastHost } from '../../widgets/toast-host.tsx';

const id = 'x'.repeat(43);
const policy = {
  minLength: 8,
  enableSpecialChar: true,
  enableAlphabetAndNumber: true,
  enableMixCase: true,
};
const sent: unknown[] = [];
let good = true;
/** Of the gateway before the service. */
let gateway: number | undefined;
let weak = false;

beforeEach(() => {
  sent.length = 0;
  good = true;
  gateway = undefined;
  weak = false;
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('fetch', async (_path: string, { method, body }: RequestInit) => {
    if (gateway !== undefined)
      return new Response('<html>Gateway Time-out</html>', { status: gateway });
    if (!good)
      return new Response(
        JSON.stringify({
          userMessage: 'This link was used already.',
          code: 'reset_link_over',
          requestId: 'r1',
        }),
        {
          status: 404,
        },
      );
    if (method === 'GET')
      return new Response(JSON.stringify({ name: 'Stan', policy, apiKeys: [] }));
    if (weak)
      return new Response(
        JSON.stringify({
          userMessage: 'Too weak for the policy of today.',
          code: 'weak_password',
          requestId: 'r2',
        }),
        {
          status: 422,
        },
      );
    sent.push(JSON.parse(body as string));
    return new Response(JSON.stringify({ message: 'Password has been reset successfully.' }));
  });
});
afterEach(() => vi.unstubAllGlobals());

function open() {
  const router = newRouter(createMemoryHistory({ initialEntries: [`/reset-password/${id}`] }));
  render(
    <QueryClientProvider client={newQueryClient()}>
      <ToastHost />
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

test('a good link sets a new password, says so, and leads to the login page', async () => {
  const router = open();
  fireEvent.change(await screen.findByLabelText('New password', {}, { timeout: 10_000 }), {
    target: { value: 'Another-Horse-8' },
  });
  fireEvent.change(screen.getByLabelText('Confirm password'), {
    target: { value: 'Another-Horse-9' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Set the password' }));
  expect(await screen.findByText('Confirm password confirmation does not match')).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.change(screen.getByLabelText('Confirm password'), {
    target: { value: 'Another-Horse-8' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Set the password' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(sent).toEqual([{ newPassword: 'Another-Horse-8' }]);
  expect(await screen.findByText(specified.catalogueMessages.passwordReset)).toBeTruthy();
});

test('shows why a link is no longer valid', async () => {
  good = false;
  open();
  expect(
    await screen.findByText('This link was used already.', {}, { timeout: 10_000 }),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Go to login' })).toBeTruthy();
});

test('a service that cannot be asked says nothing of the link, which is asked about again', async () => {
  gateway = 504;
  open();
  expect(
    await screen.findByText('The link could not be loaded', {}, { timeout: 10_000 }),
  ).toBeTruthy();
  expect(screen.queryByText('This link is no longer valid')).toBeNull();
  gateway = undefined;
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(await screen.findByLabelText('New password')).toBeTruthy();
});

test('while the link is asked about, the page says that it is on its way', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  open();
  expect(await screen.findByText('Loading the page', {}, { timeout: 10_000 })).toBeTruthy();
});

test('a password that the server finds too weak is told at its field', async () => {
  open();
  weak = true;
  fireEvent.change(await screen.findByLabelText('New password', {}, { timeout: 10_000 }), {
    target: { value: 'Another-Horse-8' },
  });
  fireEvent.change(screen.getByLabelText('Confirm password'), {
    target: { value: 'Another-Horse-8' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Set the password' }));
  await screen.findByText('Too weak for the policy of today.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('New password')));
});
