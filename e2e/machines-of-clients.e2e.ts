/** A client reports a machine; its row, what it misses, and the record's machines, as the administrator reads them. */
import { expect, test } from './product.ts';
import { exampleClient } from './service.ts';

const clientName = 'Example Railways';
const inventory = (libxml2: string) => `NAME="AlmaLinux"
ID="almalinux"
VERSION_ID="8.9"
bash-4.4.20-4.el8_6.x86_64
libxml2-${libxml2}.x86_64
`;

test('a reported machine is listed with what it misses, and found from the record', async ({
  page,
  request,
  service,
}) => {
  const { activationCode } = await service.ask<{ activationCode: string }>(
    'POST',
    '/windows/user',
    { ...exampleClient, clientName, reportsMachines: true },
  );
  const activated = await request.post('/api/client/activate', {
    data: { activationCode, applicationVersion: '1', hostName: 'repo-1' },
  });
  const { token } = (await activated.json()) as { token: string };
  const reported = await request.post('/api/client/machines', {
    headers: { authorization: `Apikey ${token}` },
    data: {
      machines: [
        { key: 'web-1', name: 'web-1', text: inventory('2.9.7-16.el8') },
        { key: 'web-2', name: 'web-2', text: inventory('9.9.9-1.el8') },
        { key: 'old-1', name: 'old-1', text: 'ID="gentoo"\nVERSION_ID="2"\nbash-4-1.x86_64\n' },
      ],
    },
  });
  expect(reported.ok(), await reported.text()).toBe(true);
  const judged = async () => {
    const { totalCount } = await service.ask<{ totalCount: number }>('POST', '/machines/search', {
      filter: `judgedOn is not null and client = '${clientName}'`,
    });
    return totalCount;
  };
  await expect.poll(judged, { timeout: 60_000 }).toBe(3);

  await service.enter(page);
  await page.goto('/patch-repository/machines');
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await expect(row('web-1')).toContainText('AlmaLinux 8.9');
  // A release that the catalogue lacks shows no count, not even 0.
  await expect(row('old-1').getByRole('cell', { name: '0', exact: true })).toHaveCount(0);

  await row('web-1').getByText('web-1').click();
  const missing = page.getByRole('region', { name: 'Missing records' });
  await expect(missing.getByText(/^libxml2 2\.9\.7-16\.el8 → 2\.9\.7-/).first()).toBeVisible();

  // Accepted for all machines of the client: counted apart, on the client's page too, and missing again when it is ended.
  const record = missing.getByRole('link', { name: /^ALSA-/ }).first();
  const identifier = (await record.textContent()) ?? '';
  await missing.getByRole('button', { name: `Accept ${identifier}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Exception for ${identifier}` });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Replaced in spring');
  await dialog.getByLabel('On', { exact: true }).click();
  await page.getByTitle('All machines of its client').click();
  await dialog.getByRole('button', { name: 'Save exception' }).click();
  const accepted = page.getByRole('region', { name: 'Accepted records' });
  await expect(accepted.getByText('Accepted risk: Replaced in spring')).toBeVisible();
  await expect(accepted.getByRole('link', { name: identifier, exact: true })).toBeVisible();
  // The table above the button arrives during the press and moves the button.
  const exposure = Promise.withResolvers<void>();
  await page.route('**/exposure', async (route) => {
    await exposure.promise;
    await route.continue();
  });
  await page.goto('/patch-repository/floto-user');
  await row(clientName).getByText(clientName).click();
  await expect(accepted.getByText(`On all machines of ${clientName}`)).toBeVisible();
  const end = accepted.getByRole('button', { name: `End the exception for ${identifier}` });
  await end.hover();
  const before = await end.boundingBox();
  await page.mouse.down();
  exposure.resolve();
  await expect(page.getByText('Not fetched yet.')).toBeVisible();
  expect((await end.boundingBox())?.y).toBeGreaterThan(before?.y ?? Number.POSITIVE_INFINITY);
  await page.mouse.up();
  await page.getByRole('button', { name: 'End exception' }).click();
  await expect(accepted).toHaveCount(0);

  await page.goto('/patch-repository/machines');
  await row('web-1').getByText('web-1').click();
  await record.click();
  const machines = page.getByRole('region', { name: /machines that miss it/i });
  await expect(machines.getByText('web-1')).toBeVisible();
  await expect(machines.getByText('web-2')).toHaveCount(0);
});
