import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signIn } from '../../api/session.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { ToastHost } from '../../widgets/toast-host.tsx';
import { SummarySwitch } from './summary-switch.tsx';

async function open(standing: object, userType: 'Admin' | 'Standard' = 'Admin') {
  signIn('token', {
    id: 1,
    name: 'ann',
    email: 'ann@example.org',
    userType,
    timezone: 'UTC',
    mustChangePassword: false,
  });
  return renderInRouter(
    <>
      <ToastHost />
      <SummarySwitch />
    </>,
    { '/syncsummary': { hour: 7, nextAt: null, mailConfigured: true, ...standing } },
  );
}

const box = () => screen.findByLabelText('Daily summary of syncs to ann@example.org');

test('the daily summary is switched on, at an hour of the own zone', async () => {
  const { asked } = await open({ enabled: false });
  expect(screen.queryByText(/^Next:/)).toBeNull();
  fireEvent.click(await box());
  await waitFor(() => expect(screen.getByText('UTC time').closest('[hidden]')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({
      enabled: true,
      hour: 7,
      timeZone: 'UTC',
    }),
  );
});

test('says when the next one comes, and that no mail can be sent', async () => {
  await open({ enabled: true, nextAt: Date.UTC(2026, 10, 22, 7), mailConfigured: false });
  expect((await screen.findByText(/^Next:/)).textContent).toContain('Nov 22, 2026 07:00 AM');
  expect(screen.getByText('No email is sent until the mail server is configured.')).toBeTruthy();
});

test('shows nothing to users who are not administrators', async () => {
  const { asked } = await open({ enabled: false }, 'Standard');
  expect(asked).toEqual([]);
  expect(screen.queryByText(/Daily summary/)).toBeNull();
});
