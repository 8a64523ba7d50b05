import { specified } from '@patch/catalogue/testing/specified.ts';
import {
  acceptQuarantineEndpoint,
  rejectQuarantineEndpoint,
} from '@patch/contract/sources/quarantine-endpoints.ts';
import { cancelSyncEndpoint, startSyncEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { screen, waitFor } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { expect, test } from 'vitest';
import { refuse, reply } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { useSyncActions } from './use-sync-actions.ts';

const run = runOfSource({
  id: 9,
  state: 'queued',
  startedBy: 'operator',
  startedAt: null,
  endedAt: null,
});

function Actions() {
  const { start, cancel, decide } = useSyncActions();
  const entry = { part: 'bookworm', list: 'debian_patch', reason: 'content_lost' } as never;
  return (
    <>
      <button type="button" onClick={() => start.mutate('debian')}>
        Start
      </button>
      <button type="button" onClick={() => cancel.mutate('debian')}>
        Cancel
      </button>
      <button
        type="button"
        onClick={() => decide.mutate({ source: 'debian', entry, answer: 'reject' })}
      >
        Reject
      </button>
      <button
        type="button"
        onClick={() => decide.mutate({ source: 'debian', entry, answer: 'accept' })}
      >
        Accept
      </button>
    </>
  );
}

const press = (name: string) => person.click(screen.getByRole('button', { name }));
const open = async (...replies: readonly HttpHandler[]) => {
  await renderInApp(<Actions />, { session: { name: 'operator' }, replies });
  await screen.findByRole('button', { name: 'Start' });
};

test('confirms an action in the standard words, or in its own', async () => {
  await open(
    reply(cancelSyncEndpoint, run),
    reply(acceptQuarantineEndpoint, run),
    reply(rejectQuarantineEndpoint, run),
  );
  await press('Cancel');
  expect(
    (await screen.findByText(specified.errors.done)).closest('[data-kind="success"]'),
  ).not.toBeNull();
  await press('Reject');
  expect(
    (await screen.findByText('Decision saved.')).closest('[data-kind="notice"]'),
  ).not.toBeNull();
  expect(screen.getAllByText(specified.errors.done)).toHaveLength(1);
  await press('Accept');
  await waitFor(() => expect(screen.getAllByText('Decision saved.')).toHaveLength(2));
});

test('shows that a sync cannot start in a notification titled Error', async () => {
  await open(refuse(startSyncEndpoint, 409));
  await press('Start');
  const title = await screen.findByText(specified.errors.failedTitle);
  expect(title.closest('[role="alert"]')?.textContent).toContain('Refused with 409.');
});
