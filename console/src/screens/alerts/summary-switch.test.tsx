import {
  saveSyncSummaryEndpoint,
  syncSummaryEndpoint,
} from '@patch/contract/reports/sync-summary-endpoints.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { reply, sentCalls } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { SummarySwitch } from './summary-switch.tsx';

type SummaryState = Pick<Summary, 'enabled'> & Partial<Summary>;
type Summary = z.output<typeof syncSummaryEndpoint.reply>;

async function open(summaryState: SummaryState, userType: 'Admin' | 'Standard' = 'Admin') {
  const summary = { hour: 7, nextAt: null, mailConfigured: true, ...summaryState };
  return renderInApp(<SummarySwitch />, {
    session: { name: 'ann', email: 'ann@example.org', userType },
    replies: [reply(syncSummaryEndpoint, summary), reply(saveSyncSummaryEndpoint, summary)],
  });
}

const box = () => screen.findByLabelText('Daily summary of syncs to ann@example.org');

test("enables the daily summary at an hour of the user's time zone", async () => {
  await open({ enabled: false });
  expect(screen.queryByText(/^Next:/)).toBeNull();
  await person.click(await box());
  await waitFor(() => expect(screen.getByText('UTC time').closest('[hidden]')).toBeNull());
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sentCalls().find(({ method }) => method === 'PUT')?.body).toEqual({
      enabled: true,
      hour: 7,
      timeZone: 'UTC',
    }),
  );
});

test('shows the next summary, and that no email can be sent', async () => {
  await open({ enabled: true, nextAt: Date.UTC(2026, 10, 22, 7), mailConfigured: false });
  expect((await screen.findByText(/^Next:/)).textContent).toContain('Nov 22, 2026 07:00 AM');
  expect(screen.getByText('No email is sent until the mail server is configured.')).toBeTruthy();
});

test('shows nothing to users who are not administrators', async () => {
  await open({ enabled: false }, 'Standard');
  expect(sentCalls()).toEqual([]);
  expect(screen.queryByText(/Daily summary/)).toBeNull();
});
