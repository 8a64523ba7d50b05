/** The assessments at the start of a service use releases of the catalogue, and run all steps of an assessment. */
import { getList } from '@patch/catalogue/lists.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Database, Queryable } from '../platform/database/database.ts';
import { ListMemories } from '../records/memory/list-memories.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { warmAssessment } from './machines-plugin.ts';
import { erratum, writeKernelAdvisory } from './testing/machine-catalogue.ts';

const countShown = (statements: readonly string[]) =>
  statements.filter((text) => text.includes('identifier, title, severity, exploited, cvss, epss'))
    .length;

describeWithDatabase('warmAssessment', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  const collectStatements = async () => {
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

  test('runs one statement on an empty catalogue', async () => {
    expect(await collectStatements()).toHaveLength(1);
  });

  test('reads the shown records of releases with rpm and deb packages', async () => {
    await writeKernelAdvisory(database);
    expect(countShown(await collectStatements())).toBe(3);
    await writeRecords(database, getList('almalinux_patch'), [
      erratum('ALSA-1', 'Important', [['bash', '1.0-2.el8']]),
    ]);
    expect(countShown(await collectStatements())).toBe(3);
  });

  test('ends when the service stops', async () => {
    const parts = { database, memories: new ListMemories(database), clock: Date.now };
    await expect(warmAssessment(parts, AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
