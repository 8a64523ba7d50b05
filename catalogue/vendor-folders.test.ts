/** Rules for every vendor's folder; each failure names the forgotten step of docs/how-to/add-a-family.md. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { vendorFeeds } from './feeds.ts';
import { catalogueLists } from './lists.ts';

const vendors = join(import.meta.dirname, 'vendors');

/** Returns the values with the property that the files with this ending export. */
async function importExports(vendor: string, ending: string, property: string): Promise<unknown[]> {
  const files = readdirSync(join(vendors, vendor), { encoding: 'utf8', recursive: true }).filter(
    (file) => file.endsWith(ending),
  );
  const modules = await Promise.all(
    files.map(async (file) => (await import(join(vendors, vendor, file))) as object),
  );
  return modules
    .flatMap((module) => Object.values(module) as unknown[])
    .filter((value) => value instanceof Object && Object.hasOwn(value, property));
}

describe.each(readdirSync(vendors))('the folder of %s', (vendor) => {
  test('has fixtures, a readme and a test of each feed', () => {
    const files = readdirSync(join(vendors, vendor));
    const tests = files
      .filter((file) => file.endsWith('-feed.ts'))
      .map((file) => file.replace('.ts', '.test.ts'));
    expect(files).toEqual(expect.arrayContaining(['fixtures', 'readme.md', ...tests]));
  });

  test('has feeds, all registered in feeds.ts', async () => {
    const feeds = await importExports(vendor, '-feed.ts', 'fills');
    expect(feeds.length).toBeGreaterThan(0);
    expect(Object.values(vendorFeeds)).toEqual(expect.arrayContaining(feeds));
  });

  test('has lists, all registered in lists.ts and filled by a feed', async () => {
    const lists = await importExports(vendor, '-list.ts', 'searchPath');
    expect(lists.length).toBeGreaterThan(0);
    expect(catalogueLists).toEqual(expect.arrayContaining(lists));
    const filled = Object.values(vendorFeeds).flatMap(({ fills }) => fills);
    expect(filled).toEqual(expect.arrayContaining(lists));
  });
});
