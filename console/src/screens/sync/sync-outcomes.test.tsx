import { specified } from '@patch/catalogue/testing/specified.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIn, signOut } from '../../api/session.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { ToastHost } from '../../widgets/toast-host.tsx';
import { useSyncActions } from './use-sync-actions.ts';

const counts = { done: 0, total: 0, added: 0, changed: 0, withdrawn: 0, unchanged: 0, rejected: 0 };
const run = {
  id: 9,
  source: 'debian',
  state: 'queued',
  startedBy: 'operator',
  queuedAt: 1,
  startedAt: null,
  endedAt: null,
  stage: null,
  message: null,
  warnings: [],
  ...counts,
};

beforeEach(() =>
  signIn('token', {
    id: 1,
    name: 'operator',
    email: '',
    userType: 'Admin',
    timezone: 'UTC',
    mustChangePassword: false,
  } as never),
);
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

function Actions() {
  const { start, cancel, decide, decideContent } = useSyncActions();
  const held = { part: 'bookworm', list: 'debian_patch' } as never;
  return (
    <>
      <ToastHost />
      <button type="button" onClick={() => start.mutate('debian')}>
        Start
      </button>
      <button type="button" onClick={() => cancel.mutate('debian')}>
        Cancel
      </button>
      <button
        type="button"
        onClick={() => decide.mutate({ source: 'debian', held, decision: 'keep' })}
      >
        Decide
      </button>
      <button
        type="button"
        onClick={() => decideContent.mutate({ source: 'debian', held, decision: 'accept' })}
      >
        Accept
      </button>
    </>
  );
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const open = async (answers: Parameters<typeof renderInRouter>[1]) => {
  await renderInRouter(<Actions />, answers);
  await screen.findByRole('button', { name: 'Start' });
};

test('confirms an action in the standard words, or in those that the action brings', async () => {
  await open({
    '/linux/patchsync/cancel': run,
    '/patchsync/sources/debian/held': run,
    '/patchsync/sources/debian/held-content': run,
  });
  press('Cancel');
  expect(
    (await screen.findByText(specified.errors.done)).closest('[data-kind="success"]'),
  ).not.toBeNull();
  press('Decide');
  expect(
    (await screen.findByText('Decision saved.')).closest('[data-kind="notice"]'),
  ).not.toBeNull();
  expect(screen.getAllByText(specified.errors.done)).toHaveLength(1);
  press('Accept');
  await waitFor(() => expect(screen.getAllByText('Decision saved.')).toHaveLength(2));
});

test('a sync that cannot be started is told in a notification titled Error', async () => {
  await open({ '/linux/patchsync/manual': 409 });
  press('Start');
  const title = await screen.findByText(specified.errors.failedTitle);
  expect(title.closest('[role="alert"]')?.textContent).toContain('Refused with 409.');
});
