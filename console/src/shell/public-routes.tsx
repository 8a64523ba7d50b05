/** Pages outside of the frame: sign-in, and what an address leads to that has no page. */
import { createRoute, redirect } from '@tanstack/react-router';
import { z } from 'zod';
import { publicPage, root, textParam, toNotFound } from './base-routes.tsx';
import { antdPage, lazyPage } from './lazy-page.tsx';
import {
  ActivatePage,
  ApprovalPage,
  NotFoundPage,
  RegisterPage,
  ServerErrorPage,
} from './outcome-pages.tsx';
import { leaveLogin } from './route-guards.ts';

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/login', replace: true });
  },
});

const login = createRoute({
  ...publicPage('/login', 'Sign in'),
  validateSearch: z.object({
    redirectFrom: textParam,
    sso: textParam,
    ssoError: textParam,
    portalLogin: z.boolean().optional().catch(undefined),
  }),
  beforeLoad: ({ search }) => leaveLogin(search.redirectFrom),
  component: lazyPage(() => import('../screens/login/login-screen.tsx'), 'LoginScreen'),
});

const notFound = createRoute({
  ...publicPage('/404', 'Not found'),
  /** The unknown list of the address. */
  validateSearch: z.object({ module: textParam }),
  component: NotFoundPage,
});
const upgrade = createRoute({ ...publicPage('/upgrade', 'Not found'), component: NotFoundPage });
const serverError = createRoute({
  ...publicPage('/500', '500'),
  validateSearch: z.object({ message: textParam }),
  component: ServerErrorPage,
});

/** A link of an invitation to register leads to the page about accounts, whatever follows in the path. */
const register = createRoute({
  ...publicPage('/register/$', 'Accounts'),
  beforeLoad: ({ params, location }) => {
    if (params._splat !== '' || location.searchStr !== '')
      throw redirect({ href: '/register', replace: true });
  },
  component: RegisterPage,
});

const resetPassword = createRoute({
  ...publicPage('/reset-password/$id', 'Reset password'),
  component: antdPage(
    () => import('../screens/reset-password/reset-password-screen.tsx'),
    'ResetPasswordScreen',
  ),
});

const activate = createRoute({ ...publicPage('/activate/$', 'Activate'), component: ActivatePage });
const approval = createRoute({
  ...publicPage('/auth/approval', 'Waiting for approval'),
  component: ApprovalPage,
});

const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw toNotFound();
  },
});

export const publicRoutes = [
  start,
  login,
  notFound,
  upgrade,
  serverError,
  resetPassword,
  register,
  activate,
  approval,
  unknown,
] as const;
