/** Enrols a machine as an administrator does: from the list to the machine's missing records, with at most six clicks. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './product.ts';

/** In the form that patch-report.sh sends. */
const report = `NAME="AlmaLinux"
ID="almalinux"
VERSION_ID="8.9"
4.18.0-513.5.1.el8_9.x86_64
bash 0:4.4.20-4.el8_6 x86_64 (none)
libxml2 0:2.9.7-16.el8 x86_64 (none)
`;

const most = 6;

/** Counts the clicks of a walk. */
function clicks() {
  let count = 0;
  return {
    on: async (what: Locator) => {
      await what.click();
      count += 1;
      expect(count).toBeLessThanOrEqual(most);
    },
  };
}

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  test(`a machine is enrolled at ${width} pixels`, async ({ page, context, request, service }) => {
    const group = `Enrolled at ${width}`;
    const name = `enrolled-${width}`;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width, height });
    await service.enter(page);
    await page.goto('/patch-repository/machines');
    const walk = clicks();
    await walk.on(page.getByRole('button', { name: 'Add machines' }));
    const dialog = page.getByRole('dialog', { name: /^Add machines/ });
    await dialog.getByLabel('Group').fill(group);
    await walk.on(dialog.getByRole('button', { name: 'Create key' }));
    await walk.on(dialog.getByRole('button', { name: 'Copy line for Linux' }));
    const line = await copied(page);
    const [, key = '', collector = '', address = ''] =
      /^\{ echo PATCH_KEY=(\S+); curl -fsSL (\S+); \} \| sudo sh -s -- install (\S+)$/.exec(line) ??
      [];
    expect(address).toBe(new URL(page.url()).origin);
    expect(await (await request.get(collector)).text()).toContain(
      'patch-report.sh install ADDRESS',
    );
    // The dialog fits: nothing of it is cut at the side.
    const box = await dialog.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    await walk.on(dialog.getByRole('button', { name: 'Done' }));

    const reported = await request.post(`${address}/api/machines/report?key=${name}&name=${name}`, {
      headers: { authorization: `Apikey ${key}`, 'content-type': 'text/plain; charset=utf-8' },
      data: report,
    });
    expect(await reported.json()).toMatchObject({ state: 'stored', unreadableLines: 0 });
    const judged = () =>
      service
        .ask<{ totalCount: number }>('POST', '/machines/search', {
          filter: `judgedOn is not null and name = '${name}'`,
        })
        .then(({ totalCount }) => totalCount);
    await expect.poll(judged, { timeout: 60_000 }).toBe(1);
    await walk.on(page.getByRole('button', { name: 'Refresh', exact: true }));
    await walk.on(page.getByRole('link', { name, exact: true }).first());
    const missing = page.getByRole('region', { name: 'Missing records' });
    await expect(missing.getByText(/^libxml2 2\.9\.7-16\.el8 → 2\.9\.7-/).first()).toBeVisible();
  });
