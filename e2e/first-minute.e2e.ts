/** From an empty installation to the first answered machine, in presses. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { seriousViolations } from './accessibility.ts';
import { expect, test } from './product.ts';
import { administrator, mirror, startProduct } from './running-product.ts';

test.setTimeout(600_000);

test('an empty installation answers a first machine after at most eight presses', async ({
  browser,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'patch-repository-first-minute-'));
  const product = await startProduct({ DATA_DIR: folder, FEED_MIRROR: mirror });
  const page = await browser.newPage({ baseURL: product.url });
  let presses = 0;
  const press = async (target: Locator) => {
    presses += 1;
    await target.click();
  };
  try {
    await page.goto('/login?redirectFrom=/patch-repository/dashboard');
    await page.getByLabel(/user name/i).fill(administrator.username);
    await page.getByLabel('Password').first().fill(administrator.password);
    await press(page.getByRole('button', { name: 'Sign in' }));
    const steps = page.getByRole('region', { name: 'First steps' });
    await expect(steps).toBeVisible();
    // No schedule has begun, so that nothing has failed.
    await expect(page.getByText(/failed/i)).toHaveCount(0);
    expect(await seriousViolations(page)).toEqual([]);
    await press(steps.getByRole('button', { name: /^Test \d+ sources/ }));
    await expect(steps.getByText(/tested sources can be reached/)).toBeVisible();
    // One family: a sync of all takes minutes.
    const families = await steps.getByRole('checkbox').all();
    for (const family of families)
      if ((await family.getAttribute('name')) !== 'almaLinux') await family.setChecked(false);
    presses += 1;
    await press(steps.getByRole('button', { name: /^Sync 1 of/ }));
    await expect(
      steps
        .getByRole('progressbar')
        .or(steps.getByText(/records$/))
        .first(),
    ).toBeVisible();
    const sample = steps.getByRole('link', { name: 'Check a sample machine' });
    await expect(sample).toBeVisible({ timeout: 300_000 });
    await press(sample);
    await expect(
      page.getByRole('heading', { name: /patch(es)? missing, judged with AlmaLinux data/ }),
    ).toBeVisible();
    expect(presses).toBeLessThanOrEqual(8);
  } finally {
    await page.close();
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
