/** Barriers that keep people from using a page: violations that axe finds. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

interface Axe {
  run(
    context: object,
    options: object,
  ): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly impact: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}

const source = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Returns the violations that axe calls serious or critical. */
export const seriousViolations = (page: Page): Promise<readonly string[]> =>
  findViolations(page, {}, ['serious', 'critical']);

/** Returns violations of any impact, and targets that are smaller than 24 px, as Lighthouse does. Of a scrolled page the header covers targets in part, and so do toasts until they disappear. */
export async function allViolations(page: Page): Promise<readonly string[]> {
  await expect(page.locator('[role="status"] > [data-kind="success"]')).toHaveCount(0);
  await page.evaluate('scrollTo(0, 0)');
  return findViolations(page, { 'target-size': { enabled: true } });
}

async function findViolations(
  page: Page,
  rules: object,
  impacts?: readonly string[],
): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(source);
  const { violations } = await page.evaluate(
    ([context, options]) =>
      (globalThis as unknown as { readonly axe: Axe }).axe.run(context, options),
    [await toContext(page), { resultTypes: ['violations'], rules }] as const,
  );
  return violations
    .filter(({ impact }) => impacts === undefined || impacts.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Excludes the screen behind a dialog, which covers buttons in part and keeps them from being clicked. */
async function toContext(page: Page): Promise<object> {
  const dialogs = page.locator('.ant-modal-wrap').filter({ visible: true });
  return { exclude: (await dialogs.count()) > 0 ? [['#console']] : [] };
}
