/** From machines to a plan and its files as an administrator goes: each job with at most six clicks, at both widths and in both looks. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { allViolations } from './accessibility.ts';
import { bothLooks, choose, expect, test } from './product.ts';
import type { Service } from './service.ts';

const most = 6;

/** In the form that patch-report.sh sends. */
const report = (libxml2: string) => `NAME="AlmaLinux"
ID="almalinux"
VERSION_ID="8.9"
4.18.0-513.5.1.el8_9.x86_64
libxml2 0:${libxml2} x86_64 (none)
`;

/** Reports two machines that miss the fixes of libxml2, and one that misses none. */
async function reportMachines(page: Page, service: Service, group: string): Promise<void> {
  await service.prove();
  const { key } = await service.ask<{ key: string }>('POST', '/me/apikeys', {
    name: group,
    scopes: ['report'],
    expiresAt: Date.now() + 3_600_000,
    group,
  });
  const tag = group.replaceAll(' ', '-');
  for (const [name, version] of [
    ['first', '2.9.7-16.el8'],
    ['second', '2.9.7-16.el8'],
    ['third', '9.9.9-1.el8'],
  ] as const) {
    const address = `/api/machines/report?key=${tag}-${name}&name=${tag}-${name}&tags=${tag}`;
    const headers = { authorization: `Apikey ${key}`, 'content-type': 'text/plain; charset=utf-8' };
    const reported = await page.request.post(address, { headers, data: report(version) });
    expect(reported.ok(), await reported.text()).toBe(true);
  }
  const judged = () =>
    service
      .ask<{ totalCount: number }>('POST', '/machines/search', {
        filter: `judgedOn is not null and tags = '${tag}'`,
      })
      .then(({ totalCount }) => totalCount);
  await expect.poll(judged, { timeout: 60_000 }).toBe(3);
}

/** Counts the clicks of a job. */
function clicks() {
  let count = 0;
  return async (what: Locator) => {
    await what.click();
    count += 1;
    expect(count).toBeLessThanOrEqual(most);
  };
}

/** Fingers need 24 px; axe does not ask for them in a line of text. */
async function expectTargets(where: Locator): Promise<void> {
  const targets = await where.locator('a:visible, summary:visible').all();
  expect(targets.length).toBeGreaterThan(0);
  for (const target of targets)
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(24);
}

