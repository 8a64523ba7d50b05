/** Plans of a database of an earlier version keep their machines. */
import { expect, test } from 'vitest';
import { migrate } from '../../platform/database/schema/migrate.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { migrateBefore } from '../../testing/earlier-database.ts';
import { machineId } from '../machines/machine-number.ts';
import { readTasks } from './plan-store.ts';

describeWithDatabase('plans of an earlier version', (openFresh) => {
  test('keep the machines of their tasks', async () => {
    const database = await openFresh();
    await migrateBefore(database, 149);
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
