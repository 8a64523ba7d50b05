/** docs/sources.md: every source with the lists it fills and the publication it is read from, as the registries say. */
import { basename, dirname } from 'node:path';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { sourceLabels, type VendorSourceKey, vendorSourceKeys } from '@patch/catalogue/sources.ts';
import { fixturesOf } from '@patch/catalogue/testing/vendor-fixtures.ts';

const introduction = `# Sources and their lists

Written from \`catalogue/lists.ts\` and \`catalogue/feeds.ts\` by \`npm run docs\`; a test fails when it is stale. [catalogue.md](catalogue.md) says how many
records and fields each list held when that was last measured.

| source | key | lists | publication | details |
|---|---|---|---|---|
`;

export function sourceTable(): string {
  return `${introduction}${vendorSourceKeys.map(line).join('\n')}\n`;
}

function line(source: VendorSourceKey): string {
  const lists = catalogueLists
    .filter((list) => list.source === source)
    .map(({ label, key }) => `${label} (\`${key}\`)`);
  const start = `| ${sourceLabels[source]} | \`${source}\` | ${lists.join('<br>')}`;
  const feed = vendorFeeds[source];
  if (feed === undefined) return `${start} | not collected yet | |`;
  const folder = basename(dirname(fixturesOf(feed)));
  const readme = `[readme](../catalogue/vendors/${folder}/readme.md)`;
  return `${start} | <${feed.homepage}> | ${readme} |`;
}
