import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { addRun, takeRun } from './run-store.ts';

describeWithDatabase('queued runs', (open) => {
  test('start in the order in which they were queued', async () => {
    const database = await open();
    const sources = ['debian', 'almaLinux', 'centOs'] as const;
    for (const source of sources) await addRun(database, source, 'tester', 1);
    for (const source of sources) expect((await takeRun(database, null, 2))?.source).toBe(source);
    expect(await takeRun(database, null, 2)).toBeNull();
  });
});
