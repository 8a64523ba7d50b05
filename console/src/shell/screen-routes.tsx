/** The pages of all screens within the frame that are no lists. */
import { monthKeyOf, monthPattern, toCalendarMonth } from '@patch/contract/dates/calendar-month.ts';
import { reportPeriods } from '@patch/contract/reports/report-periods.ts';
import { createRoute, redirect } from '@tanstack/react-router';
import { z } from 'zod';
import { auditSearchSchema } from '../screens/audit/audit-search.ts';
import { exceptionsSearchSchema } from '../screens/exceptions/exceptions-search.ts';
import { usersSearchSchema } from '../screens/users/users-search.ts';
import { monthPath } from '../widgets/list-paths.ts';
import {
  adminPage,
  framedPage,
  signedIn,
  textParam,
  toNotFound,
  withTitle,
} from './base-routes.tsx';
import { antdPage, lazyPage } from './lazy-page.tsx';

/** 0 means that all runs are collapsed. */
const numberParam = z.coerce.number().int().min(0).optional().catch(undefined);

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

export const screenRoutes = [
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
] as const;
