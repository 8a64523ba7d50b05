import * as fields from '@patch/catalogue/definition/fields.ts';
import { defineList, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import type { Database } from './database.ts';
import { draftMigration } from './draft-migration.ts';
import { readDraftedShape, readTableShape } from './table-shape.ts';
import { tableSql } from './table-sql.ts';

const { choice, date, text, ...others } = fields;

/** A list of a first version, with more fields or another order. */
function listWith(more: fields.Fields, defaultSort = '-released'): ListDefinition {
  const list = defineList({
    key: 'lantern_patch',
    label: 'Lantern patches',
    shortLabel: 'Lantern',
    source: 'lantern',
    route: 'lantern-patch',
    searchPath: '/lantern/search',
    detailPath: '/lantern/{id}',
    fields: {
      title: text('Title'),
      released: date('Released'),
      severity: choice('Severity', ['low', 'high']),
    },
    columns: ['title'],
    searchable: ['title'],
    identity: ['title'],
    defaultSort: '-released',
  });
  return { ...list, fields: { ...list.fields, ...more }, defaultSort } as unknown as ListDefinition;
}

describeWithDatabase('draftMigration', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    await database.script(
      "drop table if exists lantern_patch, candle_patch; delete from list_revision where list in ('lantern_patch', 'candle_patch')",
    );
    await database.script(tableSql(listWith({})));
    await database.query(
      "insert into lantern_patch (natural_key, part, content_hash, created_time, updated_time, keyword, title, title_folded) values ('1', 'all', 'x', 1, 1, 'wick', 'Wick', 'wick')",
    );
  });

  async function applyDraft(list: ListDefinition): Promise<string> {
    const draft = await draftMigration(database, list);
    await database.script(draft?.sql ?? '');
    expect(await readTableShape(database, list.key)).toEqual(
      await readDraftedShape(database, list),
    );
    expect(await draftMigration(database, list)).toBeNull();
    return draft?.sql ?? '';
  }

  test.each([...Object.entries(others), ['text', text], ['date', date]] as [
    string,
    (label: string) => fields.Field,
  ][])(
    'adds columns and index of a field of the kind %s, and leaves existing rows readable',
    async (_kind, field) => {
      const sql = await applyDraft(listWith({ addedField: field('Added') }));
      expect(sql).toMatch(/^alter table lantern_patch\n {2}add column added_field /);
      expect((await database.query('select title, added_field from lantern_patch')).rows).toEqual([
        { title: 'Wick', added_field: null },
      ]);
    },
  );

  test('adds the rank of a choice', async () => {
    const sql = await applyDraft(listWith({ urgency: choice('Urgency', ['low', 'high']) }));
    expect(sql).toContain('add column urgency_rank smallint');
  });

  test('replaces the index of the order when the order changes', async () => {
    const sql = await applyDraft(listWith({ seen: date('Seen') }, '-seen'));
    expect(sql).toContain(
      'drop index lantern_patch_in_order;\ncreate index lantern_patch_in_order on lantern_patch (seen desc nulls last',
    );
  });

  test('creates the table of a list without one', async () => {
    const list = { ...listWith({}), key: 'candle_patch' };
    expect(await applyDraft(list)).toBe(tableSql(list));
  });

  test('leaves columns with a changed type or without a field to a person', async () => {
    const list = listWith({ title: fields.number('Title') });
    const draft = await draftMigration(database, list);
    expect(draft?.byHand).toEqual([
      'lantern_patch.title is text in the table, bigint in the definition',
      'lantern_patch.title_folded belongs to no field of the definition',
    ]);
    expect(draft?.sql).toContain(
      '-- To be written by hand: lantern_patch.title_folded belongs to no field of the definition.\n',
    );
    expect(draft?.sql).not.toContain('drop column');
  });

  test('leaves no schema or column behind', async () => {
    await draftMigration(database, listWith({ seen: date('Seen') }));
    expect(
      (await database.query("select 1 from pg_namespace where nspname = 'draft'")).rows,
    ).toEqual([]);
    expect([...(await readTableShape(database, 'lantern_patch')).columns.keys()]).not.toContain(
      'seen',
    );
  });
});
