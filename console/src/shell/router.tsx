/** All pages of the console and their guards. The lists share one route, with children from the catalogue. */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { monthKeyOf, monthPattern, toCalendarMonth } from '@patch/contract/dates/calendar-month.ts';
import { reportPeriods } from '@patch/contract/report-periods.ts';
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
import { exceptionsSearchSchema } from '../screens/exceptions/exceptions-search.ts';
import { usersSearchSchema } from '../screens/users/users-search.ts';
import { durations } from '../theme/tokens.ts';
import { monthPath } from '../widgets/list-paths.ts';
import { PageLoading } from '../widgets/page-loading.tsx';
import { antdPage, lazyPage } from './lazy-page.tsx';
import {
  ActivatePage,
  ApprovalPage,
  NotFoundPage,
  PageFailure,
  RegisterPage,
  ServerErrorPage,
} from './outcome-pages.tsx';
import { RootFrame } from './root-frame.tsx';
import { leaveLogin, requireAdmin, requireSession } from './route-guards.ts';

const mainLayout = lazyPage(() => import('./main-layout.tsx'), 'MainLayout');
const listPage = lazyPage(() => import('./list-page.tsx'), 'ListPage');
const recordPage = lazyPage(() => import('./one-record-page.tsx'), 'OneRecordPage');

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const withTitle = (title: string) => ({ meta: [{ title: `${title} · ${about().name}` }] });

const textParam = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
/** 0 means that all runs are collapsed. */
const numberParam = z.coerce.number().int().min(0).optional().catch(undefined);

const root = createRootRoute({
  component: RootFrame,
  head: () => ({ meta: [{ title: about().name }] }),
});

/** Options of a page outside of the frame. */
const publicPage = <Path extends string>(path: Path, title: string) => ({
  getParentRoute: () => root,
  path,
  head: () => withTitle(title),
});

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

/** Options of a page within the frame. */
const framedPage = <Path extends string>(path: Path, title: string) => ({
  getParentRoute: () => signedIn,
  path,
  head: () => withTitle(title),
});

const adminPage = <Path extends string>(path: Path, title: string) => ({
  ...framedPage(path, title),
  beforeLoad: ({ preload }: { readonly preload: boolean }) => {
    if (!preload) requireAdmin();
  },
});

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
  head: ({ params }) => withTitle(`Record ${params.id} of ${findList('').label}`),
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
  head: ({ params }) => withTitle(`Record ${params.id} of ${findList(params.child).label}`),
  component: recordPage,
});

const identifier = createRoute({
  getParentRoute: () => signedIn,
  path: 'identifier/$id',
  head: ({ params }) => withTitle(params.id),
  component: antdPage(
    () => import('../screens/identifier/identifier-screen.tsx'),
    'IdentifierScreen',
  ),
});

const sync = createRoute({
  ...framedPage('sync', 'Sync'),
  /** `source` opens the past runs of a source, `settings` its settings. */
  validateSearch: z.object({
    source: textParam,
    run: numberParam,
    show: z.enum(['changes', 'rejections', 'warnings']).optional().catch(undefined),
    kind: z.enum(['added', 'changed', 'withdrawn']).optional().catch(undefined),
    settings: textParam,
  }),
  component: antdPage(() => import('../screens/sync/sync-screen.tsx'), 'SyncScreen'),
});

const dashboard = createRoute({
  ...framedPage('dashboard', 'Dashboard'),
  component: lazyPage(() => import('./dashboard-page.tsx'), 'DashboardPage'),
});

