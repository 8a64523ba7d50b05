/** What a faulty run must tell an administrator. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { expect } from 'vitest';
import type { ToldRun } from './told-run.ts';

/** What happened, and where: an address or a part; in sentences, without anything that only a programmer would understand. */
export function expectReadable(run: ToldRun, told: RegExp, { parts }: Feed): void {
  expect(run.state).toMatch(/^(failed|succeeded_with_warnings)$/);
  const words = [run.message, ...run.warnings];
  expect(words.join('\n')).toMatch(told);
  expect(
    words.some(
      (said) =>
        /https?:\/\/[\w.-]+\.\w+/.test(said) || parts.some(({ label }) => said.includes(label)),
    ),
  ).toBe(true);
  for (const said of words) {
    expect(said).toMatch(/^[A-Za-z][^\n]{10,1000}\.$/);
    expect(said).not.toMatch(
      /undefined|\[object|NaN|\w+Error:|\bat (?:\S+ \()?\S+\.\w+:\d+:\d+|node:|\/tmp\//,
    );
  }
}
