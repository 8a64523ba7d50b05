import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CallFailed } from '../api/call-failed.ts';
import { newQueryClient } from '../api/query-client.ts';
import { inTime, isChunkFailure, PageTimedOut } from './lazy-page.tsx';
import { PageFailure } from './outcome-pages.tsx';
import { newRouter } from './router.tsx';

beforeEach(() => vi.stubGlobal('scrollTo', () => {}));

async function at(path: string) {
  const router = newRouter(createMemoryHistory({ initialEntries: [path] }));
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { level: 1 }, { timeout: 10_000 });
  return router.state.location;
}

describe('an address', () => {
  it.each(['/nowhere', '/patch', '/reset-password'])('%s that is not known leads to 404', async (path) => {
    expect((await at(path)).pathname).toBe('/404');
    expect(screen.getByText(/Looks like you are lost/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to home' }).getAttribute('href')).toBe('/login');
  });

  it.each(['/register', '/register/from/an/invitation?code=1'])('%s leads to the page about accounts', async (path) => {
    expect((await at(path)).pathname).toBe('/register');
    expect(screen.getByRole('heading', { name: 'Accounts are made by an administrator' })).toBeTruthy();
  });

  it('/activate shows the code that its link holds', async () => {
    expect((await at('/activate/AB12-CD34')).pathname).toBe('/activate/AB12-CD34');
    expect(screen.getByText('AB12-CD34')).toBeTruthy();
  });

  it('/auth/approval says what is waited for', async () => {
    expect((await at('/auth/approval')).pathname).toBe('/auth/approval');
    expect(screen.getByRole('heading', { name: 'Waiting for approval' })).toBeTruthy();
  });

  it('/upgrade looks like not found', async () => {
    expect((await at('/upgrade')).pathname).toBe('/upgrade');
    expect(screen.getByRole('heading', { name: 'oops' })).toBeTruthy();
  });

  it('/500 says the message it was given, or the specification’s own', async () => {
    await at('/500?message=The%20disk%20is%20full');
    expect(screen.getByText(/The disk is full/)).toBeTruthy();
  });

  it.each(['/', '/patch-repository', '/patch-repository/kb-base?page=2'])('%s leads to the login page without a session', async (path) => {
    const { pathname, search } = await at(path);
    expect(pathname).toBe('/login');
    expect(search).toEqual(path === '/' ? {} : { redirectFrom: path });
  });
});

describe('a page that cannot be shown', () => {
  const show = (error: Error) => render(<PageFailure error={error} reset={() => {}} />).container.textContent;

  it('says why', () => {
    expect(show(new PageTimedOut())).toContain("The page timed out while loading. Are you sure you're still connected to the Internet?");
    expect(show(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'))).toContain('ChunkLoadError');
    expect(show(new CallFailed(500, 'internal', 'The database is away.', { requestId: 'r7' }))).toContain('The database is away.');
    expect(show(new Error('a is undefined'))).toContain('a is undefined');
  });

  it('is known by each browser’s words', () => {
    expect(isChunkFailure(new TypeError('error loading dynamically imported module: x'))).toBe(true);
    expect(isChunkFailure(new TypeError('Importing a module script failed.'))).toBe(true);
    expect(isChunkFailure(new Error('Unable to preload CSS for /assets/x.css'))).toBe(true);
    expect(isChunkFailure(new Error('a is undefined'))).toBe(false);
  });

  it('gives up after its time, and not before', async () => {
    vi.useFakeTimers();
    const late = inTime(new Promise(() => {}), 10_000).catch((failure: unknown) => failure);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await late).toBeInstanceOf(PageTimedOut);
    vi.useRealTimers();
    expect(await inTime(Promise.resolve('page'))).toBe('page');
  });
});
