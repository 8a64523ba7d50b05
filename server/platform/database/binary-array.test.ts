/** Arrays in binary form are read as the same arrays in text. */
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { arrayText } from './array-text.ts';
import { jsonArray, textArray } from './binary-array.ts';
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

describeWithDatabase('arrays in binary form', (open) => {
  test.each(texts)('text, case %#', async (...values) => {
    const database = await open();
    const asked = (tx: Queryable, given: unknown) =>
      tx.query(
        'select cardinality($1::text[]) as length, place, word from unnest($1::text[]) with ordinality as of(word, place)',
        [given],
      );
    const expected = values.map((word, place) => ({
      length: values.length,
      place: place + 1,
      word,
    }));
    // A statement that comes again is kept, inside of transactions and outside.
    for (let n = 0; n < 3; n += 1) {
      expect((await asked(database, textArray(values))).rows).toEqual(expected);
      const inside = await database.transaction((tx) => asked(tx, textArray(values)));
      expect(inside.rows).toEqual(expected);
    }
    expect((await asked(database, arrayText(values))).rows).toEqual(expected);
  });

  test.each(documents)('JSON, case %#', async (...values) => {
    const database = await open();
    const { rows } = await database.query(
      'select document from unnest($1::json[]) with ordinality as of(document, place) order by place',
      [jsonArray(values)],
    );
    expect(rows.map(({ document }) => document)).toEqual(
      values.map((text) => JSON.parse(text) as unknown),
    );
  });

  test('a text that PostgreSQL cannot keep is refused', async () => {
    const database = await open();
    await expect(
      database.query('select $1::text[] as words', [textArray(['a\0b'])]),
    ).rejects.toMatchObject({ code: '22021' });
  });
});
