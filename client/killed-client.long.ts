/** Kills two hundred clients while they follow a published tree. */
import { expect, test } from 'vitest';
import { killRepeatedly } from './testing/kill-tree-client.ts';
import { withTreeClient } from './testing/tree-client.ts';

const client = withTreeClient();

test('ends with the published lists after 200 kills at random moments', async () => {
  expect(await killRepeatedly(client, 200)).toBe(200);
});
