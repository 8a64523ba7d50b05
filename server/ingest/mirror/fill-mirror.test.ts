import { rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Feed, Part } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { describe, expect, test } from 'vitest';
import { smallFeed } from '../testing/small-feed.ts';
import { resolveParts, UnknownNameError } from './chosen-parts.ts';
import { withFilledFolder } from './testing/filled-folder.ts';

const mirror = withFilledFolder();
const { printed } = mirror;

/** Adds the address of the small feed's documents to their names. */
const toFiles = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [`small.example/${name}.json`, text]),
  );
const publish = async (texts: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(toFiles(texts))) await mirror.publish(path, text);
};
const unpublish = (name: string) => rm(join(mirror.vendor, `small.example/${name}.json`));
const filled = () => mirror.readFiles();
const fill = (
  feed: Feed,
  parts: readonly Part[] = feed.parts,
  signal = new AbortController().signal,
) => mirror.fillChosen({ chosen: [{ source: 'almaLinux', label: 'Small', parts }], signal });

describe('fillMirror', () => {
  test('writes the documents of each part, then only changed ones', async () => {
    await publish({ one: '[1]', two: '[2]' });
    expect(await fill(smallFeed)).toEqual({
      parts: 2,
      failed: 0,
      documents: 2,
      fresh: 2,
      bytes: 6,
    });
    expect(await filled()).toEqual(toFiles({ one: '[1]', two: '[2]' }));
    expect(await fill(smallFeed)).toMatchObject({ documents: 2, fresh: 0 });
    await publish({ two: '[2,3]' });
    expect(await fill(smallFeed)).toMatchObject({ fresh: 1 });
    expect(await filled()).toMatchObject(toFiles({ two: '[2,3]' }));
    expect(printed.at(-1)).toMatch(
      /^Small, Small two: 1 documents, 1 new or changed, 0\.0 MB, \d+\.\d s$/,
    );
  });

  test('detects a change within a second to the same size, and repairs damaged files', async () => {
    const at = new Date('2031-06-03T07:00:00Z');
    for (const text of ['[1]', '[2]']) {
      const [next, one] = ['next', 'one'].map((name) =>
        join(mirror.vendor, `small.example/${name}.json`),
      ) as [string, string];
      await publish({ next: text });
      await utimes(next, at, at);
      await rename(next, one);
      if (text === '[1]') await publish({ two: '[9]' });
      expect(await fill(smallFeed)).toMatchObject({ fresh: text === '[1]' ? 2 : 1 });
    }
    const one = join(mirror.folder, 'small.example/one.json');
    expect(await filled()).toMatchObject(toFiles({ one: '[2]' }));
    expect((await stat(one)).mtime).toEqual(at);
    await rm(one);
    await writeFile(one, '[?]');
    expect(await fill(smallFeed)).toMatchObject({ fresh: 1 });
    expect(await filled()).toMatchObject(toFiles({ one: '[2]' }));
  });

  test('fails a part with a substitute publication, because the existing files are more complete', async () => {
    await publish({ one: '[1]' });
    await fill(smallFeed, smallFeed.parts.slice(0, 1));
    const makeshift: Part = {
      ...(smallFeed.parts[0] as Part),
      async contents(publication) {
        await publication.open('https://small.example/one.json').catch(() => null);
        const other = await publication.open('https://small.example/other.json');
        return {
          documents: [other],
          isComplete: false,
          standIn: ['One is missing.', 'Other is read instead.'].map((text) => ({
            code: 'text',
            params: { text },
          })),
        };
      },
    };
    await unpublish('one');
    await publish({ other: '[7]' });
    expect(await fill(smallFeed, [makeshift])).toMatchObject({ failed: 1 });
    expect(printed.at(-1)).toBe('Small, Small one: FAILED. One is missing. Other is read instead.');
    expect(await filled()).toEqual(toFiles({ one: '[1]' }));
  });

  test('keeps a missing document of a part that is not published completely', async () => {
    const never: Part = {
      ...(smallFeed.parts[0] as Part),
      async contents(publication) {
        const opened = await Promise.all(
          ['one', 'two'].map((name) =>
            publication.open(`https://small.example/${name}.json`).catch(() => null),
          ),
        );
        return { documents: opened.filter((document) => document !== null), isComplete: false };
      },
    };
    await publish({ one: '[1]', two: '[2]' });
    await fill(smallFeed, [never]);
    await unpublish('two');
    expect(await fill(smallFeed, [never])).toMatchObject({ failed: 0, documents: 1 });
    expect(await filled()).toEqual(toFiles({ one: '[1]', two: '[2]' }));
  });

  test('fails a part that was published before, and not one that never was unless all parts are missing', async () => {
    await publish({ one: '[1]' });
    expect(await fill(smallFeed)).toMatchObject({ parts: 2, failed: 0, documents: 1 });
    expect(printed.at(-1)).toBe('Small, Small two: not available at the source');
    await publish({ two: '[2]' });
    await fill(smallFeed);
    await unpublish('two');
    expect(await fill(smallFeed)).toMatchObject({ failed: 1 });
    expect(printed.at(-1)).toBe(
      'Small, Small two: FAILED. https://small.example/two.json has been removed by the vendor; existing files stay.',
    );
    expect(await filled()).toMatchObject(toFiles({ two: '[2]' }));
    expect(await fill(smallFeed, [smallFeed.otherParts?.toPart('three') as Part])).toMatchObject({
      parts: 1,
      failed: 1,
    });
    expect(printed.at(-1)).toBe('Small: FAILED. None of its parts is available at the source.');
  });

  test('keeps the other parts and the existing files of a failed part', async () => {
    await publish({ one: '[1]', two: '[2]' });
    await fill(smallFeed);
    const broken: Part = {
      key: 'broken',
      label: 'Broken',
      async contents(publication) {
        await publication.open('https://small.example/one.json');
        await publication.open('https://small.example/two.json', {
          checksum: { algorithm: 'sha256', value: '0'.repeat(64) },
        });
        return { documents: [], isComplete: true };
      },
      read: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.resolve({ done: true, value: undefined }),
        }),
      }),
    };
    await publish({ one: '[1,1]' });
    const [, two] = smallFeed.parts;
    expect(await fill(smallFeed, [broken, ...(two === undefined ? [] : [two])])).toMatchObject({
      parts: 2,
      failed: 1,
      documents: 1,
    });
    expect(printed.join('\n')).toMatch(/Small, Broken: FAILED\. .*two\.json.*sha256/i);
    expect(await filled()).toEqual(toFiles({ one: '[1]', two: '[2]' }));
  });

  test('removes a missing document of a part that is published completely', async () => {
    const optional: Part = {
      ...(smallFeed.parts[0] as Part),
      async contents(publication) {
        const one = await publication.open('https://small.example/one.json');
        const query = await publication
          .open('https://small.example/list/?page=1&path=a%2Fb')
          .catch(() => null);
        return { documents: query === null ? [one] : [one, query], isComplete: true };
      },
    };
    await publish({ one: '[1]' });
    await mirror.publish('small.example/list/index.json@page=1&path=a%2Fb', '[9]');
    await fill(smallFeed, [optional]);
    expect(await filled()).toEqual({
      'small.example/list/index.json@page=1&path=a%2Fb': '[9]',
      ...toFiles({ one: '[1]' }),
    });
    await rm(join(mirror.vendor, 'small.example/list'), { recursive: true });
    await fill(smallFeed, [optional]);
    expect(await filled()).toEqual(toFiles({ one: '[1]' }));
    expect(printed.at(-1)).toMatch(/removed .*, which the vendor does not publish any more/);
  });

  test('stops at once and leaves complete files', async () => {
    await publish({ one: '[1]', two: '[2]' });
    const stopping = new AbortController();
    const second: Part = {
      ...(smallFeed.parts[1] as Part),
      contents: async () => {
        stopping.abort(new Error('stopped by hand'));
        throw new Error('never printed');
      },
    };
    await expect(
      fill(smallFeed, [smallFeed.parts[0] as Part, second], stopping.signal),
    ).rejects.toThrow('stopped by hand');
    expect(await filled()).toEqual(toFiles({ one: '[1]' }));
  });
});

describe('resolveParts', () => {
  test('returns everything, some sources, or some of their parts, including optional ones', () => {
    expect(resolveParts(vendorFeeds, []).map(({ source }) => source)).toEqual(
      Object.keys(vendorFeeds),
    );
    const [alma, debian] = resolveParts(vendorFeeds, ['almalinux:9,11', 'debian']);
    expect(alma).toMatchObject({ source: 'almaLinux', parts: [{ key: '9' }, { key: '11' }] });
    expect(debian?.parts).toBe(vendorFeeds.debian?.parts);
  });

  test('refuses unknown names and lists the valid ones', () => {
    expect(() => resolveParts(vendorFeeds, ['gentoo'])).toThrow(UnknownNameError);
    expect(() => resolveParts(vendorFeeds, ['gentoo'])).toThrow(
      "Unknown source 'gentoo'. Sources: wsus, ",
    );
    expect(() => resolveParts(vendorFeeds, ['debian:sid'])).toThrow(
      "Debian has no part 'sid'. Parts: DSA, DLA.",
    );
    expect(() => resolveParts(vendorFeeds, ['almaLinux:nine'])).toThrow(
      /Parts: 8, 9, 10, or .*such as 11/,
    );
  });
});
