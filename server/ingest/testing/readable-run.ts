/** Checks the messages of a run for an administrator. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { expect } from 'vitest';
import type { RunWithTexts } from './run-with-texts.ts';

/** Expects a message that matches the pattern, an address or a part, and sentences without technical details. */
export function expectReadable(run: RunWithTexts, message: RegExp, { parts }: Feed): void {
  expect(run.state).toMatch(/^(failed|succeeded_with_warnings)$/);
  const words = [run.message, ...run.warnings];
  expect(words.join('\n')).toMatch(message);
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
