import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { BrokenDocument } from './create-document.ts';
import { parseStanzas, stanzaBatches } from './deb822.ts';

const names = ['Package', 'Version', 'Depends', 'Description'] as const;
const url = 'https://example.org/Packages';

async function stanzas(text: string, size: number) {
  async function* chunks() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  return (await collect(stanzaBatches({ url, chunks }, names))).flat();
}

const written = `Package: wick
Version:   1:0.9-1
Depends: libc6 (>= 2.34),
 libwick (= 1:0.9-1),
\tcandle
Tag: unwanted,
 too
Description: wicks: of cotton
 They burn.
 .
   indented
 .

\u0020\t
# a comment
package: candle
VERSION: 1.0
Depends:

Package: lantern`;

const read = [
  {
    Package: 'wick',
    Version: '1:0.9-1',
    Depends: 'libc6 (>= 2.34),\nlibwick (= 1:0.9-1),\ncandle',
    Description: 'wicks: of cotton\nThey burn.\n\n  indented\n',
  },
  { Package: 'candle', Version: '1.0', Depends: '' },
  { Package: 'lantern' },
];

test('reads stanzas cut anywhere, with and without an end, with either line ending', async () => {
  for (let size = 1; size < written.length + 2; size += 1)
    expect(await stanzas(written, size)).toEqual(read);
  expect(await stanzas(`\n\n${written}\n\n\n`, 7)).toEqual(read);
  expect(await stanzas(written.replaceAll('\n', '\r\n'), 9)).toEqual(read);
  expect(parseStanzas(written, names, url)).toEqual(read);
  expect(await stanzas('', 1)).toEqual([]);
});

test('counts a stanza without a wanted field', async () => {
  expect(await stanzas('Tag: x\n\nTag: y\n', 4)).toEqual([{}, {}]);
});

test.each([
  ['<html>\n<body>', 'line 1 is not a field: <html>'],
  ['Package: a\n\n folded', 'line 3 goes on with a field where none began'],
  ['Package: a\n: b\n', 'line 2 is not a field: : b'],
  ['Package: a\nVersion 1\nDepends: x\n', 'line 2 is not a field: Version 1'],
])('throws on %j', async (text, why) => {
  await expect(stanzas(text, 3)).rejects.toThrow(why);
  await expect(stanzas(text, 300)).rejects.toThrow(BrokenDocument);
});
