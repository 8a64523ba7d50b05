/** Every screen of the console with something to see on it: what the walks look over, and what pictures are taken of. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { Locator, Page } from '@playwright/test';

export interface Screen {
  /** File name of its picture. */
  readonly name: string;
  readonly path: string;
  /** Before anybody has signed in. */
  readonly isPublic?: true;
  /** There once the screen has all it shows. */
  readonly ready: (page: Page) => Locator;
  /** Brings the screen into the state that is shown. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** A screen that only narrow windows have. */
  readonly narrowOnly?: true;
}

const home = '/patch-repository';
const alma = `${home}/almalinux-patch`;
const heading = (name: string) => (page: Page) =>
  page.getByRole('heading', { level: 1, name, exact: true });
const aRow = (page: Page) => page.locator('[data-row]').first();
const dialog = (page: Page) => page.getByRole('dialog').first();

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click();
}

export const publicScreens: readonly Screen[] = [
  {
    name: 'login',
    path: '/login',
    isPublic: true,
    ready: (page) => page.getByRole('button', { name: 'Sign in' }),
  },
  {
    name: 'login-forgotten',
    path: '/login',
    isPublic: true,
    ready: heading('Reset your password'),
    prepare: (page) => press(page, /forgotten|forgot/i),
  },
  {
    name: 'reset-password',
    path: '/reset-password/00000000000000000000000000000000',
    isPublic: true,
    ready: (page) => page.getByRole('heading').first(),
  },
  {
    name: 'not-found',
    path: '/404',
    isPublic: true,
    ready: (page) => page.getByText('Looks like you are lost'),
  },
  {
    name: 'server-error',
    path: '/500?message=The%20mirror%20is%20away',
    isPublic: true,
    ready: (page) => page.getByText('The mirror is away'),
  },
  {
    name: 'register',
    path: '/register',
    isPublic: true,
    ready: (page) => page.getByText('Accounts are created by an administrator'),
  },
  {
    name: 'activate',
    path: '/activate/ABCDE-FGHJK',
    isPublic: true,
    ready: (page) => page.getByText('ABCDE-FGHJK'),
  },
  {
    name: 'approval',
    path: '/auth/approval',
    isPublic: true,
    ready: (page) => page.getByText('Waiting for approval'),
  },
];

export const screenOfList = ({ key, route, label }: ListDefinition): Screen => ({
  name: `list-${key.replaceAll('_', '-')}`,
  path: route === '' ? home : `${home}/${route}`,
  ready: heading(label),
});

export const partsOfLists: readonly Screen[] = [
  {
    name: 'list-no-match',
    path: `${alma}?keyword=zzqqzzqq`,
    ready: (page) => page.getByText('No Data Found.'),
  },
  {
    name: 'list-criterion',
    path: alma,
    ready: (page) => page.getByRole('dialog', { name: /criterion: Severity/ }),
    async prepare(page) {
      await aRow(page).waitFor();
      await page.getByRole('combobox', { name: /^Search/ }).fill('sever');
      await page
        .getByRole('option', { name: /^Severity/ })
        .first()
        .click();
    },
  },
  {
    name: 'list-columns',
    path: alma,
    ready: dialog,
    async prepare(page) {
      await aRow(page).waitFor();
      await press(page, 'Columns');
    },
  },
  {
    name: 'list-views',
    path: alma,
    ready: dialog,
    async prepare(page) {
      await aRow(page).waitFor();
      await press(page, 'Views');
    },
  },
  {
    name: 'list-selection',
    path: alma,
    ready: (page) => page.getByRole('toolbar', { name: 'Selected rows' }),
    async prepare(page) {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(1)
        .click();
    },
  },
  {
    name: 'list-subscribe',
    path: alma,
    ready: (page) => dialog(page).getByRole('button', { name: 'Atom feed of AlmaLinux' }),
    async prepare(page) {
      await aRow(page).waitFor();
      await press(page, 'Subscribe');
    },
  },
  {
    name: 'list-syntax-help',
    path: alma,
    ready: dialog,
    async prepare(page) {
      await aRow(page).waitFor();
      await press(page, 'How to search');
    },
  },
  {
    name: 'record-drawer',
    path: alma,
    ready: (page) => dialog(page).getByText('Packages').first(),
    async prepare(page) {
      await aRow(page).click();
    },
  },
  {
    name: 'record-page',
    path: alma,
    ready: (page) => page.getByText('Packages').first(),
    async prepare(page) {
      await aRow(page).click();
      await dialog(page).getByRole('link', { name: 'Open as page' }).click();
      await page.waitForURL(/record\/\d+$/);
    },
  },
  {
    name: 'jump-box',
    path: alma,
    ready: (page) => dialog(page).getByRole('option').first(),
    async prepare(page) {
      await aRow(page).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Identifier, screen or command' }).fill('sync');
    },
  },
];

