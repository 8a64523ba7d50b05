import { getList } from '@patch/catalogue/lists.ts';
import { createChance, pick } from '@patch/catalogue/testing/chance.ts';
import { seeds } from '@patch/catalogue/testing/rounds.ts';
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { beginEpoch, epochOf, readEpochs } from './epoch-store.ts';
import { raiseRevision } from './list-revision-store.ts';

const list = getList('almalinux_patch');

/** A folder as it was copied: what was written to it, and the tables that count it. */
interface Copy {
  readonly writes: readonly number[];
  readonly tables: string;
}

describeWithDatabase('epochs', (open) => {
  test.each(seeds(20))(
    'tell whether a cursor is of the writes that a folder has, whatever copies were put back (seed %i)',
    async (seed) => {
      const database = await open();
      const chance = createChance(seed);
      let writes: number[] = [];
      let written = 0;
      const copies: Copy[] = [];
      const cursors: { epoch: string; writes: readonly number[] }[] = [];
      const steps = {
        start: () => beginEpoch(database),
        async write() {
          await raiseRevision(database, list, 0);
          writes.push(++written);
        },
        async copy() {
          const { rows } = await database.query(
            `select json_build_object('list_revision', (select json_agg(r) from list_revision r),
             'started_epoch', (select json_agg(e) from started_epoch e))::text as tables`,
            [],
          );
          copies.push({ writes: [...writes], tables: String(rows[0]?.['tables']) });
        },
        async putBack() {
          const copy = copies[Math.floor(chance() * copies.length)];
          if (copy === undefined) return;
          await database.script('delete from list_revision; delete from started_epoch');
          for (const table of ['list_revision', 'started_epoch'])
            await database.query(
              `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1::json -> '${table}')`,
              [copy.tables],
            );
          writes = [...copy.writes];
          await steps.start();
        },
      };
      await steps.start();
      const kinds = ['start', 'write', 'write', 'write', 'copy', 'putBack'] as const;
      for (let step = 0; step < 40; step += 1) {
        await steps[pick(kinds, chance)]();
        const epochs = await readEpochs(database);
        cursors.push({ epoch: epochOf(epochs, list.key, writes.length), writes: [...writes] });
        for (const cursor of cursors) {
          const revision = cursor.writes.length;
          const isAccepted =
            revision <= writes.length && epochOf(epochs, list.key, revision) === cursor.epoch;
          expect(isAccepted).toBe(cursor.writes.every((write, index) => writes[index] === write));
        }
      }
    },
  );

  test('keep those of the revisions that were written, not one for each start', async () => {
    const database = await open();
    for (let start = 0; start < 5; start += 1) await beginEpoch(database);
    await raiseRevision(database, list, 0);
    for (let start = 0; start < 5; start += 1) await beginEpoch(database);
    expect((await readEpochs(database)).started).toHaveLength(2);
  });
});
