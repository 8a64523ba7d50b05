/** News for other programs: an Atom feed until it is revoked, the addresses of open formats, and a webhook that receives a signed test. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from './product.ts';

test.beforeEach(async ({ context, page, service }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await service.enter(page);
});

test('a list is followed by the copied address of a feed, until it is revoked', async ({
  page,
  request,
}) => {
  await page.goto('/patch-repository/almalinux-patch');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('button', { name: 'Atom feed of AlmaLinux' }).click();
  await page.getByRole('button', { name: 'Copy feed address' }).click();
  const { pathname, search } = new URL(
    await page.evaluate<string>('navigator.clipboard.readText()'),
  );
  const address = `${pathname}${search}`;
  const feed = await request.get(address);
  expect(feed.headers()['content-type']).toContain('application/atom+xml');
  expect(await feed.text()).toContain('AlmaLinux');
  const addresses = page.getByRole('list', { name: 'Your feed addresses' });
  await addresses.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(addresses).toBeHidden();
  expect((await request.get(address)).ok()).toBe(false);
});

test('the configuration names the addresses of open formats, which answer', async ({
  page,
  service,
}) => {
  await page.goto('/patch-repository/configuration');
  await page.getByRole('button', { name: /^Copy address of OSV: one record/ }).click();
  const address = await page.evaluate<string>('navigator.clipboard.readText()');
  const { objList } = await service.search('/linux/almalinux/search', 'size=1');
  const id = String(objList[0]?.['bulletinId']);
  const path = address.replace(/^.*?\/api\//, '/').replace('{id}', id);
  expect(await service.ask('GET', path)).toMatchObject({ id });
});

test('a webhook shows its secret once, and logs a test that it signs', async ({ page }) => {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    await page.goto('/patch-repository/configuration');
    await page.getByRole('button', { name: 'Add channel…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Tickets');
    await dialog
      .getByLabel('Address')
      .fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await dialog.getByRole('button', { name: 'Add channel' }).click();
    const secret = await dialog.getByText(/^whsec_/).innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Open the channel Tickets' }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByText('The receiver accepted the test.')).toBeVisible();
    const log = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem');
    await expect(log).toHaveCount(1);
    await expect(log).toContainText('Sent');
    await expect(page.getByText(secret)).toHaveCount(0);
    const { headers, body } = received[0] ?? { headers: {}, body: '' };
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Remove the channel Tickets?')).toBeVisible();
    await page.getByRole('button', { name: 'Remove' }).last().click();
    await expect(page.getByText('No channels yet.')).toBeVisible();
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});
