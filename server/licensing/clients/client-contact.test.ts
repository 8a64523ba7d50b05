import { expect, test } from 'vitest';
import { heartbeatContent } from './client-contact.ts';

const applicationVersion = '2.0';
const reported = (before: number | null, repoUpdatedOn?: number) =>
  heartbeatContent({ repoUpdatedOn: before }, { applicationVersion, repoUpdatedOn }, 1_000);

test.each([
  ['is recorded with the version', null, 900, { repoUpdatedOn: 900 }],
  ['never goes back', 800, 700, { repoUpdatedOn: 800 }],
  ['never goes past now', 800, 5_000, { repoUpdatedOn: 1_000 }],
  ['is left as it was by a heartbeat without one', 800, undefined, {}],
])('the time that a heartbeat reports %s', (_, before, repoUpdatedOn, expected) => {
  expect(reported(before, repoUpdatedOn)).toEqual({ applicationVersion, ...expected });
});
