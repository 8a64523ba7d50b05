/** Decides which parts are read again, and what a reading takes over from the last one. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { BrokenDocument } from '@patch/catalogue/parsers/create-document.ts';
import { expect, test } from 'vitest';
import { type SmallRecord, smallFeed } from '../testing/small-feed.ts';
import { describeWithBench } from '../testing/sync-bench.ts';

const addresses = { one: 'https://small.example/one.json', two: 'https://small.example/two.json' };
const [one] = smallFeed.parts;
if (one === undefined) throw new Error('The small feed has two parts');

describeWithBench('parts that are read again', (bench) => {
  const publish = (part: 'one' | 'two', ...ids: readonly string[]) =>
    bench.publish(
      `small.example/${part}.json`,
      ids.map((id): SmallRecord => ({ id, title: `Title of ${id}` })),
    );

  test('reads a former document again after the writing of another one broke off', async () => {
    const ids = Array.from({ length: 1_500 }, (_, n) => `R-${n}`);
    const changed = ids.map((id): SmallRecord => ({ id, title: `Another title of ${id}` }));
    const countTitles = async (words: string) => {
      const { rows } = await bench.database.query(
        'select count(*)::int as count from almalinux_patch where title like $1',
        [`${words} of %`],
      );
      return rows[0]?.['count'];
    };
    await publish('one', ...ids);
    await bench.sync(smallFeed);
    await bench.database.script(`
      create function break_off() returns trigger language plpgsql as $$ begin raise exception 'Broken off'; end $$;
      create trigger break_off before update on stored_record for each row when (new.natural_key = 'R-1400') execute function break_off();`);
    await bench.publish('small.example/one.json', changed);
    expect(await bench.sync(smallFeed)).toMatchObject({ state: 'failed' });
    expect(await countTitles('Another title')).toBeGreaterThan(0);
    await bench.database.script('drop trigger break_off on stored_record');
    await publish('one', ...ids);
    await bench.sync(smallFeed);
    expect(await countTitles('Title')).toBe(ids.length);
    expect((await bench.sync(smallFeed)).message).toMatch(/^Nothing new/);
  });

  test('takes over an unchanged record that another part lists now', async () => {
    await publish('one', 'A');
    await publish('two', 'B', 'C');
    await bench.sync(smallFeed);
    await publish('one', 'A', 'B');
    await publish('two', 'C');
    expect(await bench.sync(smallFeed)).toMatchObject({ added: 0, changed: 0, withdrawn: 0 });
    await publish('one', 'A');
    expect(await bench.sync(smallFeed)).toMatchObject({ withdrawn: 1 });
  });

  test.each([
    { isComplete: false, readings: 1 },
    { isComplete: true, readings: 2 },
  ])(
    'reads a part $readings times when a document is missing and isComplete is $isComplete',
    async ({ isComplete, readings }) => {
      let urls = Object.values(addresses);
      let count = 0;
      const feed: Feed = {
        ...smallFeed,
        parts: [
          {
            ...one,
            contents: async (publication) => ({
              documents: await Promise.all(urls.map((url) => publication.open(url))),
              isComplete,
            }),
            read(contents) {
              count += 1;
              return one.read(contents);
            },
          },
        ],
      };
      await publish('one', 'A');
      await publish('two', 'B');
      await bench.sync(feed);
      urls = [addresses.one];
      await bench.sync(feed);
      expect(count).toBe(readings);
    },
  );

  test('removes the copy of an unchanged document that a new version of the reader cannot read', async () => {
    await publish('one', 'A');
    await publish('two', 'B');
    await bench.sync(smallFeed);
    const newer: Feed = {
      ...smallFeed,
      version: 2,
      parts: smallFeed.parts.map((part) => ({
        ...part,
        async *read(contents) {
          yield* part.read(contents);
          if (part.key === 'one') throw new BrokenDocument(addresses.one, 'it is damaged');
        },
      })),
    };
    await bench.sync(newer);
    expect((await bench.copies()).map(({ url }) => url)).toEqual([addresses.two]);
  });

  test('keeps the copy that was read last when a newer document opens well, but cannot be read', async () => {
    const copies: string[][] = [];
    const feed: Feed = {
      ...smallFeed,
      parts: [
        {
          ...one,
          async contents(publication) {
            copies.push((await publication.readLast()).map(({ sha256 }) => sha256));
            const document = await publication.open(addresses.one, { lastGoodCopy: true });
            return { documents: [document], isComplete: true };
          },
          async *read(contents) {
            yield* one.read(contents);
            const [document] = contents.documents;
            if ((await document?.text())?.includes('damaged') === true)
              throw new BrokenDocument(addresses.one, 'it ends in the middle');
          },
        },
      ],
    };
    await publish('one', 'A', 'B');
    expect(await bench.sync(feed)).toMatchObject({ added: 2 });
    const sums = (await bench.copies()).map(({ sha256 }) => sha256);
    for (const damaged of ['damaged', 'damaged again']) {
      await publish('one', damaged);
      expect(await bench.sync(feed)).toMatchObject({ state: 'failed', added: 0, withdrawn: 0 });
      expect((await bench.copies()).map(({ sha256 }) => sha256)).toEqual(sums);
    }
    expect(copies).toEqual([[], sums, sums]);
  });
});
