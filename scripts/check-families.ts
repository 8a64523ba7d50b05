/**
 * Checks that every family is complete: a vendor's folder with its files, its lists and its feed registered, a table for each list.
 * Names each missing step of docs/how-to/add-a-family.md, with the file it is missing from.
 */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { vendorSourceKeys } from '@patch/catalogue/sources.ts';
import { vendorFolderContents, vendorNames } from './family/vendor-folder-contents.ts';
import { listsWithoutTable } from './lists-without-table.ts';

const complaints: string[] = [];
const folders = (await Promise.all(vendorNames().map(vendorFolderContents))).filter(
  (contents) => contents !== null,
);
const defined = new Set<ListDefinition>();
const registeredFeeds: readonly Feed[] = Object.values(vendorFeeds);
for (const { vendor, files, lists, feeds: ofFolder } of folders) {
  const place = `catalogue/vendors/${vendor}`;
  if (lists.length === 0) complaints.push(`${place} has no list: add ${vendor}-list.ts.`);
  if (ofFolder.length === 0) complaints.push(`${place} has no feed: add ${vendor}-feed.ts.`);
  for (const needed of ['fixtures', 'readme.md'])
    if (!files.includes(needed)) complaints.push(`${place} has no ${needed}.`);
  for (const file of files.filter((name) => name.endsWith('-feed.ts'))) {
    const test = file.replace(/\.ts$/, '.test.ts');
    if (!files.includes(test))
      complaints.push(`${place} has no ${test}: every feed has a test file of its own.`);
  }
  for (const [name, list] of lists) {
    defined.add(list);
    if (!catalogueLists.some((registered) => registered === list)) {
      complaints.push(
        `${place} has a list that catalogue/lists.ts does not name: ${list.key}. Add ${name} there.`,
      );
    }
    if (!ofFolder.some(([, { fills }]) => fills.includes(list)))
      complaints.push(`${place} has a list that none of its vendorFeeds fills: ${list.key}.`);
  }
  for (const [name, feed] of ofFolder) {
    if (registeredFeeds.includes(feed)) continue;
    const sources = [...new Set(feed.fills.map(({ source }) => source))].join(', ');
    complaints.push(
      `${place} has a feed that catalogue/feeds.ts does not name: ${name}. Add it there, under its source (${sources}).`,
    );
  }
}

for (const { key, source } of catalogueLists) {
  if (source !== null && ![...defined].some((list) => list.key === key)) {
    complaints.push(`catalogue/lists.ts names ${key}, which no folder of catalogue/vendors has.`);
  }
}

for (const source of vendorSourceKeys) {
  const lists = catalogueLists.filter((list) => list.source === source).map(({ key }) => key);
  if (lists.length === 0)
    complaints.push(`No folder of catalogue/vendors has a list of the source ${source}.`);
  else if (vendorFeeds[source] === undefined) {
    complaints.push(
      `catalogue/feeds.ts names no feed for the source ${source}, which is that of ${lists.join(', ')}.`,
    );
  }
}

for (const { key } of await listsWithoutTable()) {
  complaints.push(
    `No migration makes a table for ${key}: npm run new-migration -- add-${key.replaceAll('_', '-')}, then read and commit it.`,
  );
}

// A checker that reads nothing is green too.
if (folders.length < 10)
  complaints.push(`Only ${folders.length} vendors were found; the check itself must be broken.`);
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(
  `families: ${folders.length} vendors, ${catalogueLists.length} lists, ${complaints.length} complaints\n`,
);
process.exit(complaints.length > 0 ? 1 : 0);
