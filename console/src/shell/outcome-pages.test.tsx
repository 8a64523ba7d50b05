import { specified } from '@patch/catalogue/testing/specified.ts';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { FunctionComponent } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiCallError } from '../api/api-call-error.ts';
import { emptyService } from '../testing/empty-service.ts';
import { renderApp } from '../testing/render-app.tsx';
import { signedInUser } from '../testing/sign-in-as.ts';
import { isChunkFailure } from '../theme/chunk-in-time.ts';
import { antdPage, lazyPage, PageTimedOut, withTimeout } from './lazy-page.tsx';
import { PageFailure } from './outcome-pages.tsx';
import { type ConsoleRouter, newRouter } from './router.tsx';

async function openAddress(path: string) {
  const { router } = await renderApp({ path, replies: emptyService(signedInUser()) });
  await screen.findByRole('heading', { level: 1 }, { timeout: 10_000 });
  return router.state.location;
}

describe('addresses', () => {
  it.each(['/nowhere', '/patch', '/reset-password'])(
    'redirects the unknown address %s to 404',
    async (path) => {
      expect((await openAddress(path)).pathname).toBe('/404');
      const { heading, message, button, leadsTo } = specified.pages.notFound;
      expect(screen.getByRole('heading', { name: heading })).toBeTruthy();
      expect(screen.getByText(new RegExp(message))).toBeTruthy();
      expect(
        screen.getByRole('link', { name: new RegExp(`^${button}$`, 'i') }).getAttribute('href'),
      ).toBe(leadsTo);
    },
  );

  it.each(['/register', '/register/from/an/invitation?code=1'])(
    'redirects %s to the page about accounts',
    async (path) => {
      expect((await openAddress(path)).pathname).toBe('/register');
      expect(
        screen.getByRole('heading', { name: 'Accounts are created by an administrator' }),
      ).toBeTruthy();
    },
  );

  it('shows the code of the link at /activate', async () => {
    expect((await openAddress('/activate/AB12-CD34')).pathname).toBe('/activate/AB12-CD34');
    expect(screen.getByText('AB12-CD34')).toBeTruthy();
  });

  it('says at /auth/approval that an approval is pending', async () => {
    expect((await openAddress('/auth/approval')).pathname).toBe('/auth/approval');
    expect(screen.getByRole('heading', { name: 'Waiting for approval' })).toBeTruthy();
  });

  it('shows /upgrade like not found', async () => {
    expect((await openAddress('/upgrade')).pathname).toBe('/upgrade');
    expect(screen.getByRole('heading', { name: specified.pages.notFound.heading })).toBeTruthy();
  });

  it('shows at /500 the given message, or that of the specification', async () => {
    await openAddress('/500?message=The%20disk%20is%20full');
    expect(screen.getByText(/The disk is full/)).toBeTruthy();
    const { title, heading, button, leadsTo } = specified.pages.serverError;
    expect(document.title).toContain(title);
    expect(screen.getByRole('heading', { name: heading })).toBeTruthy();
    expect(screen.getByRole('link', { name: button }).getAttribute('href')).toBe(leadsTo);
    cleanup();
    await openAddress('/500');
    expect(screen.getByText(/internal error or misconfiguration/)).toBeTruthy();
  });

  it.each(['/', '/patch-repository', '/patch-repository/kb-base?page=2'])(
    'redirects %s to the login page without a session',
    async (path) => {
      const { pathname, search } = await openAddress(path);
      expect(pathname).toBe('/login');
      expect(search).toEqual(path === '/' ? {} : { redirectFrom: path });
    },
  );
});

describe('PageFailure', () => {
  const show = (error: Error) =>
    render(<PageFailure error={error} reset={() => {}} />).container.textContent;

  it('shows why the page failed', () => {
    expect(show(new PageTimedOut())).toContain(specified.pages.timedOut);
    expect(
      show(new TypeError('Failed to fetch dynamically imported module: /assets/x.js')),
    ).toContain(specified.errors.chunk);
    expect(
      show(new ApiCallError(500, 'internal', 'The database is away.', { requestId: 'r7' })),
    ).toContain('The database is away.');
    expect(show(new Error('a is undefined'))).toContain('a is undefined');
  });

  it('recognises the messages of each browser', () => {
    expect(isChunkFailure(new TypeError('error loading dynamically imported module: x'))).toBe(
      true,
    );
    expect(isChunkFailure(new TypeError('Importing a module script failed.'))).toBe(true);
    expect(isChunkFailure(new Error('Unable to preload CSS for /assets/x.css'))).toBe(true);
    expect(isChunkFailure(new Error('a is undefined'))).toBe(false);
  });

  it('times out after the limit, and not before', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let outcome: unknown = 'waiting';
    withTimeout(new Promise(() => {})).catch((failure: unknown) => (outcome = failure));
    await vi.advanceTimersByTimeAsync(specified.times.lazyTimeout - 1);
    expect(outcome).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toBeInstanceOf(PageTimedOut);
    expect(await withTimeout(Promise.resolve('page'))).toBe('page');
  });

  type LoadPage = () => Promise<{ readonly Page: FunctionComponent }>;

  it.each<[string, (load: LoadPage) => RouteComponent]>([
    ['plain', (load) => lazyPage(load, 'Page')],
    ['antd', (load) => antdPage(load, 'Page')],
  ])('shows for a %s page that it is loading, then that it timed out', async (_, makeLazy) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    // React and the router log the failure that is shown.
    for (const level of ['error', 'warn'] as const)
      vi.spyOn(console, level).mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    const { defaultPendingMs, defaultPendingComponent, defaultErrorComponent } = newRouter()
      .options as Required<ConsoleRouter['options']>;
    const root = createRootRoute();
    const never: LoadPage = () => new Promise(() => {});
    const route = createRoute({
      getParentRoute: () => root,
      path: '/late',
      component: makeLazy(never),
    });
    const router = createRouter({
      routeTree: root.addChildren([route]),
      history: createMemoryHistory({ initialEntries: ['/late'] }),
      defaultPendingMs,
      defaultPendingComponent,
      defaultErrorComponent,
    });
    const { container } = render(<RouterProvider router={router as never} />);
    const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
    const { showsLoading, lazyTimeout } = specified.times;
    await wait(showsLoading - 1);
    expect(screen.queryByRole('status')).toBeNull();
    await wait(1);
    expect(screen.getByRole('status').textContent).toBe('Loading the page');
    await wait(lazyTimeout - showsLoading - 1);
    expect(container.textContent).not.toContain(specified.pages.timedOut);
    await wait(1000);
    expect(container.textContent).toContain(specified.pages.timedOut);
  });
});
