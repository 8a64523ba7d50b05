/** Each number of machines, patches and CVEs links to exactly the rows that it counts. */
import type { Page } from '@playwright/test';
import {
  type CountedLink,
  countRows,
  readCountedLinks,
  readUnlinkedNumbers,
} from './counted-links.ts';
import { expect, test } from './product.ts';
import { exampleClient } from './service.ts';

const home = '/patch-repository';
const inventory = `NAME="AlmaLinux"
ID="almalinux"
VERSION_ID="8.9"
bash-4.4.20-4.el8_6.x86_64
libxml2-2.9.7-16.el8.x86_64
`;
// Nine screens, each with up to fifty numbers.
test.describe.configure({ timeout: 300_000 });

/** In headings of what follows on the page itself: records by list, and the steps of a machine with what each closes. */
const ownRows =
  /^[\d,]+ records? in [\d,]+ lists?$|^[\d,]+ records$|^[\d,]+ updates? closes? (?:all )?[\d,]+(?: of [\d,]+)?\.?$/;

/** Returns the links once the page shows no more of them for a second. */
async function readCompletePage(page: Page): Promise<readonly CountedLink[]> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (let before = -1; ; ) {
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' });
    const links = await readCountedLinks(page);
    if (links.length === before) return links;
    before = links.length;
    await page.waitForTimeout(1000);
  }
}

test('each number opens the list of exactly its rows', async ({ page, request, service }) => {
  const { id: clientId, activationCode } = await service.ask<{
    id: number;
    activationCode: string;
  }>('POST', '/windows/user', {
    ...exampleClient,
    clientName: 'Example Waterworks',
    reportsMachines: true,
  });
  const activated = await request.post('/api/client/activate', {
    data: { activationCode, applicationVersion: '1', hostName: 'repo-2' },
  });
  const { token } = (await activated.json()) as { token: string };
  const machines = ['pump-1', 'pump-2'].map((key) => ({ key, name: key, text: inventory }));
  const reported = await request.post('/api/client/machines', {
    headers: { authorization: `Apikey ${token}` },
    data: { machines },
  });
  const { machines: stored } = (await reported.json()) as { machines: { id: number }[] };
  const missing = async () =>
    (await service.search('/records/search', 'size=100', { filter: "missingOn = 'pump-1'" }))
      .objList;
  await expect.poll(async () => (await missing()).length, { timeout: 60_000 }).toBeGreaterThan(0);
  const [record] = (await missing()).filter(({ cve }) => Array.isArray(cve) && cve.length > 0);
  const [cve] = (record?.['cve'] ?? []) as string[];
  if (cve === undefined) throw new Error('No missing record names a CVE');

  await service.enter(page);
  await page.goto(home);
  const timeZone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
  let counted = 0;
  for (const path of [
    'dashboard',
    'month/2026-05',
    'machines',
    'vulnerabilities',
    `machines/record/${stored[0]?.id}`,
    `almalinux-patch/record/${String(record?.['recordId'])}`,
    `identifier/${cve}`,
    `identifier/CVE-2099-12345`,
    `floto-user/record/${clientId}`,
  ])
    await test.step(path, async () => {
      // Other walks report machines meanwhile: a number and its rows are compared until nothing comes between.
      await expect(async () => {
        await page.goto(`${home}/${path}`);
        const links = await readCompletePage(page);
        for (const { label, href, count } of links)
          expect(await countRows(service, href, timeZone), `${label} ${href}`).toBe(count);
        const unlinked = (await readUnlinkedNumbers(page)).filter((words) => !ownRows.test(words));
        expect(unlinked, path).toEqual([]);
        counted += links.length;
      }).toPass({ timeout: 30_000 });
    });
  expect(counted).toBeGreaterThan(30);

  await page.goto(`${home}/identifier/${cve}`);
  await page.getByRole('link', { name: /machines miss CVE/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Machines' })).toBeVisible();
  await expect(page.getByRole('row', { name: /pump-1/ })).toBeVisible();
  await page
    .getByRole('row', { name: /pump-1/ })
    .getByRole('link', { name: /^\d+ Missing/ })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'All patches' })).toBeVisible();
});

test('Ctrl-K opens the page of an identifier that no source has', async ({ page, service }) => {
  await service.enter(page);
  await page.goto(`${home}/dashboard`);
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('CVE-2099-12345');
  const option = page.getByRole('option', { name: /Nothing found in \d+ sources/ });
  const [sources] = /\d+(?= sources)/.exec((await option.textContent()) ?? '') ?? [];
  await page.keyboard.press('Enter');
  await page.waitForURL('**/identifier/CVE-2099-12345');
  await expect(
    page.getByRole('heading', { name: `${sources} sources were searched` }),
  ).toBeVisible();
});
