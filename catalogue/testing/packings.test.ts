/** What the tests pack is what the product opens. */
import { expect, test } from 'vitest';
import { decompress } from '../parsers/decompress.ts';
import { bzip2From } from './bzip2-from.ts';
import { chanceOf } from './chance.ts';
import { xzFrom } from './xz-from.ts';

async function opened(packed: Uint8Array): Promise<Buffer> {
  async function* served() {
    yield packed;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of decompress(served())) pieces.push(piece);
  return Buffer.concat(pieces);
}

const chance = chanceOf(7);
const contents: readonly [string, Buffer][] = [
  ['one byte', Buffer.from('a')],
  ['a text', Buffer.from('<update>lanternd, wick, candle</update>\n'.repeat(40))],
  [
    'runs of all lengths',
    Buffer.from(
      Array.from({ length: 600 }, (_, length) =>
        String.fromCharCode(97 + (length % 3)).repeat(length),
      ).join(''),
    ),
  ],
  ['all bytes', Buffer.from(Array.from({ length: 3000 }, () => Math.floor(chance() * 256)))],
  [
    'more than a block',
    Buffer.from(Array.from({ length: 20_000 }, (_, line) => `${line} ${line * 7}\n`).join('')),
  ],
];

test.each(contents)('%s', async (_name, content) => {
  expect((await opened(bzip2From(content))).equals(content)).toBe(true);
  expect((await opened(xzFrom(content))).equals(content)).toBe(true);
});
