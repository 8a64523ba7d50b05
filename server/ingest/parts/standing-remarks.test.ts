import type {
  Feed,
  Part,
  PartManifest,
  Rejection,
  Remark,
} from '@patch/catalogue/definition/feed.ts';
import { entry } from '@patch/catalogue/definition/feed.ts';
import { findUnknownSeverity } from '@patch/catalogue/schemas/severities.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { readRejectionsPage } from '../runs/run-record-store.ts';
import { type SmallRecord, smallFeed } from '../testing/small-feed.ts';
import { describeWithBench } from '../testing/sync-bench.ts';

describeWithBench('standing remarks', (bench) => {
  const good = (...ids: string[]): SmallRecord[] =>
    ids.map((id) => ({ id, title: `Title of ${id}`, severity: 'Low' }));
  const publish = bench.publishPart.bind(bench);
  const unchanged = 'Nothing new: all 2 documents are unchanged.';

  describe('on documents', () => {
    const bad: SmallRecord[] = [
      ...good('A'),
      { id: 'B', reject: 'The vendor gives no date.' },
      { id: 'C', title: 42 },
      { id: 'D', remark: 'The vendor names a new product' },
      { id: 'E', title: 'Title', severity: 'urgent' },
    ];

    beforeEach(async () => {
      await publish('one', bad);
      await publish('two', good('Z'));
    });

    test('reports remarks on unchanged documents in every run, with the reasons of skipped records', async () => {
      const first = await bench.sync(smallFeed);
      expect(first).toMatchObject({ state: 'succeeded_with_warnings', rejected: 2 });
      expect(first.message).toContain('Skipped 2 invalid vendor records.');
      const second = await bench.sync(smallFeed);
      expect(second).toMatchObject({
        state: 'succeeded_with_warnings',
        message: `${unchanged} 2 invalid vendor records are still skipped.`,
        warnings: first.warnings,
        rejected: 2,
        added: 0,
        changed: 0,
      });
      expect(second.warnings).toEqual([
        'Small one: The vendor names a new product.',
        "Small one: Unknown severity 'urgent' in 1 record (E). It is shown as it is.",
      ]);
      const readRejections = async (run: number) =>
        (await readRejectionsPage(bench.database, run, 0, 10)).rows.map(
          ({ record, reason, url }) => ({
            record,
            reason,
            url,
          }),
        );
      expect(await readRejections(second.id)).toEqual(await readRejections(first.id));
      expect(await bench.sync(smallFeed)).toMatchObject({ warnings: first.warnings, rejected: 2 });
    });

    test('stops reporting remarks with the publication that corrects them', async () => {
      await bench.sync(smallFeed);
      await publish('two', good('Z', 'Y'));
      expect(await bench.sync(smallFeed)).toMatchObject({
        added: 1,
        rejected: 2,
        warnings: [expect.any(String), expect.any(String)],
      });
      await publish('one', [
        ...good('A', 'B', 'C', 'E'),
        { id: 'F', reject: 'The vendor gives no date.' },
      ]);
      expect(await bench.sync(smallFeed)).toMatchObject({
        state: 'succeeded_with_warnings',
        rejected: 1,
        warnings: [],
      });
      await publish('one', good('A', 'B', 'C', 'E', 'F'));
      expect(await bench.sync(smallFeed)).toMatchObject({ state: 'succeeded', rejected: 0 });
      expect(await bench.sync(smallFeed)).toMatchObject({
        state: 'succeeded',
        rejected: 0,
        message: unchanged,
      });
    });

    test('counts repeated remarks separately from new ones', async () => {
      await bench.sync(smallFeed);
      await publish('two', [...good('Z'), { id: 'X', reject: 'The vendor gives no date.' }]);
      expect((await bench.sync(smallFeed)).message).toContain(
        'Skipped 1 invalid vendor record. 2 more invalid vendor records are still skipped.',
      );
    });

    test('reports remarks while the vendor is unavailable', async () => {
      const { warnings } = await bench.sync(smallFeed);
      await publish('one', null);
      const run = await bench.sync(smallFeed);
      expect(run.warnings).toEqual([
        ...warnings,
        expect.stringContaining('one.json is no longer published'),
      ]);
      expect(run.rejected).toBe(2);
    });

    test('counts all skipped records, even more than are stored', async () => {
      await publish(
        'one',
        Array.from({ length: 1200 }, (_, index) => ({
          id: `R-${index}`,
          reject: 'The vendor gives no date.',
        })),
      );
      expect(await bench.sync(smallFeed)).toMatchObject({ rejected: 1200 });
      const run = await bench.sync(smallFeed);
      expect(run).toMatchObject({
        rejected: 1200,
        message: `${unchanged} 1,200 invalid vendor records are still skipped.`,
      });
      expect((await readRejectionsPage(bench.database, run.id, 0, 1)).total).toBe(1000);
    });
  });

  test('skips a record again that the database cannot store', async () => {
    await bench.database.script(
      "alter table stored_record add constraint refused check (natural_key <> 'B')",
    );
    await publish('one', good('A', 'B'));
    await publish('two', good('Z'));
    const first = await bench.sync(smallFeed);
    expect(first.rejected).toBe(1);
    expect(await bench.sync(smallFeed)).toMatchObject({
      rejected: 1,
      message: `${unchanged} 1 invalid vendor record is still skipped.`,
    });
  });

  describe('on a publication', () => {
    let remarks: (Remark | Rejection)[];
    const [one] = smallFeed.parts as [Part, ...Part[]];
    const feed: Feed = {
      ...smallFeed,
      parts: [
        {
          ...one,
          contents: async (publication) => ({ ...(await one.contents(publication)), remarks }),
        },
      ],
    };

    test('reports the remarks of each run, with changed and unchanged documents', async () => {
      await publish('one', good('A', 'B'));
      remarks = [];
      expect(await bench.sync(feed)).toMatchObject({ state: 'succeeded', warnings: [] });
      remarks = [
        { kind: 'remark', remark: 'the signature was not verified' },
        {
          kind: 'rejection',
          rejected: 'B',
          reason: 'The index names it twice.',
          url: 'https://small.example/',
        },
      ];
      const expected = { warnings: ['Small one: the signature was not verified.'], rejected: 1 };
      expect(await bench.sync(feed)).toMatchObject({ ...expected, added: 0, withdrawn: 0 });
      await publish('one', good('A'));
      expect(await bench.sync(feed)).toMatchObject({ ...expected, withdrawn: 0 });
      remarks = [];
      expect(await bench.sync(feed)).toMatchObject({
        state: 'succeeded',
        warnings: [],
        rejected: 0,
      });
    });

    test('reports a remark until its end', async () => {
      const [, two] = smallFeed.parts as [Part, Part];
      const until = Date.now() + 500;
      const ending: Feed = {
        ...smallFeed,
        parts: [
          {
            ...two,
            async *read(contents) {
              yield { kind: 'remark' as const, remark: 'the date lies in the future', until };
              yield* two.read(contents);
            },
          },
        ],
      };
      await publish('two', good('A'));
      expect((await bench.sync(ending)).warnings).toEqual([
        'Small two: the date lies in the future.',
      ]);
      while (Date.now() <= until) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await bench.sync(ending)).toMatchObject({ state: 'succeeded', warnings: [] });
    });
  });

  describe('with a partial reading', () => {
    interface Paged {
      readonly id: string;
      readonly severity?: string;
      readonly reject?: boolean;
      readonly remark?: boolean;
    }
    /** Reads page 2 only in the first sync. */
    const paged: Feed = {
      ...smallFeed,
      parts: [
        {
          key: 'pages',
          label: 'Pages',
          async contents(publication): Promise<PartManifest> {
            const newest = await publication.open('https://small.example/page-1.json');
            if (publication.lastCompleteReadAt !== null)
              return { documents: [newest], isComplete: false };
            return {
              documents: [newest, await publication.open('https://small.example/page-2.json')],
              isComplete: true,
            };
          },
          async *read({ documents }) {
            for (const document of documents) {
              for (const { id, severity, reject, remark } of JSON.parse(
                await document.text(),
              ) as Paged[]) {
                if (remark)
                  yield {
                    kind: 'remark' as const,
                    remark: `${id}: its date cannot be read`,
                    keys: [id],
                  };
                if (reject)
                  yield {
                    kind: 'rejection' as const,
                    rejected: id,
                    keys: [id],
                    reason: 'It has no packages.',
                    url: document.url,
                  };
                else
                  yield entry(
                    almalinuxList,
                    id,
                    { bulletinId: id, title: id },
                    {},
                    findUnknownSeverity(severity),
                  );
              }
            }
          },
        },
      ],
    };
    const page = (number: number, ...content: Paged[]) =>
      bench.publish(`small.example/page-${number}.json`, content);
    const reported = async () => {
      const { warnings, rejected } = await bench.sync(paged);
      return { warnings, rejected };
    };

    test('keeps remarks on unread pages until their records are read again', async () => {
      await page(1, { id: 'A', severity: 'urgent' }, { id: 'B', reject: true });
      await page(
        2,
        { id: 'C', severity: 'urgent' },
        { id: 'D', reject: true },
        { id: 'E', remark: true },
      );
      const date = 'Pages: E: its date cannot be read.';
      const urgent = (words: string) =>
        `Pages: Unknown severity 'urgent' in ${words}. It is shown as Unspecified.`;
      expect(await reported()).toEqual({
        warnings: [date, urgent('2 records, for example A')],
        rejected: 2,
      });
      await page(1, { id: 'New' }, { id: 'A', severity: 'urgent' }, { id: 'B', reject: true });
      expect(await reported()).toEqual({
        warnings: [date, urgent('2 records, for example A')],
        rejected: 2,
      });
      // B and A are now on the second page, which is not read.
      await page(1, { id: 'Newer' }, { id: 'New', severity: 'urgent' });
      expect(await reported()).toEqual({
        warnings: [date, urgent('3 records, for example New')],
        rejected: 2,
      });
      await page(1, { id: 'Newest' }, { id: 'B' }, { id: 'D' }, { id: 'C' }, { id: 'E' });
      expect(await reported()).toEqual({
        warnings: [urgent('2 records, for example New')],
        rejected: 0,
      });
      expect(await reported()).toEqual({
        warnings: [urgent('2 records, for example New')],
        rejected: 0,
      });
    });
  });
});
