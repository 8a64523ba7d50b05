/** Mounts the complete console at an address, with its pages and guards. */
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { type RenderResult, render } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { onTestFinished, vi } from 'vitest';
import { newQueryClient } from '../api/query-client.ts';
import { prefetchFirstPage } from '../shell/first-page.ts';
import { followSignOut } from '../shell/follow-sign-out.ts';
import { type ConsoleRouter, newRouter } from '../shell/router.tsx';
import { ToastHost } from '../widgets/toast-host.tsx';
import { addReplies } from './fake-api.ts';
import { signInAs } from './sign-in-as.ts';

interface AppOptions {
  readonly path: string;
  /** Replies of the server. Any other call fails the test. */
  readonly replies?: readonly HttpHandler[];
  /** The signed-in user. Absent, the session stays unchanged. */
  readonly session?: Partial<SignedInUser>;
  /** Starts the requests that the console makes before its first render. */
  readonly fetchesEarly?: true;
}

interface App extends RenderResult {
  readonly router: ConsoleRouter;
  readonly queryClient: QueryClient;
}

export async function renderApp(options: AppOptions): Promise<App> {
  const { path, replies = [], session, fetchesEarly } = options;
  // happy-dom cannot scroll.
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  if (session !== undefined) signInAs(session);
  addReplies(...replies);
  const queryClient = newQueryClient();
  const router = newRouter(createMemoryHistory({ initialEntries: [path] }));
  if (fetchesEarly) prefetchFirstPage(queryClient, router.latestLocation);
  onTestFinished(followSignOut(router, queryClient));
  const rendered = render(
    <QueryClientProvider client={queryClient}>
      <ToastHost />
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...rendered, router, queryClient };
}