for (const [width, height, colorScheme] of bothLooks)
  test.describe(`at ${width} pixels, ${colorScheme}`, () => {
    test.use({ viewport: { width, height }, colorScheme });

    test('machines become a group, a plan, a playbook and a window', async ({ page, service }, {
      retry,
    }) => {
      // A second try has names of its own: the first one has left its key and its group.
      const own = retry === 0 ? `${width}` : `${width}-${retry}`;
      const group = `Walk ${own}`;
      const tag = group.replaceAll(' ', '-');
      const reporters = `Reporters-${own}`;
      await reportMachines(page, service, `Reporters ${own}`);
      await service.enter(page);
      await page.goto(`/patch-repository/machines?criteria=tags.in.${reporters}&view=all`);
      await expect(page.getByText(`${reporters}-first`).first()).toBeVisible();

      const saving = clicks();
      await saving(page.getByRole('button', { name: 'Save as group' }));
      const saved = page.getByRole('dialog', { name: 'Save as group' });
      await saved.getByLabel('Name').fill(group);
      await saving(saved.getByRole('button', { name: 'Save group' }));
      const row = page.getByRole('listitem').filter({ hasText: group });
      await expect(row).toContainText('3 machines');
      await expect(row).toContainText(`Tags is one of ${reporters}`);
      expect(await allViolations(page)).toEqual([]);

      const dating = clicks();
      await dating(row.getByRole('button', { name: `Edit the group ${group}` }));
      const edited = page.getByRole('dialog', { name: 'Edit group' });
      await dating(edited.getByLabel('Due dates'));
      const days = edited.getByLabel('Critical and important');
      await choose(edited.getByLabel('Due dates'), page.getByTitle('Of this group').last(), days);
      await days.fill('731');
      await dating(edited.getByRole('button', { name: 'Save' }));
      await expect(edited.getByText('731 must be 730 or less')).toBeVisible();
      // The words appear slowly, and have their contrast then.
      await expect.poll(() => allViolations(page)).toEqual([]);
      await edited.getByLabel('Critical and important').fill('10');
      await dating(edited.getByRole('button', { name: 'Save' }));
      await expect(row).toContainText('critical and important in 10 days');
      await expect(row).toContainText('2 overdue');

      const planning = clicks();
      await planning(row.getByRole('link', { name: /^3 machines/ }));
      await planning(page.getByRole('button', { name: 'Plan updates' }));
      const dialog = page.getByRole('dialog', { name: 'Plan updates' });
      await dialog.getByLabel('Name').fill(`Plan ${tag}`);
      const choices = dialog.getByLabel('What to close');
      const everything = 'Everything that is missing';
      await planning(choices);
      await choose(choices, page.getByTitle(everything).last(), dialog.getByTitle(everything));
      await planning(dialog.getByRole('button', { name: 'Make plan' }));
      await expect(page.getByRole('heading', { level: 1, name: `Plan ${tag}` })).toBeVisible();
      await expect(page.getByText('0 of 2 machines done, 2 open.')).toBeVisible();
      await expect(page.getByText(/, 1 of them had nothing to install/)).toBeVisible();
      const task = page.getByRole('region', { name: 'Task 1' });
      await expect(task).toContainText('AlmaLinux 8');
      await expect(task).toContainText(/dnf upgrade --advisory=ALSA-/);
      await expect(task).toContainText(/overdue by [\d,]+ days/);
      const download = page.waitForEvent('download');
      await planning(page.getByRole('button', { name: 'Ansible' }));
      const playbook = await readFile(await (await download).path(), 'utf8');
      expect(playbook).toContain(`${reporters}-first`);
      expect(playbook).not.toContain(`${reporters}-third`);

      const scheduling = clicks();
      await scheduling(task.getByRole('button', { name: 'Schedule task 1' }));
      for (const [label, day] of [
        ['From', '01/01/2031 10:00 AM'],
        ['Until', '02/01/2031 10:00 AM'],
      ] as const) {
        await task.getByLabel(label).fill(day);
        await task.getByLabel(label).press('Enter');
      }
      // Enter in the last field sends the form.
      await expect(task.getByText(/Scheduled from/)).toBeVisible();
      await expect(page.getByText('0 of 2 machines done, 2 scheduled.')).toBeVisible();
      await task.getByText('Scheduled: 2').click();
      await expect(task.getByRole('link', { name: `${reporters}-first` })).toBeVisible();
      await expectTargets(task);
      expect(await allViolations(page)).toEqual([]);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow).toBeLessThanOrEqual(0);

      await page.goto('/patch-repository/plans');
      const listed = page.getByRole('listitem').filter({ hasText: `Plan ${tag}` });
      await expect(listed).toContainText('0 of 2 machines done, 2 scheduled');
      await expectTargets(listed);
      expect(await allViolations(page)).toEqual([]);
    });

    test('a record leads to a plan of the machines that miss it', async ({ page, service }, {
      retry,
    }) => {
      const own = retry === 0 ? `${width}` : `${width}-${retry}`;
      await reportMachines(page, service, `Missing ${own}`);
      await service.enter(page);
      await page.goto(`/patch-repository/machines?criteria=tags.in.Missing-${own}&view=all`);
      await page
        .getByRole('link', { name: `Missing-${own}-first`, exact: true })
        .first()
        .click();
      const missing = page.getByRole('region', { name: 'Missing records' });
      await expect(missing.getByText(/^released .* = due/).first()).toBeVisible();
      await expect(
        missing.getByRole('link', { name: /records? overdue: show them/ }),
      ).toBeVisible();
      expect(await allViolations(page)).toEqual([]);
      const identifier = await missing
        .getByRole('link', { name: /^ALSA-/ })
        .first()
        .textContent();
      await page.goto(`/patch-repository/identifier/${encodeURIComponent(identifier ?? '')}`);
      const planning = clicks();
      await planning(page.getByRole('button', { name: 'Plan updates' }).first());
      const dialog = page.getByRole('dialog', { name: 'Plan updates' });
      await expect(dialog).toContainText(`all machines that miss ${identifier}`);
      await planning(dialog.getByRole('button', { name: 'Make plan' }));
      await expect(page.getByRole('region', { name: 'Task 1' })).toBeVisible();
    });
  });
