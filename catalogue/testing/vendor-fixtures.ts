/** Locates a feed's fixtures, which lie in the folder of the vendor whose lists it fills in the layout of a mirror. */
import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Feed } from '../definition/feed.ts';

const vendors = new URL('../vendors/', import.meta.url);

export function findFixtures({ fills }: Feed): string {
  const defines = (file: string) =>
    fills.some(({ key }) => readFileSync(new URL(file, vendors), 'utf8').includes(`key: '${key}'`));
  const file = globSync('*/**/*-list.ts', { cwd: vendors }).find(defines);
  if (file === undefined)
    throw new Error(`No folder of a vendor defines ${fills.map(({ key }) => key).join(', ')}`);
  const [vendor = ''] = file.split(sep);
  return fileURLToPath(new URL(`${vendor}/fixtures`, vendors));
}

/** Returns the armored public keys that sign the fixtures' indexes. */
export function fixtureKeys(fixtures: string): string[] {
  return globSync('{,keys/}*.asc', { cwd: fixtures }).map((name) =>
    readFileSync(`${fixtures}/${name}`, 'utf8'),
  );
}
