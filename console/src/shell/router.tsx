/** All pages of the console and their guards. The lists share one route, with children from the catalogue. */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import {
  createRootRoute,
  createRoute,
  createRouter,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { z } from 'zod';
import { about } from '../api/about.ts';
import { fetchPreferences } from '../api/preferences.ts';
import { type SignOutCause, session } from '../api/session.ts';
import { listSearchSchema } from '../list/address/list-url.ts';
import { auditSearchSchema } from '../screens/audit/audit-search.ts';
import { usersSearchSchema } from '../screens/users/users-search.ts';
import { durations } from '../theme/tokens.ts';
import { PageLoading } from '../widgets/page-loading.tsx';
import { antdPage, lazyPage } from './lazy-page.tsx';
import { NotFoundPage, PageFailure, ServerErrorPage } from './outcome-pages.tsx';
import { ActivatePage, ApprovalPage, RegisterPage } from './public-pages.tsx';
import { RootFrame } from './root-frame.tsx';
import { leaveLogin, requireAdmin, requireSession } from './route-guards.ts';

const mainLayout = lazyPage(() => import('./main-layout.tsx'), 'MainLayout');
const listPage = lazyPage(() => import('./list-page.tsx'), 'ListPage');
const recordPage = lazyPage(() => import('./one-record-page.tsx'), 'OneRecordPage');
const identifierScreen = antdPage(
  () => import('../screens/identifier/identifier-screen.tsx'),
  'IdentifierScreen',
);
const syncScreen = antdPage(() => import('../screens/sync/sync-screen.tsx'), 'SyncScreen');

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const withTitle = (title: string) => ({ meta: [{ title: `${title} · ${about().name}` }] });

const root = createRootRoute({
  component: RootFrame,
  head: () => ({ meta: [{ title: about().name }] }),
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/login', replace: true });
  },
});

const textParam = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: z.object({
    redirectFrom: textParam,
    sso: textParam,
    ssoError: textParam,
    portalLogin: z.boolean().optional().catch(undefined),
  }),
  beforeLoad: ({ search }) => leaveLogin(search.redirectFrom),
  head: () => withTitle('Sign in'),
  component: lazyPage(() => import('../screens/login/login-screen.tsx'), 'LoginScreen'),
});

const notFound = createRoute({
  getParentRoute: () => root,
  path: '/404',
  /** The unknown list of the address. */
  validateSearch: z.object({ module: textParam }),
  head: () => withTitle('Not found'),
  component: NotFoundPage,
});
const upgrade = createRoute({
  getParentRoute: () => root,
  path: '/upgrade',
  head: () => withTitle('Not found'),
  component: NotFoundPage,
});
const serverError = createRoute({
  getParentRoute: () => root,
  path: '/500',
  validateSearch: z.object({ message: textParam }),
  head: () => withTitle('500'),
  component: ServerErrorPage,
});

/** A link of an invitation to register leads to the page about accounts, whatever follows in the path. */
const register = createRoute({
  getParentRoute: () => root,
  path: '/register/$',
  beforeLoad: ({ params, location }) => {
    if (params._splat !== '' || location.searchStr !== '')
      throw redirect({ href: '/register', replace: true });
  },
  head: () => withTitle('Accounts'),
  component: RegisterPage,
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/$id',
  head: () => withTitle('Reset password'),
  component: antdPage(
    () => import('../screens/reset-password/reset-password-screen.tsx'),
    'ResetPasswordScreen',
  ),
});

const activate = createRoute({
  getParentRoute: () => root,
  path: '/activate/$',
  head: () => withTitle('Activate'),
  component: ActivatePage,
});

const approval = createRoute({
  getParentRoute: () => root,
  path: '/auth/approval',
  head: () => withTitle('Waiting for approval'),
  component: ApprovalPage,
});

const toNotFound = () => redirect({ to: '/404', replace: true });

const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw toNotFound();
  },
});

const signedIn = createRoute({
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

const guardAdmin = ({ preload }: { readonly preload: boolean }) => {
  if (!preload) requireAdmin();
};

/** Returns the list of a child path. An unknown child redirects to the not-found page with its name. */
function findList(child: string): CatalogueList {
  const list = catalogueLists.find(({ route }) => route === child);
  if (list === undefined) throw redirect({ to: '/404', search: { module: child }, replace: true });
  return list;
}

/** Accepts only the canonical form of an id, so that a record has one address: 7, not 007. */
function parseRecordId(id: string): number {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw toNotFound();
  return Number(id);
}

const homeList = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: listSearchSchema,
  beforeLoad: () => ({ list: findList('') }),
  head: () => withTitle(findList('').label),
  component: listPage,
});

