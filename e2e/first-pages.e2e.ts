/** First pages load their scripts in one wave: only a browser shows what is fetched when. */
import { gzipSync } from 'node:zlib';
import { expect, test } from './product.ts';

const scriptsIn = (html: string) =>
  new Set(Array.from(html.matchAll(/\/assets\/[\w-]+\.js/g), ([path]) => path));

test('fetches only the few scripts that the HTML of the login page names', async ({
  page,
  request,
}) => {
  const expected = scriptsIn(await (await request.get('/login')).text());
  const fetched: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('.js')) return;
    fetched.push(pathname);
    sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  await page.goto('/login');
  await expect(page.getByLabel('User name or email')).toBeFocused();
  await page.waitForLoadState('networkidle');
  expect(fetched.toSorted()).toEqual([...expected].toSorted());
  const kilobytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
  expect(kilobytes).toBeLessThanOrEqual(185);
});

test('requests a record before the reply that identifies the user', async ({ page, service }) => {
  await service.enter(page);
  await page.goto('/patch-repository/almalinux-patch');
  const href = await page.locator('[data-row] a').first().getAttribute('href');
  expect(href).toContain('/record/');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/me', async (route) => {
    await released;
    await route.continue();
  });
  const requested = page.waitForRequest(/\/api\/linux\/almalinux\/\d+$/);
  await page.goto(href ?? '');
  await requested;
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
  release();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