export const otherScreens: readonly Screen[] = [
  {
    name: 'dashboard',
    path: `${home}/dashboard`,
    ready: (page) =>
      page.getByRole('region', { name: 'Patch these first' }).getByRole('listitem').first(),
  },
  {
    name: 'month',
    path: `${home}/month/2026-05`,
    ready: (page) => page.getByRole('table', { name: /^Updates of / }).first(),
  },
  { name: 'groups', path: `${home}/groups`, ready: heading('Groups') },
  {
    name: 'report',
    path: `${home}/report`,
    ready: (page) => page.getByRole('heading', { name: 'Sources that are not up to date' }),
  },
  { name: 'rings', path: `${home}/rings`, ready: heading('Rings') },
  { name: 'exceptions', path: `${home}/exceptions`, ready: heading('Exceptions') },
  { name: 'assignments', path: `${home}/assignments`, ready: heading('Assigned') },
  { name: 'plans', path: `${home}/plans`, ready: heading('Plans') },
  { name: 'sync', path: `${home}/sync`, ready: (page) => page.getByText('Succeeded').first() },
  {
    name: 'sync-settings',
    path: `${home}/sync?settings=almaLinux`,
    ready: (page) => dialog(page).getByText('Mirror address'),
  },
  {
    name: 'sync-history',
    path: `${home}/sync?source=almaLinux`,
    ready: (page) => page.getByText('Succeeded').first(),
  },
  {
    name: 'identifier',
    path: `${home}/identifier/CVE-2024-3094`,
    ready: (page) => page.getByRole('heading', { level: 1 }),
  },
  {
    name: 'email-configuration',
    path: `${home}/email-configuration`,
    ready: (page) => page.getByLabel('Server'),
  },
  {
    name: 'configuration',
    path: `${home}/configuration`,
    ready: (page) => page.getByRole('region', { name: 'Retention' }),
  },
  {
    name: 'channel-new',
    path: `${home}/configuration`,
    ready: (page) => dialog(page).getByRole('button', { name: 'Add channel' }),
    prepare: (page) => press(page, 'Add channel…'),
  },
  {
    name: 'users',
    path: `${home}/users`,
    ready: (page) => page.getByText('admin@example.org').first(),
  },
  {
    name: 'users-new',
    path: `${home}/users?show=new`,
    ready: (page) => dialog(page).getByRole('button', { name: 'Create user' }),
  },
  {
    name: 'account',
    path: `${home}/account`,
    ready: (page) => page.getByRole('region', { name: 'Daily summary' }).getByRole('button'),
  },
  {
    name: 'sso-configuration',
    path: `${home}/sso-configuration`,
    ready: (page) => page.getByRole('button', { name: /save/i }).first(),
  },
  {
    name: 'check-machine',
    path: `${home}/check-machine`,
    ready: (page) => page.getByRole('button', { name: 'Check', exact: true }),
  },
  {
    name: 'check-machine-answer',
    path: `${home}/check-machine`,
    ready: (page) => page.getByRole('heading', { name: /patch(es)? missing, judged with/ }),
    prepare: async (page) => {
      await page
        .getByRole('textbox', { name: 'Output of the machine’s tools' })
        .fill(
          'ID="almalinux"\nVERSION_ID="8.9"\nopenssl-1.0.0-1.el8.x86_64\nbash-4.0-1.el8.x86_64\nkernel-core-4.18.0-1.el8.x86_64',
        );
      await page.getByRole('button', { name: 'Check', exact: true }).click();
    },
  },
  {
    name: 'audit',
    path: `${home}/audit`,
    ready: (page) => page.getByRole('button', { name: 'Verify' }),
  },
  {
    name: 'downloads',
    path: `${home}/downloads`,
    ready: (page) => page.getByRole('button', { name: /create|new|start/i }).first(),
  },
  {
    name: 'client-new',
    path: `${home}/floto-user`,
    ready: (page) => dialog(page).getByRole('button', { name: 'Register' }),
    prepare: (page) => press(page, 'Register a client'),
  },
  {
    name: 'client-record',
    path: `${home}/floto-user`,
    ready: (page) => dialog(page).getByText('Not fetched yet.'),
    async prepare(page) {
      await page.locator('[data-row]', { hasText: 'Example Hospital' }).click();
    },
  },
  {
    name: 'view-alert',
    path: alma,
    ready: (page) => dialog(page),
    async prepare(page) {
      await aRow(page).waitFor();
      await press(page, 'Views');
      await press(page, /alert/i);
    },
  },
  {
    name: 'change-password',
    path: `${home}/dashboard`,
    ready: (page) => dialog(page).getByRole('button', { name: 'Update' }),
    async prepare(page) {
      await press(page, /user menu/);
      await page.getByRole('menuitem', { name: 'Change password' }).click();
    },
  },
  {
    name: 'sidebar-drawer',
    narrowOnly: true,
    path: `${home}/dashboard`,
    ready: (page) => dialog(page).getByRole('link', { name: 'KB base' }),
    prepare: (page) => press(page, 'Expand the menu'),
  },
];

export const screens: readonly Screen[] = [
  ...publicScreens,
  ...catalogueLists.map(screenOfList),
  ...partsOfLists,
  ...otherScreens,
];

export const narrow = { width: 390, height: 844 };
export const wide = { width: 1440, height: 900 };

/** Opens the screen and waits until it is complete and no longer moves. */
export async function open(page: Page, screen: Screen): Promise<void> {
  await page.goto(screen.path);
  await complete(page, screen);
}

const lost = '/404';
const lostText = (page: Page) => page.getByText('Looks like you are lost');

/**
 * Opens the screen as a link does, so that scripts stay loaded. The page of unknown addresses, shown in between, unmounts
 * everything that the previous screen left open.
 */
export async function openWithin(page: Page, screen: Screen): Promise<void> {
  const go = (path: string) =>
    page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
  await go(lost);
  await lostText(page).waitFor();
  if (screen.path !== lost) {
    await go(screen.path);
    await lostText(page).waitFor({ state: 'hidden' });
  }
  await complete(page, screen);
}

async function complete(page: Page, screen: Screen): Promise<void> {
  await screen.prepare?.(page);
  await screen.ready(page).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' });
  await settle(page);
}

/** Waits until nothing moves or changes its colour. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(whenStill);
}

/** Runs in the page; what turns for as long as something runs is not waited for. */
const whenStill = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const moves = ({ playState, effect }) =>
    playState === 'running' && effect?.getTiming().iterations !== Infinity;
  await frame();
  do await frame();
  while (document.getAnimations().some(moves));
})()`;
