/** Barriers that keep people from using a page: violations that axe finds. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

interface Axe {
  run(options: object): Promise<{
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

/** Returns violations of any impact, and targets that are smaller than 24 px, as Lighthouse does. */
export const allViolations = (page: Page): Promise<readonly string[]> =>
  findViolations(page, { 'target-size': { enabled: true } });

async function findViolations(
  page: Page,
  rules: object,
  impacts?: readonly string[],
): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(source);
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { readonly axe: Axe }).axe.run(options),
    { resultTypes: ['violations'], rules },
  );
  return violations
    .filter(({ impact }) => impacts === undefined || impacts.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
