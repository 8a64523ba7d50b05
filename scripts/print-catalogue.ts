/** Prints what the repository's lists hold, as a Markdown table: npm run catalogue. Reads DATA_DIR or DATABASE_URL; the service must not be running on the same DATA_DIR. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { readConfig } from '@patch/server/platform/config/config.ts';
import { fillOf, type ListFill } from '@patch/server/platform/database/catalogue-fill-store.ts';
import { openDatabase } from '@patch/server/platform/database/open-database.ts';

const { dataDir, databaseUrl } = readConfig(process.env, process.cwd());
const database = await openDatabase({ dataDir, databaseUrl });

function fieldsOf({ rows, filled }: ListFill): string {
  const words = (name: string, count: number) =>
    count === rows ? name : `${name} ${(Math.floor((1000 * count) / rows) / 10).toFixed(1)} %`;
  return Object.entries(filled)
    .map(([name, count]) => words(name, count))
    .join(', ');
}

try {
  const lines = [
    '| source | list | rows | fields (and the share of rows that have one, where not all have) |',
    '|---|---|--:|---|',
  ];
  for (const list of catalogueLists) {
    const fill = await fillOf(database, list);
    lines.push(
      `| ${list.source ?? ''} | ${list.label} | ${fill.rows.toLocaleString('en')} | ${fill.rows === 0 ? '' : fieldsOf(fill)} |`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  await database.close();
}
