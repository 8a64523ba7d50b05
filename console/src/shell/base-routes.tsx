/** The routes that all others are below: the root, and the frame of who is signed in. Options that pages share. */
import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { z } from 'zod';
import { about } from '../api/about.ts';
import { fetchPreferences } from '../api/preferences.ts';
import { session } from '../api/session.ts';
import { durations } from '../theme/tokens.ts';
import { lazyPage } from './lazy-page.tsx';
import { RootFrame } from './root-frame.tsx';
import { requireAdmin, requireSession } from './route-guards.ts';

const mainLayout = lazyPage(() => import('./main-layout.tsx'), 'MainLayout');
const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const withTitle = (title: string) => ({ meta: [{ title: `${title} · ${about().name}` }] });

export const textParam = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
export const root = createRootRoute({
  component: RootFrame,
  head: () => ({ meta: [{ title: about().name }] }),
});

/** Options of a page outside of the frame. */
export const publicPage = <Path extends string>(path: Path, title: string) => ({
  getParentRoute: () => root,
  path,
  head: () => withTitle(title),
});

export const toNotFound = () => redirect({ to: '/404', replace: true });

export const signedIn = createRoute({
  getParentRoute: () => root,
  path: '/patch-repository',
  beforeLoad: async ({ location, preload }) => {
    if (preload) return;
    // The chunk of the frame loads while the server is asked for the user.
    if (session().token !== null) void mainLayout.preload?.();
    const preferences = fetchPreferences();
    await requireSession(location.href);
    await Promise.race([preferences, delay(durations.preferencesWait)]);
  },
  component: mainLayout,
});

/** Options of a page within the frame. */
export const framedPage = <Path extends string>(path: Path, title: string) => ({
  getParentRoute: () => signedIn,
  path,
  head: () => withTitle(title),
});

export const adminPage = <Path extends string>(path: Path, title: string) => ({
  ...framedPage(path, title),
  beforeLoad: ({ preload }: { readonly preload: boolean }) => {
    if (!preload) requireAdmin();
  },
});
