/** PostgreSQL reads arrays in binary form like arrays in text form. */
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { arrayText, jsonArray, textArray } from './array-text.ts';
import type { Queryable } from './database.ts';

const texts = [
  [],
  [null],
  [''],
  ['one', null, 'zwölf', '三', '😀'],
  ['"', '\\', '{,}', ' NULL ', 'a\nb\tc', 'NULL'],
  ['x'.repeat(300_000), 'é'.repeat(5_000)],
];

const documents = [
  [],
  ['{}', 'null', '[1,2.50,"x"]'],
  [JSON.stringify({ text: '"\\\n\u2028😀', none: null, of: [{ a: 'é' }] })],
];

describeWithDatabase('binary arrays', (open) => {
  test.each(texts)('pass texts unchanged, case %#', async (...values) => {
    const database = await open();
    const unnest = (tx: Queryable, given: unknown) =>
      tx.query(
        'select cardinality($1::text[]) as length, position, word from unnest($1::text[]) with ordinality as of(word, position)',
        [given],
      );
    const expected = values.map((word, index) => ({
      length: values.length,
      position: index + 1,
      word,
    }));
    // Repeated statements are prepared, inside and outside transactions.
    for (let n = 0; n < 3; n += 1) {
      expect((await unnest(database, textArray(values))).rows).toEqual(expected);
      const inside = await database.transaction((tx) => unnest(tx, textArray(values)));
      expect(inside.rows).toEqual(expected);
    }
    expect((await unnest(database, arrayText(values))).rows).toEqual(expected);
  });

  test.each(documents)('pass JSON unchanged, case %#', async (...values) => {
    const database = await open();
    const { rows } = await database.query(
      'select document from unnest($1::json[]) with ordinality as of(document, position) order by position',
      [jsonArray(values)],
    );
    expect(rows.map(({ document }) => document)).toEqual(
      values.map((text) => JSON.parse(text) as unknown),
    );
  });

  test('are refused with a text that PostgreSQL cannot store', async () => {
    const database = await open();
    await expect(
      database.query('select $1::text[] as words', [textArray(['a\0b'])]),
    ).rejects.toMatchObject({ code: '22021' });
  });
});
