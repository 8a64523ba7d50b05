import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { beginEpoch } from '../../platform/database/rows/epoch-store.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeTitled } from '../../testing/record-factories.ts';
import { listState } from './advisory-store.ts';

const list = getList('almalinux_patch');

describeWithDatabase('the state of a list', (open) => {
  test('stays through starts, and is another one after a change that has the number of a lost one', async () => {
    const database = await open();
    await writeTitled(database, list.key, ['a']);
    await beginEpoch(database);
    const copied = await listState(database, list);
    await writeTitled(database, list.key, ['lost']);
    const lost = await listState(database, list);
    expect(lost).not.toBe(copied);
    await database.script(
      `delete from ${list.key} where title = 'lost'; delete from started_epoch;
       update list_revision set revision = revision - 1, listed = listed - 1 where list = '${list.key}'`,
    );
    await beginEpoch(database);
    expect(await listState(database, list)).toBe(copied);
    await writeTitled(database, list.key, ['b']);
    expect((await listState(database, list)).split('.')[1]).toBe(lost.split('.')[1]);
    expect(await listState(database, list)).not.toBe(lost);
  });

  test('is another one after an update of the program that changed no record of the list', async () => {
    const database = await open();
    await writeTitled(database, list.key, ['a']);
    const before = await listState(database, list);
    await database.script("insert into migration values ('999-times-of-records.sql', '', 0)");
    expect(await listState(database, list)).not.toBe(before);
    expect(await listState(database, getList('debian_patch'))).toMatch(/\.999$/);
  });
});
