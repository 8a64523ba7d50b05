/** Mounts a part of the console with its surroundings: a router, the queries, and the hosts for toasts and confirmations. */
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { type RenderResult, render, waitFor } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { type ReactNode, useEffect } from 'react';
import type { z } from 'zod';
import { newQueryClient } from '../api/query-client.ts';
import type { ConsoleRouter } from '../shell/router.tsx';
import { ReaderZone } from '../values/reader-zone.ts';
import { ConfirmHost } from '../widgets/confirm-modal.tsx';
import { ToastHost } from '../widgets/toast-host.tsx';
import { addReplies } from './fake-api.ts';
import { noMachines } from './no-machines.ts';
import { signInAs } from './sign-in-as.ts';

interface InAppOptions {
  /** Replies of the server. Any other call fails the test. By default, clients report no machines. */
  readonly replies?: readonly HttpHandler[];
  /** The signed-in user. Absent, the session stays unchanged. */
  readonly session?: Partial<SignedInUser>;
  /** The path of the element. Every other address is an empty page. */
  readonly route?: string;
  /** The open address with its search, by default that of the element. */
  readonly path?: string;
  readonly searchSchema?: z.ZodType<object>;
  /** Addresses in the history, for going back. */
  readonly before?: readonly string[];
}

export interface InApp extends RenderResult {
  readonly queryClient: QueryClient;
  readonly router: ConsoleRouter;
  /** The open path. */
  readonly path: () => string;
  /** The search of the open address. */
  readonly search: () => Record<string, unknown>;
}

export async function renderInApp(element: ReactNode, options: InAppOptions = {}): Promise<InApp> {
  const { replies = [], session, route = '/', path = route, searchSchema, before = [] } = options;
  if (session !== undefined) signInAs(session);
  addReplies(...replies, ...noMachines);
  let isShown = false;
  function Page() {
    useEffect(() => {
      isShown = true;
    }, []);
    return element;
  }
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: route,
    component: Page,
    validateSearch: (search: object) => searchSchema?.parse(search) ?? search,
  });
  const otherRoutes = createRoute({ getParentRoute: () => root, path: '$', component: () => null });
  const router = createRouter({
    routeTree: root.addChildren([page, otherRoutes]),
    history: createMemoryHistory({ initialEntries: [...before, path] }),
    // The pages of this router differ from the console's.
  }) as unknown as ConsoleRouter;
  await router.load();
  const queryClient = newQueryClient();
  const rendered = render(
    <QueryClientProvider client={queryClient}>
      <ReaderZone value="UTC">
        <ToastHost />
        <ConfirmHost />
        <RouterProvider router={router} />
      </ReaderZone>
    </QueryClientProvider>,
  );
  // The router shows the page after a transition.
  await waitFor(() => {
    if (!isShown) throw new Error('The page is not shown yet');
  });
  return {
    ...rendered,
    queryClient,
    router,
    path: () => router.state.location.pathname,
    search: () => router.state.location.search as Record<string, unknown>,
  };
}
