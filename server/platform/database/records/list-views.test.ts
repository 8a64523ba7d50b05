/** The view of each list has the values that its records were written with. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { beforeAll, expect, test } from 'vitest';
import { Random } from '../../../fleet/testing/random-fleet.ts';
import { readSearch } from '../../../records/criteria/search-request.ts';
import { pageSql } from '../../../records/search/search-sql.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { writeRecords } from '../../../testing/record-factories.ts';
import type { Database } from '../database.ts';
import { contentHash } from '../rows/content-hash.ts';
import { feedColumnsOfList, searchedColumns } from '../rows/list-columns.ts';
import { addWords } from '../rows/stored-row.ts';
import { migrate, migrationsFolder } from '../schema/migrate.ts';
import { writeEntries } from './entry-writer.ts';
import { createListViews } from './list-views.ts';
import { projectRecord } from './project-record.ts';

const lists = catalogueLists.filter(({ source }) => source !== null);
const words = [
  'İstanbul ıß',
  'ÀÉ ς',
  'A\0b',
  'ﬁle',
  'kernel',
  ' ',
  '',
  'Ünï"\\\n',
  `${'é'.repeat(1500)}X`,
  '\ud800',
];

describeWithDatabase('views of lists', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  test.each(lists.map((list) => [list.key, list] as const))(
    'show what was written, and what was written over it: %s',
    async (_, list) => {
      const random = new Random(7);
      const valueOfKind: Readonly<Record<FieldKind, () => unknown>> = {
        text: () => random.of(words),
        prose: () => random.of(words),
        identifier: () => random.of(words),
        link: () => random.of(words),
        identifiers: () => [random.of(words), random.of(words)],
        tags: () => [random.of(words)],
        choice: () => random.of(words),
        number: () => random.below(1e6),
        decimal: () => random.below(100) / 7,
        size: () => random.below(1e6),
        date: () => Date.UTC(2024, 1, random.below(300)),
        flag: () => random.below(2) === 0,
      };
      const fields = Object.entries(list.fields as Readonly<Record<string, Field>>).filter(
        ([, { stamped }]) => stamped === undefined,
      );
      for (const round of [1, 2]) {
        const entries = Array.from({ length: 30 }, (_value, n) => {
          const row = Object.fromEntries(
            fields.map(([name, { kind }]) => [
              name,
              random.below(5) === 0 ? null : valueOfKind[kind](),
            ]),
          );
          const detail = { cve: ['CVE-2024-1234'], round };
          return { key: `k${n}`, row, detail, contentHash: contentHash(row, detail) };
        });
        await database.transaction((tx) => writeEntries(tx, list, 'part', entries, round));
        const columns = feedColumnsOfList(list).flatMap(({ column, folded, rank }) => [
          column,
          ...(folded === null ? [] : [folded]),
          ...(rank === null ? [] : [rank]),
        ]);
        const { rows } = await database.query(
          `select natural_key, keyword, ${columns.join(', ')} from ${list.key}`,
        );
        const shown = new Map(rows.map(({ natural_key: key, ...row }) => [key, row]));
        for (const entry of entries) {
          const { row } = projectRecord(list, entry);
          const written = Object.fromEntries(
            columns.map((name) => {
              const value = row[name] ?? null;
              return [name, typeof value === 'string' ? value.toWellFormed() : value];
            }),
          );
          const { keyword, ...cells } = shown.get(entry.key) ?? {};
          expect(cells).toEqual(written);
          // The view's keyword repeats names that the list shows in columns.
          const wordsOf = (text: unknown) =>
            addWords(new Set(), { ...written, keyword: text as string }, searchedColumns(list));
          expect(wordsOf(keyword)).toEqual(wordsOf(String(row['keyword']).toWellFormed()));
        }
      }
    },
  );

  test('are made again when a definition has changed, and only then', async () => {
    const readId = async () =>
      (await database.query("select 'almalinux_patch'::regclass::oid::int as id")).rows[0]?.['id'];
    const before = await readId();
    await database.transaction((tx) => createListViews(tx));
    expect(await readId()).toBe(before);
    await database.query(
      `comment on view almalinux_patch is '{"hash":"of an earlier definition"}'`,
    );
    await database.transaction((tx) => createListViews(tx));
    expect(await readId()).not.toBe(before);
  });

  test('keep what they show when another definition shares other columns', async () => {
    await writeRecords(database, 'almalinux_patch', [
      { key: 'shared', row: { title: 'İ', severity: 'Low', osVersion: ['Ä 9'] } },
      { key: 'other', row: { title: 'None' } },
    ]);
    const before = await readShared();
    // As a definition without shared columns would read it, and one that shares them again.
    await shareNothing();
    await database.transaction((tx) => createListViews(tx));
    await changeSharedColumns();
    expect(await readShared()).toEqual(before);
    expect(before[0]).toMatchObject({ severity: null, severity_rank: null, os_version: null });
  });

  test('keep what they show when a migration of the same version drops them', async () => {
    await writeRecords(database, 'almalinux_patch', [
      { key: 'shared', row: { title: 'Ü', severity: 'Critical', osVersion: ['Ö 9'] } },
      { key: 'other', row: { title: 'Without' } },
    ]);
    const before = await readShared();
    await shareNothing();
    const folder = await mkdtemp(join(tmpdir(), 'patch-migrations-'));
    await cp(migrationsFolder, folder, { recursive: true });
    await writeFile(join(folder, '998-dropped-views.sql'), 'drop view record cascade;');
    await writeFile(
      join(folder, '999-more-dropped-views.sql'),
      'drop view almalinux_patch; alter table stored_record add column later text;',
    );
    expect(await migrate(database, folder)).toHaveLength(2);
    await rm(folder, { recursive: true });
    await changeSharedColumns();
    expect(await readShared()).toEqual(before);
    expect(before[1]).toMatchObject({ severity: 'Critical', os_version: 'Ö 9' });
  });

  /** Lets the view say that it belongs to a definition that shares no columns. */
  async function shareNothing(): Promise<void> {
    const comment = JSON.stringify({ hash: 'another', shared: {} });
    await database.script(`comment on view almalinux_patch is '${comment}'`);
  }

  const changeSharedColumns = () =>
    database.script(
      "update stored_record set severity = 'High', severity_folded = null, release = 'other'",
    );

  const readShared = async () =>
    (
      await database.query(
        "select natural_key, title, title_folded, severity, severity_rank, os_version, os_version_folded from almalinux_patch where natural_key in ('shared', 'other') order by 1",
      )
    ).rows;

  test('are paged in their default order from an index alone', async () => {
    await database.script('vacuum (analyze) stored_record');
    const plan = await database.transaction(async (tx) => {
      // Few rows would be sorted.
      await tx.script(
        'set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off',
      );
      const { text, values } = pageSql(
        readSearch(getList('almalinux_patch'), { offset: 5, size: 5 }, {}),
      );
      return (await tx.query(`explain ${text}`, values)).rows
        .map((row) => row['QUERY PLAN'])
        .join('\n');
    });
    expect(plan).toContain('Index Only Scan using stored_record_of_list_in_order');
  });
});
