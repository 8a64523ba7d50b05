/** All pages of the console and their guards. */
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import type { SignOutCause } from '../api/session.ts';
import { durations } from '../theme/tokens.ts';
import { PageLoading } from '../widgets/page-loading.tsx';
import { root, signedIn } from './base-routes.tsx';
import { listRoutes } from './list-routes.tsx';
import { NotFoundPage, PageFailure } from './outcome-pages.tsx';
import { publicRoutes } from './public-routes.tsx';
import { screenRoutes } from './screen-routes.tsx';

const routeTree = root.addChildren([
  ...publicRoutes,
  signedIn.addChildren([...screenRoutes, ...listRoutes]),
]);

/** Uses the browser's history, or that of a test. */
export function newRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history === undefined ? {} : { history }),
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultPendingMs: durations.lazyShowsLoading,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: NotFoundPage,
  });
}

export type ConsoleRouter = ReturnType<typeof newRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter;
  }
  interface HistoryState {
    /** Why the login page opened without the user's action. */
    signedOut?: SignOutCause;
  }
}
