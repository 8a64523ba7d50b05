/** Attacks a published tree that a client has followed before. */

import { headPath } from '@patch/contract/tree/tree-head.ts';
import { expect, test } from 'vitest';
import type { PublishedTree } from './published-tree.ts';
import { readFolder, type TreeClient, titles } from './tree-client.ts';

export async function publishTitles(tree: PublishedTree, words = 'new'): Promise<void> {
  await tree.change('almalinux_patch', titles(4, words));
  tree.publish();
}

export const readTreeFile = (tree: PublishedTree, path: string) =>
  tree.files.get(path) ?? Buffer.alloc(0);

export const readHeadLines = (tree: PublishedTree) =>
  readTreeFile(tree, headPath).toString().split('\n').slice(0, -1);

export const writeHeadLines = (tree: PublishedTree, lines: readonly string[]) =>
  void tree.files.set(headPath, Buffer.from(lines.map((line) => `${line}\n`).join('')));

/** Runs the client and expects a refusal that leaves the folder as it was. */
export async function expectRefusal(
  client: TreeClient,
  fault: string,
  mayChange: readonly string[] = [],
): Promise<void> {
  const before = readFolder(client.folder);
  const { exit, complaints } = await client.call();
  expect([exit, complaints.split(':')[0]]).toEqual([
    3,
    `The published catalogue is refused, ${fault}`,
  ]);
  const after = readFolder(client.folder);
  const unchanged = Object.fromEntries(mayChange.map((name) => [name, before[name]]));
  expect({ ...after, ...unchanged }).toEqual(before);
}

/** Tests an attack on a tree that the client has read once. */
export const attackWith =
  (client: TreeClient, mayChange: readonly string[] = []) =>
  (title: string, fault: string, attack: (tree: PublishedTree) => Promise<void> | void) =>
    test(`refuses ${title} as ${fault}`, async () => {
      const { tree } = client;
      await publishTitles(tree, 'first');
      expect((await client.call()).exit).toBe(0);
      await attack(tree);
      await expectRefusal(client, fault, mayChange);
    });
