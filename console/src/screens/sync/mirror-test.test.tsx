import type { RunMessage, RunMirror } from '@patch/contract/sources/run-message.ts';
import {
  type MirrorTest,
  testMirrorEndpoint,
} from '@patch/contract/sources/source-settings-endpoints.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply, sentCalls } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { StateNote } from './source-facts.tsx';

const url = 'https://security.example/tracker.json';
const mirror: RunMirror = { address: 'http://mirror.example', setting: 'source' };
const failed = (more: { readonly mirror?: RunMirror }): RunMessage => ({
  code: 'failed',
  params: {
    part: '12',
    partLabel: 'Debian 12',
    parts: 1,
    failures: 1,
    cause: { code: 'not_published', params: { url } },
    ...more,
  },
});

async function show(
  message: RunMessage,
  { mayAct = true, answer = {} as Partial<MirrorTest> } = {},
) {
  const run = runOfSource({ state: 'failed', message });
  await renderInApp(<StateNote state={stateOfSource({ run })} mayAct={mayAct} />, {
    session: {},
    replies: [
      reply(testMirrorEndpoint, {
        mirror,
        url,
        problem: null,
        milliseconds: 12,
        size: 2048,
        format: 'JSON',
        ...answer,
      }),
    ],
  });
}
const button = () => screen.queryByRole('button', { name: 'Test the mirror of Debian' });

test('names the mirror of a failed sync, and offers a test', async () => {
  await show(failed({ mirror }));
  expect(screen.getByText(/mirror http:\/\/mirror\.example, which the settings/)).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Test the mirror of Debian' }));
  expect(
    await screen.findByText(
      `The mirror http://mirror.example sent ${url} (JSON, 2.00 KB) in 12 ms. Sync again.`,
    ),
  ).toBeTruthy();
  expect(sentCalls().map(({ path }) => path)).toEqual(['/patchsync/sources/debian/mirror-test']);
});

test("shows the mirror's reply instead of the document", async () => {
  const problem = (status: number) => ({ code: 'status', params: { status } }) as const;
  await show(failed({ mirror }), { answer: { problem: problem(503) } });
  await person.click(screen.getByRole('button', { name: 'Test the mirror of Debian' }));
  const words = `Through the mirror http://mirror.example: ${url} answered 503`;
  expect(await screen.findByText(new RegExp(`^${words}`))).toBeTruthy();
  cleanup();
  await show(failed({ mirror }), { answer: { problem: problem(404) } });
  await person.click(screen.getByRole('button', { name: 'Test the mirror of Debian' }));
  expect(
    await screen.findByText(/^The mirror http:\/\/mirror\.example has no copy of .*\(404\)\./),
  ).toBeTruthy();
});

test('offers no test without a mirror, or to a user who may not act', async () => {
  await show(failed({}));
  expect(button()).toBeNull();
  await show(failed({ mirror }), { mayAct: false });
  expect(button()).toBeNull();
});
