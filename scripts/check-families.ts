/**
 * Every family is whole: a vendor's folder with what belongs into it, its lists and its feed registered, a table for each list.
 * What docs/how-to/add-a-family.md asks for and somebody forgot is named, with the file it is missing from.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { sourceKeys } from '@patch/catalogue/definition/sources.ts';
import { feeds } from '@patch/catalogue/feeds.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { migrationsSoFar } from './lists-without-table.ts';

const vendors = join(import.meta.dirname, '..', 'catalogue', 'vendors');
const complaints: string[] = [];

const isList = (value: unknown): value is ListDefinition => value instanceof Object && 'searchPath' in value && 'columns' in value;
const isFeed = (value: unknown): value is Feed => value instanceof Object && 'fills' in value && 'parts' in value;

/** What the folder's files of that ending export, by name. */
async function exported<Kind>(folder: string, ending: string, isKind: (value: unknown) => value is Kind): Promise<[string, Kind][]> {
  const files = readdirSync(join(vendors, folder)).filter((file) => file.endsWith(ending));
  const modules = await Promise.all(files.map(async (file) => (await import(join(vendors, folder, file))) as Record<string, unknown>));
  return modules.flatMap((module) => Object.entries(module).filter((one): one is [string, Kind] => isKind(one[1])));
}

const folders = readdirSync(vendors);
const defined = new Set<ListDefinition>();
const registeredFeeds: readonly Feed[] = Object.values(feeds);
for (const folder of folders) {
  const place = `catalogue/vendors/${folder}`;
  const lists = await exported(folder, '-list.ts', isList);
  const ofFolder = await exported(folder, '-feed.ts', isFeed);
  if (lists.length === 0) complaints.push(`${place} has no list: add ${folder}-list.ts.`);
  if (ofFolder.length === 0) complaints.push(`${place} has no feed: add ${folder}-feed.ts.`);
  for (const needed of ['fixtures', 'readme.md']) {
    if (!existsSync(join(vendors, folder, needed))) complaints.push(`${place} has no ${needed}.`);
  }
  for (const file of readdirSync(join(vendors, folder)).filter((name) => name.endsWith('-feed.ts'))) {
    const test = file.replace(/\.ts$/, '.test.ts');
    if (!existsSync(join(vendors, folder, test))) complaints.push(`${place} has no ${test}: every feed has a test file of its own.`);
  }
  for (const [name, list] of lists) {
    defined.add(list);
    if (!catalogueLists.some((registered) => registered === list)) {
      complaints.push(`${place} has a list that catalogue/lists.ts does not name: ${list.key}. Add ${name} there.`);
    }
    if (!ofFolder.some(([, { fills }]) => fills.includes(list)))
      complaints.push(`${place} has a list that no feed of it fills: ${list.key}.`);
  }
  for (const [name, feed] of ofFolder) {
    if (registeredFeeds.includes(feed)) continue;
    const sources = [...new Set(feed.fills.map(({ source }) => source))].join(', ');
    complaints.push(`${place} has a feed that catalogue/feeds.ts does not name: ${name}. Add it there, under its source (${sources}).`);
  }
}

for (const { key, source } of catalogueLists) {
  if (source !== null && ![...defined].some((list) => list.key === key)) {
    complaints.push(`catalogue/lists.ts names ${key}, which no folder of catalogue/vendors has.`);
  }
}

for (const source of sourceKeys) {
  const lists = catalogueLists.filter((list) => list.source === source).map(({ key }) => key);
  if (lists.length === 0) complaints.push(`No folder of catalogue/vendors has a list of the source ${source}.`);
  else if (feeds[source] === undefined) {
    complaints.push(`catalogue/feeds.ts names no feed for the source ${source}, which is that of ${lists.join(', ')}.`);
  }
}

const { listsWithoutTable } = await migrationsSoFar();
for (const { key } of listsWithoutTable) {
  complaints.push(
    `No migration makes a table for ${key}: npm run new-migration -- add-${key.replaceAll('_', '-')}, then read and commit it.`,
  );
}

// A checker that reads nothing is green too.
if (folders.length < 10) complaints.push(`Only ${folders.length} vendors were found; the check itself must be broken.`);
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(`families: ${folders.length} vendors, ${catalogueLists.length} lists, ${complaints.length} complaints\n`);
process.exit(complaints.length > 0 ? 1 : 0);
