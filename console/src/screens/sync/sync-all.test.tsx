import { sourceKeys, sourceLabels } from '@patch/catalogue/sources.ts';
import { sourcesEndpoint, startSyncEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply, respond, sentCalls } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { SyncScreen } from './sync-screen.tsx';

const idle = sourceKeys.map((source) => stateOfSource({ source, label: sourceLabels[source] }));

test('starts each source once on a double press', async () => {
  await renderInApp(<SyncScreen />, {
    session: {},
    replies: [
      reply(sourcesEndpoint, { objList: idle, totalCount: idle.length }),
      respond(startSyncEndpoint, () => new Promise(() => undefined)),
    ],
  });
  const all = await screen.findByRole('button', { name: 'Sync all available' });
  await person.click(all);
  await person.click(all);
  const started = () => sentCalls().filter(({ method }) => method === 'POST');
  await waitFor(() => expect(started().length).toBeGreaterThanOrEqual(sourceKeys.length));
  expect(started()).toHaveLength(sourceKeys.length);
});

test('counts failed sources in the page title', async () => {
  document.title = 'Sync';
  const failed = runOfSource({ state: 'failed' });
  const states = idle.map((state, index) => (index < 2 ? { ...state, run: failed } : state));
  const { unmount } = await renderInApp(<SyncScreen />, {
    session: {},
    replies: [reply(sourcesEndpoint, { objList: states, totalCount: states.length })],
  });
  await waitFor(() => expect(document.title).toBe('(2 failed) Sync'));
  unmount();
  expect(document.title).toBe('Sync');
});
