/** Every page of the console and who may open it. The lists share one route: their children come from the catalogue. */
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
import { listSearchSchema } from '../list/list-url.ts';
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

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const titled = (title: string) => ({ meta: [{ title: `${title} · ${about().name}` }] });

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

const words = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: z.object({
    redirectFrom: words,
    sso: words,
    ssoError: words,
    portalLogin: z.boolean().optional().catch(undefined),
  }),
  beforeLoad: ({ search }) => leaveLogin(search.redirectFrom),
  head: () => titled('Sign in'),
  component: lazyPage(() => import('../screens/login/login-screen.tsx'), 'LoginScreen'),
});

const notFound = createRoute({
  getParentRoute: () => root,
  path: '/404',
  /** The list that an address named and nothing has. */
  validateSearch: z.object({ module: words }),
  head: () => titled('Not found'),
  component: NotFoundPage,
});
const upgrade = createRoute({
  getParentRoute: () => root,
  path: '/upgrade',
  head: () => titled('Not found'),
  component: NotFoundPage,
});
const serverError = createRoute({
  getParentRoute: () => root,
  path: '/500',
  validateSearch: z.object({ message: words }),
  head: () => titled('500'),
  component: ServerErrorPage,
});

/** A link of an invitation to register leads to the page that says how accounts are made, whatever follows in it. */
const register = createRoute({
  getParentRoute: () => root,
  path: '/register/$',
  beforeLoad: ({ params, location }) => {
    if (params._splat !== '' || location.searchStr !== '')
      throw redirect({ href: '/register', replace: true });
  },
  head: () => titled('Accounts'),
  component: RegisterPage,
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/$id',
  head: () => titled('Reset password'),
  component: antdPage(
    () => import('../screens/reset-password/reset-password-screen.tsx'),
    'ResetPasswordScreen',
  ),
});

const activate = createRoute({
  getParentRoute: () => root,
  path: '/activate/$',
  head: () => titled('Activate'),
  component: ActivatePage,
});

const approval = createRoute({
  getParentRoute: () => root,
  path: '/auth/approval',
  head: () => titled('Waiting for approval'),
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
    // The frame is fetched while the server is asked who this is.
    if (session().token !== null) void mainLayout.preload?.();
    const preferences = fetchPreferences();
    await requireSession(location.href);
    await Promise.race([preferences, pause(durations.preferencesWait)]);
  },
  component: mainLayout,
});

const forAdmins = ({ preload }: { readonly preload: boolean }) => {
  if (!preload) requireAdmin();
};

/** The list at a child path; a child that no list has is an unknown page, which names what is missing. */
function listAt(child: string): CatalogueList {
  const list = catalogueLists.find(({ route }) => route === child);
  if (list === undefined) throw redirect({ to: '/404', search: { module: child }, replace: true });
  return list;
}

/** Copies of the same page would answer at 007 and 7. */
function recordAt(id: string): number {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw toNotFound();
  return Number(id);
}

const homeList = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: listSearchSchema,
  beforeLoad: () => ({ list: listAt('') }),
  head: () => titled(listAt('').label),
  component: listPage,
});

const homeRecord = createRoute({
  getParentRoute: () => signedIn,
  path: 'record/$id',
  beforeLoad: ({ params }) => ({ list: listAt(''), id: recordAt(params.id) }),
  head: ({ params }) => titled(`${listAt('').label} ${params.id}`),
  component: recordPage,
});

const childList = createRoute({
  getParentRoute: () => signedIn,
  path: '$child',
  validateSearch: listSearchSchema,
  beforeLoad: ({ params }) => ({ list: listAt(params.child) }),
  head: ({ params }) => titled(listAt(params.child).label),
  component: listPage,
});

const childRecord = createRoute({
  getParentRoute: () => signedIn,
  path: '$child/record/$id',
  beforeLoad: ({ params }) => ({ list: listAt(params.child), id: recordAt(params.id) }),
  head: ({ params }) => titled(`${listAt(params.child).label} ${params.id}`),
  component: recordPage,
});

const identifier = createRoute({
  getParentRoute: () => signedIn,
  path: 'identifier/$id',
  head: ({ params }) => titled(params.id),
  component: identifierScreen,
});

/** 0: every run is folded. */
const number = z.coerce.number().int().min(0).optional().catch(undefined);
/** `source`: whose past runs are open, `settings`: whose settings are. */
const syncSearch = z.object({
  source: words,
  run: number,
  show: z.enum(['changes', 'rejections', 'warnings']).optional().catch(undefined),
  kind: z.enum(['added', 'changed', 'withdrawn']).optional().catch(undefined),
  settings: words,
});

const sync = createRoute({
  getParentRoute: () => signedIn,
  path: 'sync',
  validateSearch: syncSearch,
  head: () => titled('Sync'),
  component: syncScreen,
});

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: 'dashboard',
  head: () => titled('Dashboard'),
  component: lazyPage(() => import('../screens/dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
});

const emailConfiguration = createRoute({
  getParentRoute: () => signedIn,
  path: 'email-configuration',
  beforeLoad: forAdmins,
  head: () => titled('Email configuration'),
  component: antdPage(
    () => import('../screens/email-configuration/email-configuration-screen.tsx'),
    'EmailConfigurationScreen',
  ),
});

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: 'audit',
  beforeLoad: forAdmins,
  validateSearch: auditSearchSchema,
  head: () => titled('Audit log'),
  component: antdPage(() => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
});

const checkMachine = createRoute({
  getParentRoute: () => signedIn,
  path: 'check-machine',
  head: () => titled('Check a machine'),
  component: antdPage(
    () => import('../screens/machines/check-machine-screen.tsx'),
    'CheckMachineScreen',
  ),
});

const users = createRoute({
  getParentRoute: () => signedIn,
  path: 'users',
  beforeLoad: forAdmins,
  validateSearch: usersSearchSchema,
  head: () => titled('Users'),
  component: antdPage(() => import('../screens/users/users-screen.tsx'), 'UsersScreen'),
});

const sso = createRoute({
  getParentRoute: () => signedIn,
  path: 'sso-configuration',
  beforeLoad: forAdmins,
  head: () => titled('Single sign-on'),
  component: antdPage(() => import('../screens/sso/sso-screen.tsx'), 'SsoScreen'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: 'account',
  head: () => titled('My account'),
  component: antdPage(() => import('./account-page.tsx'), 'AccountPage'),
});

const downloads = createRoute({
  getParentRoute: () => signedIn,
  path: 'downloads',
  beforeLoad: forAdmins,
  head: () => titled('Downloads'),
  component: antdPage(() => import('../screens/downloads/downloads-screen.tsx'), 'DownloadsScreen'),
});

const configuration = createRoute({
  getParentRoute: () => signedIn,
  path: 'configuration',
  beforeLoad: forAdmins,
  head: () => titled('Configuration'),
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

/** The history is the browser's own unless a test brings another. */
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
    /** Why the login page opened by itself. */
    signedOut?: SignOutCause;
  }
}