const thisMonth = createRoute({
  getParentRoute: () => signedIn,
  path: 'month',
  beforeLoad: () => {
    throw redirect({ href: monthPath(monthKeyOf(Date.now())), replace: true });
  },
});
const month = createRoute({
  getParentRoute: () => signedIn,
  path: 'month/$month',
  validateSearch: z.object({
    products: z.literal('mine').optional().catch(undefined),
    /** A day, of which the first moment in UTC counts. */
    since: z.iso.date().optional().catch(undefined),
  }),
  beforeLoad: ({ params }) => {
    if (!monthPattern.test(params.month)) throw toNotFound();
  },
  head: ({ params }) => withTitle(toCalendarMonth(params.month).label),
  component: antdPage(() => import('../month/month-screen.tsx'), 'MonthScreen'),
});
const emailConfiguration = createRoute({
  ...adminPage('email-configuration', 'Email configuration'),
  component: antdPage(
    () => import('../screens/email-configuration/email-configuration-screen.tsx'),
    'EmailConfigurationScreen',
  ),
});

const audit = createRoute({
  ...adminPage('audit', 'Audit log'),
  validateSearch: auditSearchSchema,
  component: antdPage(() => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
});

const checkMachine = createRoute({
  ...framedPage('check-machine', 'Check a machine'),
  validateSearch: z.object({ sample: z.literal(true).optional().catch(undefined) }),
  component: antdPage(
    () => import('../screens/machines/check-machine-screen.tsx'),
    'CheckMachineScreen',
  ),
});

const plans = createRoute({
  ...framedPage('plans', 'Plans'),
  component: antdPage(() => import('../screens/plans/plans-screen.tsx'), 'PlansScreen'),
});
const plan = createRoute({
  ...framedPage('plans/$plan', 'Plan'),
  beforeLoad: ({ params }) => {
    if (!/^\d{1,15}$/.test(params.plan)) throw toNotFound();
  },
  component: antdPage(() => import('../screens/plans/plan-screen.tsx'), 'PlanScreen'),
});

const groups = createRoute({
  ...framedPage('groups', 'Groups'),
  component: antdPage(() => import('../screens/groups/groups-screen.tsx'), 'GroupsScreen'),
});

const report = createRoute({
  ...framedPage('report', 'Report'),
  validateSearch: z.object({
    group: textParam,
    days: z
      .union(reportPeriods.map((days) => z.literal(days)))
      .optional()
      .catch(undefined),
  }),
  component: antdPage(() => import('../screens/report/report-screen.tsx'), 'ReportScreen'),
});

const rings = createRoute({
  ...framedPage('rings', 'Rings'),
  component: antdPage(() => import('../screens/rings/rings-screen.tsx'), 'RingsScreen'),
});

const exceptions = createRoute({
  ...framedPage('exceptions', 'Exceptions'),
  validateSearch: exceptionsSearchSchema,
  component: antdPage(
    () => import('../screens/exceptions/exceptions-screen.tsx'),
    'ExceptionsScreen',
  ),
});

const assignments = createRoute({
  ...framedPage('assignments', 'Assigned'),
  validateSearch: z.object({ to: textParam }),
  component: antdPage(
    () => import('../screens/assignments/assignments-screen.tsx'),
    'AssignmentsScreen',
  ),
});

const users = createRoute({
  ...adminPage('users', 'Users'),
  validateSearch: usersSearchSchema,
  component: antdPage(() => import('../screens/users/users-screen.tsx'), 'UsersScreen'),
});

const sso = createRoute({
  ...adminPage('sso-configuration', 'Single sign-on'),
  component: antdPage(() => import('../screens/sso/sso-screen.tsx'), 'SsoScreen'),
});

const account = createRoute({
  ...framedPage('account', 'My account'),
  component: antdPage(() => import('./account-page.tsx'), 'AccountPage'),
});

const downloads = createRoute({
  ...adminPage('downloads', 'Downloads'),
  component: antdPage(() => import('../screens/downloads/downloads-screen.tsx'), 'DownloadsScreen'),
});

const configuration = createRoute({
  ...adminPage('configuration', 'Configuration'),
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
    thisMonth,
    month,
    emailConfiguration,
    checkMachine,
    groups,
    report,
    rings,
    exceptions,
    assignments,
    plans,
    plan,
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