const homeRecord = createRoute({
  getParentRoute: () => signedIn,
  path: 'record/$id',
  beforeLoad: ({ params }) => ({ list: findList(''), id: parseRecordId(params.id) }),
  head: ({ params }) => withTitle(`${findList('').label} ${params.id}`),
  component: recordPage,
});

const childList = createRoute({
  getParentRoute: () => signedIn,
  path: '$child',
  validateSearch: listSearchSchema,
  beforeLoad: ({ params }) => ({ list: findList(params.child) }),
  head: ({ params }) => withTitle(findList(params.child).label),
  component: listPage,
});

const childRecord = createRoute({
  getParentRoute: () => signedIn,
  path: '$child/record/$id',
  beforeLoad: ({ params }) => ({ list: findList(params.child), id: parseRecordId(params.id) }),
  head: ({ params }) => withTitle(`${findList(params.child).label} ${params.id}`),
  component: recordPage,
});

const identifier = createRoute({
  getParentRoute: () => signedIn,
  path: 'identifier/$id',
  head: ({ params }) => withTitle(params.id),
  component: identifierScreen,
});

/** 0 means that all runs are collapsed. */
const numberParam = z.coerce.number().int().min(0).optional().catch(undefined);
/** `source` opens the past runs of a source, `settings` its settings. */
const syncSearch = z.object({
  source: textParam,
  run: numberParam,
  show: z.enum(['changes', 'rejections', 'warnings']).optional().catch(undefined),
  kind: z.enum(['added', 'changed', 'withdrawn']).optional().catch(undefined),
  settings: textParam,
});

const sync = createRoute({
  getParentRoute: () => signedIn,
  path: 'sync',
  validateSearch: syncSearch,
  head: () => withTitle('Sync'),
  component: syncScreen,
});

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: 'dashboard',
  head: () => withTitle('Dashboard'),
  component: lazyPage(() => import('./dashboard-page.tsx'), 'DashboardPage'),
});

const emailConfiguration = createRoute({
  getParentRoute: () => signedIn,
  path: 'email-configuration',
  beforeLoad: guardAdmin,
  head: () => withTitle('Email configuration'),
  component: antdPage(
    () => import('../screens/email-configuration/email-configuration-screen.tsx'),
    'EmailConfigurationScreen',
  ),
});

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: 'audit',
  beforeLoad: guardAdmin,
  validateSearch: auditSearchSchema,
  head: () => withTitle('Audit log'),
  component: antdPage(() => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
});

const checkMachine = createRoute({
  getParentRoute: () => signedIn,
  path: 'check-machine',
  validateSearch: z.object({ sample: z.literal(true).optional().catch(undefined) }),
  head: () => withTitle('Check a machine'),
  component: antdPage(
    () => import('../screens/machines/check-machine-screen.tsx'),
    'CheckMachineScreen',
  ),
});

const users = createRoute({
  getParentRoute: () => signedIn,
  path: 'users',
  beforeLoad: guardAdmin,
  validateSearch: usersSearchSchema,
  head: () => withTitle('Users'),
  component: antdPage(() => import('../screens/users/users-screen.tsx'), 'UsersScreen'),
});

const sso = createRoute({
  getParentRoute: () => signedIn,
  path: 'sso-configuration',
  beforeLoad: guardAdmin,
  head: () => withTitle('Single sign-on'),
  component: antdPage(() => import('../screens/sso/sso-screen.tsx'), 'SsoScreen'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: 'account',
  head: () => withTitle('My account'),
  component: antdPage(() => import('./account-page.tsx'), 'AccountPage'),
});

const downloads = createRoute({
  getParentRoute: () => signedIn,
  path: 'downloads',
  beforeLoad: guardAdmin,
  head: () => withTitle('Downloads'),
  component: antdPage(() => import('../screens/downloads/downloads-screen.tsx'), 'DownloadsScreen'),
});

const configuration = createRoute({
  getParentRoute: () => signedIn,
  path: 'configuration',
  beforeLoad: guardAdmin,
  head: () => withTitle('Configuration'),
  component: antdPage(
    () => import('../screens/configuration/configuration-screen.tsx'),
    'ConfigurationScreen',
  ),
});

const routeTree = root.addChildren([
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
  signedIn.addChildren([
    homeList,
    homeRecord,
    dashboard,
    emailConfiguration,
    checkMachine,
    users,
    audit,
    account,
    sso,
    identifier,
    sync,
    configuration,
    downloads,
    childList,
    childRecord,
  ]),
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
