/** What is asked at the start of a service is of the catalogue's own releases, and takes the whole way of an assessment. */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Database, Queryable } from '../platform/database/database.ts';
import { ListMemories } from '../records/memory/list-memories.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { erratum, writeKernelAdvisory } from './testing/machine-catalogue.ts';
import { warmAssessment } from './warm-assessment.ts';

describeWithDatabase('what is asked at the start', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  const asked = async () => {
    const statements: string[] = [];
    const counted: Queryable = {
      query(text, values) {
        statements.push(text);
        return database.query(text, values);
      },
    };
    const parts = { database: counted, memories: new ListMemories(database), clock: Date.now };
    await warmAssessment(parts, new AbortController().signal);
    return statements;
  };

  test('is nothing more of an empty catalogue', async () => {
    expect(await asked()).toHaveLength(1);
  });

  test('reads what an answer shows, of releases with either kind of packages', async () => {
    await writeKernelAdvisory(database);
    expect((await asked()).filter((text) => text.includes('select shown.*'))).toHaveLength(3);
    await writeRecords(database, listOfKey('almalinux_patch'), [
      erratum('ALSA-1', 'Important', [['bash', '1.0-2.el8']]),
    ]);
    expect((await asked()).filter((text) => text.includes('select shown.*'))).toHaveLength(3);
  });

  test('ends when the service does', async () => {
    const parts = { database, memories: new ListMemories(database), clock: Date.now };
    await expect(warmAssessment(parts, AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
