/** Plans of a database of an earlier version keep their machines. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate, migrationsFolder } from '../../platform/database/migrate.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { machineId } from '../machines/machine-number.ts';
import { readTasks } from './plan-store.ts';

describeWithDatabase('plans of an earlier version', (openFresh) => {
  test('keep the machines of their tasks', async () => {
    const database = await openFresh();
    await database.script('drop schema public cascade; create schema public');
    const earlier = await mkdtemp(join(tmpdir(), 'patch-migrations-'));
    await cp(migrationsFolder, earlier, {
      recursive: true,
      filter: (path) => !/^(149|1[5-9]\d|[2-9]\d\d)-/.test(basename(path)),
    });
    await migrate(database, earlier);
    await rm(earlier, { recursive: true });
    const machines = [
      [],
      [1],
      [127, 128, 16_383, 16_384].map((number) => machineId(1, number)),
      Array.from({ length: 3000 }, (_, index) => machineId(40 + (index % 3), 7 * index)).toSorted(
        (a, b) => a - b,
      ),
    ];
    await database.script(
      `insert into machine_plan (name, criteria, choice, records, created_time, created_by, machines, nothing_to_do, not_judged, being_judged, not_closed)
       values ('Plan', '', 'all', '[]', 1, 'admin', 1, 0, '[]', '[]', '[]')`,
    );
    for (const [position, ids] of machines.entries())
      await database.query(
        `insert into machine_plan_task (plan_id, position, system, updates, machines)
         select id, $1, 'AlmaLinux 9', '[]', $2::bigint[] from machine_plan`,
        [position, `{${ids.join()}}`],
      );
    await migrate(database);
    const { rows } = await database.query('select id from machine_plan');
    const tasks = await readTasks(database, [Number(rows[0]?.['id'])]);
    expect(tasks.map((task) => task.machines)).toEqual(machines);
  });
});
