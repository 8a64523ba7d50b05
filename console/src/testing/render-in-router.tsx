/** Mounts a part of the console with what its links and calls need; the server is `answers`, by path below /api, or by method and path. */
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { newQueryClient } from '../api/query-client.ts';
import { ReaderZone } from '../values/reader-zone.ts';

/** A reply, or the status of a refusal. */
export type Answers = Readonly<Record<string, object | number | null>>;

interface Rendered {
  /** Calls that were made, with the bodies that were sent. */
  readonly asked: readonly {
    readonly method: string;
    readonly path: string;
    readonly body: unknown;
  }[];
  readonly path: () => string;
}

/** The element stands at `/` and at `/patch-repository/identifier/$id`; every other page is empty. */
export async function renderInRouter(
  element: ReactNode,
  answers: Answers = {},
  at = '/',
): Promise<Rendered> {
  const asked: { method: string; path: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const path = decodeURIComponent(
      new URL(address, 'http://console').pathname.replace('/api', ''),
    );
    asked.push({
      method,
      path,
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : null,
    });
    const call = `${method} ${path}` in answers ? `${method} ${path}` : path;
    const answer = call in answers ? (answers[call] as object | number | null) : 404;
    if (typeof answer === 'object') return new Response(JSON.stringify(answer));
    return new Response(
      JSON.stringify({
        userMessage: `Refused with ${answer}.`,
        code: 'refused',
        requestId: 'req-42',
      }),
      {
        status: answer,
      },
    );
  });
  const root = createRootRoute();
  const page = (path: string, shown: ReactNode) =>
    createRoute({ getParentRoute: () => root, path, component: () => shown });
  const router = createRouter({
    routeTree: root.addChildren([
      page('/', element),
      page('/patch-repository/identifier/$id', element),
      page('$', null),
    ]),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  await router.load();
  render(
    <QueryClientProvider client={newQueryClient()}>
      <ReaderZone value="UTC">
        {/* The router of the test has other pages than the console's. */}
        <RouterProvider router={router as never} />
      </ReaderZone>
    </QueryClientProvider>,
  );
  return { asked, path: () => router.state.location.pathname };
}
