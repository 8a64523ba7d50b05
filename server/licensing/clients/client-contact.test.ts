import { expect, test } from 'vitest';
import { heartbeatContent } from './client-contact.ts';

const applicationVersion = '2.0';
const reported = (before: number | null, repoUpdatedOn?: number) =>
  heartbeatContent({ repoUpdatedOn: before }, { applicationVersion, repoUpdatedOn }, 1_000);

test.each([
  ['records it with the version', null, 900, { repoUpdatedOn: 900 }],
  ['never decreases', 800, 700, { repoUpdatedOn: 800 }],
  ['never passes now', 800, 5_000, { repoUpdatedOn: 1_000 }],
  ['stays when the heartbeat has none', 800, undefined, {}],
])('the reported time of the copy: %s', (_, before, repoUpdatedOn, expected) => {
  expect(reported(before, repoUpdatedOn)).toEqual({ applicationVersion, ...expected });
});
