/** A KB is withdrawn once no list of Microsoft has it. Until then its document comes from a list that has it, and its version grows. */
import { expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { serverUpdate } from '../../machines/testing/machine-catalogue.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';

const day = (number: number) => Date.UTC(2026, 0, number);
const date = (number: number) => new Date(day(number)).toISOString();

describeApp('the document of a KB in two lists', (service) => {
  const read = (path: string) => service.operator.get(`/csaf/${path}`);

  /** Returns the title and the last revision, which the document, the index and the feed state alike. */
  const readLast = async () => {
    const { json } = await read('advisory/KB5034129');
    const { title, tracking } = json['document'] as {
      readonly title: string;
      readonly tracking: Readonly<Record<string, unknown>> & {
        readonly revision_history: readonly { readonly date: string; readonly summary: string }[];
      };
    };
    const last = tracking.revision_history.at(-1);
    expect(tracking).toMatchObject({
      id: 'KB5034129',
      initial_release_date: date(1),
      current_release_date: last?.date,
    });
    expect((await read('2026/kb5034129.json')).json).toEqual(json);
    expect(String((await read('changes.csv')).bytes)).toBe(`2026/kb5034129.json,${last?.date}\n`);
    expect((await read('feed.json')).json).toMatchObject({
      feed: { entry: [{ id: 'KB5034129', published: date(1), updated: last?.date }] },
    });
    return [title, tracking['version'], last?.summary];
  };

  test('is of the first list that has it', async () => {
    const { database } = service;
    const guide = serverUpdate('KB5034129', '10.0.20348.2227');
    const ofGuide = guide.row.name;
    const writeGuide = (time: number) => writeRecords(database, 'patch_repository', [guide], time);
    const writeUpdate = (title: string, time: number) => {
      const row = { kbId: 'KB5034129', title, productName: ['Windows Server 2022'] };
      return writeRecords(database, 'kb_repository', [{ key: 'KB5034129', row }], time);
    };
    const changed = 'As Microsoft changed it.';

    const inGuide = (await writeGuide(day(1))).get('KB5034129');
    const inUpdates = (await writeUpdate('Update', day(2))).get('KB5034129');
    expect(await readLast()).toEqual([ofGuide, '1.0.0', 'First read from Microsoft.']);
    await withdrawRecords(database, 'patch_repository', [inGuide], day(3));
    expect(await readLast()).toEqual(['Update', '1.20260103.0', changed]);
    await writeUpdate('Newer update', day(4));
    expect(await readLast()).toEqual(['Newer update', '1.20260104.0', changed]);
    await writeGuide(day(5));
    expect(await readLast()).toEqual([ofGuide, '1.20260105.0', changed]);
    await writeUpdate('Newest update', day(6));
    expect(await readLast()).toEqual([ofGuide, '1.20260105.0', changed]);
    await withdrawRecords(database, 'patch_repository', [inGuide], day(7));
    expect(await readLast()).toEqual(['Newest update', '1.20260107.0', changed]);
    await withdrawRecords(database, 'kb_repository', [inUpdates], day(8));
    expect(await readLast()).toEqual([
      ofGuide,
      '1.20260108.0',
      'Withdrawn: Microsoft lists KB5034129 no more.',
    ]);
  });
});
