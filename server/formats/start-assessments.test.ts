/** Large inventories and batches are judged in a thread, which answers as the calling thread does. */
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Assessor, assessBySize, assessHere } from '../machines/assessor.ts';
import { erratum } from '../machines/testing/machine-catalogue.ts';
import { buildRecordIndex } from '../platform/database/records/build-record-index.ts';
import type { OpenDatabase } from '../platform/database/schema/open-database.ts';
import { ListMemories } from '../records/memory/list-memories.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { answerBatchBySize, answerBatchHere } from './osv/osv-batch.ts';
import { type RunningAssessments, startAssessments } from './start-assessments.ts';

const never = new AbortController().signal;
const inventory = (packages: number) =>
  `ID="almalinux"\nVERSION_ID="8.9"\nbash-4.4.20-4.el8.x86_64\n${Array.from(
    { length: packages },
    (_, index) => `package-${index}-1.0-1.el8.x86_64\n`,
  ).join('')}`;
const query = (index: number) => ({
  version: `4.4.20-${index}.el8`,
  package: { name: 'bash', ecosystem: 'AlmaLinux:8' },
});

describeWithDatabase('the assessment thread', (open) => {
  let database: OpenDatabase;
  let here: Assessor;
  let running: RunningAssessments | null = null;

  beforeAll(async () => {
    database = await open();
    await buildRecordIndex({ database });
    await writeRecords(database, 'almalinux_patch', [
      erratum('ALSA-2024:1', 'Critical', [['bash', '4.4.20-5.el8']]),
      erratum('ALSA-2024:2', 'Low', [['bash', '4.4.20-60.el8']]),
    ]);
    here = assessHere({ database, memories: new ListMemories(database), clock: Date.now });
  });
  afterEach(async () => {
    await running?.stop();
    running = null;
  });

  const start = () => {
    running = startAssessments({
      database,
      log: { warn: () => undefined, error: () => undefined } as never,
    });
    return running;
  };

  test('answers texts, machines and batches as the calling thread', async () => {
    const { assessor, answerBatch } = start();
    for (const format of ['json', 'csv'] as const) {
      const text = inventory(3);
      expect(await assessor.assessText(text, format, never)).toBe(
        await here.assessText(text, format, never),
      );
    }
    const batch = { queries: Array.from({ length: 120 }, (_, index) => query(index)) };
    const answer = await answerBatch(batch, never);
    expect(answer).toBe(await answerBatchHere(database)(batch, never));
    const { results } = JSON.parse(answer) as { results: { vulns?: object[] }[] };
    expect(results.map(({ vulns = [] }) => vulns.length)).toEqual(
      batch.queries.map((_, index) => Number(index < 5) + Number(index < 60)),
    );
  });

  test('returns refusals with their code', async () => {
    const { answerBatch } = start();
    const queries = [{ package: { name: 'bash', ecosystem: 'Homebrew' } }];
    await expect(answerBatch({ queries }, never)).rejects.toMatchObject({
      name: 'AppError',
      code: 'invalid_osv_query',
    });
  });

  test('takes what is large, and leaves what is small to the calling thread', async () => {
    const taken: string[] = [];
    const named = (name: string) => ({
      assessText: () => Promise.resolve(name).then((one) => (taken.push(one), one)),
      assessPage: () => Promise.resolve(taken.push(name) as never),
    });
    const bySize = assessBySize(named('here'), named('thread'));
    await bySize.assessText(inventory(1000), 'json', never);
    await bySize.assessText(inventory(10_000), 'json', never);
    const machine = (packages: number) =>
      ({ machine: { packages: Array(packages), kbs: [], applications: [] } }) as never;
    await bySize.assessPage(machine(1000), { offset: 0, size: 1 }, never);
    await bySize.assessPage(machine(1001), { offset: 0, size: 1 }, never);
    const answers = answerBatchBySize(named('here').assessText, named('thread').assessText);
    await answers({ queries: [query(1)] }, never);
    await answers({ queries: Array.from({ length: 11 }, (_, index) => query(index)) }, never);
    expect(taken).toEqual(['here', 'thread', 'here', 'thread', 'here', 'thread']);
  });
});
