/** Follows docs/how-to/add-a-field.md in a copy of this repository: a database that was synced before gets the field, and the family's check is green. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from './generated-documents.ts';
import { complaintOf, RepositoryCopy, shellLines } from './testing/repository-copy.ts';

const howTo = readFileSync(join(repositoryRoot, 'docs', 'how-to', 'add-a-field.md'), 'utf8');
const [draft = '', check = ''] = shellLines(howTo);
const definition = /```ts\n\s*(fields: .*)\n\s*```/.exec(howTo)?.[1] ?? '';
const folder = 'catalogue/vendors/oraclelinux';

let copy: RepositoryCopy;
beforeAll(() => {
  copy = new RepositoryCopy();
  writeFileSync(copy.path('server/ingest/sync/sync-oracle.ts'), syncProgram);
});
afterAll(() => copy.remove());

/** Throws when the file does not say what is to be exchanged. */
function change(
  file: string,
  from: string | RegExp,
  to: string | ((...groups: string[]) => string),
): void {
  const text = readFileSync(copy.path(file), 'utf8');
  const changed = text.replace(from, to as string);
  if (changed === text) throw new Error(`${file} does not say ${String(from)}`);
  writeFileSync(copy.path(file), changed);
}

/** Migrates the database of a folder, syncs the fixtures of Oracle Linux into it, and prints the result. */
const syncProgram = `import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { fixturesOf } from '@patch/catalogue/testing/vendor-fixtures.ts';
import { openEmbedded } from '../../platform/database/embedded-database.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { folderUpstream } from './folder-upstream.ts';
import { SyncBench } from './testing/sync-bench.ts';

const feed = vendorFeeds.oracleLinux;
const [dataDir] = process.argv.slice(2);
if (feed === undefined || dataDir === undefined) throw new Error('no feed or no folder');
const database = await openEmbedded({ dataDir });
await migrate(database);
const bench = await SyncBench.open(database);
const { state, message, added, changed } = await bench.sync(feed, { source: 'oracleLinux', upstream: folderUpstream(fixturesOf(feed)) });
const { rows } = await database.query('select * from oracle_linux_patch order by natural_key');
await bench.close();
await database.close();
process.stdout.write(JSON.stringify({ state, message, added, changed, rows }));
`;

interface Synced {
  readonly state: string;
  readonly message: string;
  readonly added: number;
  readonly changed: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

function synced(): Synced {
  const { status, output } = copy.node(
    'server/ingest/sync/sync-oracle.ts',
    copy.path('data-of-before'),
  );
  if (status !== 0) throw new Error(output);
  return JSON.parse(output.slice(output.indexOf('{'))) as Synced;
}

const urgencies = ({ rows }: Synced) =>
  new Map(rows.map((row) => [row['severity'], row['urgency']]));

test('the how-to has the definition, the command that drafts and the command that checks', () => {
  expect(definition).toMatch(
    /^fields: \{ \.\.\.rpmErrataShape\.fields, urgency: choice\(.*\) \},$/,
  );
  expect([draft, check]).toEqual([
    expect.stringMatching(/^npm run new-migration -- add-urgency-to-oracle-linux$/),
    'npm run check -- family oraclelinux',
  ]);
});

test('records that were synced before get the field with the migration and the next version of the feed', {
  timeout: 180_000,
}, () => {
  const before = synced();
  expect(before.state).toMatch(/^succeeded/);
  expect(before.added).toBeGreaterThan(0);

  change(`${folder}/oraclelinux-list.ts`, 'import { identifier }', 'import { choice, identifier }');
  change(
    `${folder}/oraclelinux-list.ts`,
    '  ...rpmErrataShape,\n',
    `  ...rpmErrataShape,\n  ${definition}\n`,
  );
  change(
    `${folder}/oraclelinux-feed.ts`,
    'row, completed,',
    "{ ...row, urgency: row.severity === 'Important' ? 'high' : null }, completed,",
  );
  const drafted = copy.shell(draft);
  expect(drafted).toEqual({
    status: 0,
    output: expect.stringMatching(/\d{3}-add-urgency-to-oracle-linux\.sql: oracle_linux_patch$/m),
  });
  const migration = /\S+add-urgency-to-oracle-linux\.sql/.exec(drafted.output)?.[0] ?? '';
  expect(readFileSync(migration, 'utf8')).toMatch(
    /^alter table oracle_linux_patch\n {2}add column urgency text,[^;]* add column urgency_rank smallint;/,
  );

  // Documents that have not changed are not read again for a field.
  const notRaised = synced();
  expect([notRaised.changed, urgencies(notRaised).get('Important')]).toEqual([0, null]);

  change(
    `${folder}/oraclelinux-feed.ts`,
    /\bversion: (\d+),/,
    (_whole, version) => `version: ${Number(version) + 1},`,
  );
  const raised = synced();
  expect([raised.state, raised.added]).toEqual([before.state, 0]);
  expect(raised.changed).toBeGreaterThan(0);
  expect(urgencies(raised).get('Important')).toBe('high');
  const ids = ({ rows }: Synced) => rows.map(({ id }) => id);
  expect(ids(raised)).toEqual(ids(before));
  expect(complaintOf(copy.shell(draft))).toBe('');
});

test('with the values in the tests that compare whole rows, what concerns the family is green', {
  timeout: 300_000,
}, () => {
  change(
    `${folder}/oraclelinux-feed.test.ts`,
    "severity: 'Important',\n",
    "severity: 'Important',\n    urgency: 'high',\n",
  );
  change(
    `${folder}/oraclelinux-mirror.test.ts`,
    /( +)severity: (one\(.*\)),\n/,
    (_whole, indent, severity) =>
      `${indent}severity: ${severity},\n${indent}urgency: ${severity}?.toUpperCase() === 'IMPORTANT' ? 'high' : null,\n`,
  );
  change(
    `${folder}/readme.md`,
    '| severity ',
    '| urgency                     | high for Important |\n| severity ',
  );
  expect(
    complaintOf(copy.node('node_modules/@biomejs/biome/bin/biome', 'format', '--write', folder)),
  ).toBe('');
  expect(complaintOf(copy.shell(check))).toBe('');
});
