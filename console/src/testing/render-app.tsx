/** Mounts the whole console at an address, with its own pages and guards. */
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { type RenderResult, render } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { onTestFinished, vi } from 'vitest';
import { newQueryClient } from '../api/query-client.ts';
import { askForFirstPage } from '../shell/first-page.ts';
import { followSignOut } from '../shell/follow-sign-out.ts';
import { type ConsoleRouter, newRouter } from '../shell/router.tsx';
import { ToastHost } from '../widgets/toast-host.tsx';
import { addReplies } from './fake-api.ts';
import { signInAs } from './sign-in-as.ts';

interface AppOptions {
  readonly path: string;
  /** Answers of the server; any other call fails the test. */
  readonly replies?: readonly HttpHandler[];
  /** Who is signed in; absent: the session stays as it is. */
  readonly session?: Partial<SignedInUser>;
  /** Also what the console asks for before it is drawn. */
  readonly asksEarly?: true;
}

interface App extends RenderResult {
  readonly router: ConsoleRouter;
  readonly queryClient: QueryClient;
}

export async function renderApp(options: AppOptions): Promise<App> {
  const { path, replies = [], session, asksEarly } = options;
  // happy-dom cannot scroll.
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  if (session !== undefined) signInAs(session);
  addReplies(...replies);
  const queryClient = newQueryClient();
  const router = newRouter(createMemoryHistory({ initialEntries: [path] }));
  if (asksEarly) askForFirstPage(queryClient, router.latestLocation);
  onTestFinished(followSignOut(router, queryClient));
  const rendered = render(
    <QueryClientProvider client={queryClient}>
      <ToastHost />
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...rendered, router, queryClient };
}
