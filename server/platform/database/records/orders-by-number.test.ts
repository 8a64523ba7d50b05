/** The database's functions natural_order and version_order agree with catalogue/testing/number-orders.ts. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { naturalOrder, versionOrder } from '@patch/catalogue/testing/number-orders.ts';
import { dpkgPairs } from '@patch/catalogue/testing/version-pairs.ts';
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { arrayText } from '../array-text.ts';

const written = [
  ...dpkgPairs(500, 1).flat(),
  'KB5034441',
  'ALSA-2024:10702',
  '',
  '0',
  '7'.repeat(40),
  `a${'1b'.repeat(80)}`,
  '😀1😀',
  '٣3',
].map(fold);

describeWithDatabase('natural_order and version_order', (open) => {
  test('return the same in the database as in memory', async () => {
    const database = await open();
    const { rows } = await database.query(
      'select natural_order(text) as natural, version_order(text) as version from unnest($1::text[]) with ordinality as written(text, position) order by position',
      [arrayText(written)],
    );
    expect(rows).toEqual(
      written.map((text) => ({ natural: naturalOrder(text), version: versionOrder(text) })),
    );
  });
});
