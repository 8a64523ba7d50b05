/** Kills clients while they follow a published tree. */
import { expect, test } from 'vitest';
import { killRepeatedly } from './testing/kill-tree-client.ts';
import { withTreeClient } from './testing/tree-client.ts';

const client = withTreeClient();

test('ends with the published lists after being killed at random moments', async () => {
  expect(await killRepeatedly(client, 4)).toBe(4);
});
