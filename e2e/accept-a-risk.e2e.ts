/** Accepts a risk until a date, from the page of a machine to the list of exceptions, with at most six clicks. */
import type { Locator } from '@playwright/test';
import { bothLooks, expect, test } from './product.ts';
import { exampleClient } from './service.ts';

const most = 6;
const inventory = `NAME="AlmaLinux"
ID="almalinux"
VERSION_ID="8.9"
bash-4.4.20-4.el8_6.x86_64
libxml2-2.9.7-16.el8.x86_64
`;

for (const [width, height, colorScheme] of bothLooks)
  test(`a risk is accepted until a date at ${width} pixels, ${colorScheme}`, async ({
    page,
    request,
    service,
  }) => {
    const name = `risky-${width}-${colorScheme}`;
    const { activationCode } = await service.ask<{ activationCode: string }>(
      'POST',
      '/windows/user',
      { ...exampleClient, clientName: `Client of ${name}`, reportsMachines: true },
    );
    const activated = await request.post('/api/client/activate', {
      data: { activationCode, applicationVersion: '1', hostName: name },
    });
    const { token } = (await activated.json()) as { token: string };
    const reported = await request.post('/api/client/machines', {
      headers: { authorization: `Apikey ${token}` },
      data: { machines: [{ key: name, name, text: inventory }] },
    });
    const { machines } = (await reported.json()) as { machines: readonly { id: number }[] };
    const judged = () =>
      service
        .ask<{ totalCount: number }>('POST', '/machines/search', {
          filter: `judgedOn is not null and name = '${name}'`,
        })
        .then(({ totalCount }) => totalCount);
    await expect.poll(judged, { timeout: 60_000 }).toBe(1);

    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await service.enter(page);
    await page.goto(`/patch-repository/machines/record/${machines[0]?.id}`);
    let clicks = 0;
    const click = async (what: Locator) => {
      await what.click();
      clicks += 1;
    };
    const missing = page.getByRole('region', { name: 'Missing records' });
    const identifier =
      (await missing
        .getByRole('link', { name: /^ALSA-/ })
        .first()
        .textContent()) ?? '';
    await click(missing.getByRole('button', { name: `Accept ${identifier}`, exact: true }));
    const dialog = page.getByRole('dialog', { name: `Exception for ${identifier}` });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Replaced in spring');
    await click(dialog.getByRole('button', { name: '30 days' }));
    // The dialog fits: nothing of it is cut at the side.
    const box = await dialog.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    await click(dialog.getByRole('button', { name: 'Save exception' }));
    const accepted = page.getByRole('region', { name: 'Accepted records' });
    await expect(accepted.getByText(/Accepted risk: Replaced in spring/)).toBeVisible();
    expect(clicks).toBeLessThanOrEqual(most);

    await page.goto('/patch-repository/exceptions');
    const row = page.getByRole('listitem').filter({ hasText: `${identifier} on ${name}` });
    await expect(row).toContainText('Replaced in spring');
    await row.getByRole('button', { name: /^Edit/ }).click();
    await dialog.getByRole('button', { name: '180 days' }).click();
    await dialog.getByRole('button', { name: 'Save exception' }).click();
    await expect(page.getByText(`Exception for ${identifier} is saved.`)).toBeVisible();
    await row.getByRole('button', { name: /^End/ }).click();
    await page.getByRole('button', { name: 'End exception' }).click();
    await expect(row).toHaveCount(0);
  });
