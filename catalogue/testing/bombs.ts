/** Documents that decompress to far more than their size, and the memory that readers use before they stop. */
import { Readable } from 'node:stream';
import { createGzip, createZstdCompress } from 'node:zlib';
import { expect } from 'vitest';
import type { Document } from '../definition/feed.ts';
import { createDocument } from '../parsers/create-document.ts';
import { xmlRecords } from '../parsers/xml-reader.ts';

export const url = 'https://vendor.example/bomb';
export const megabyte = 1024 ** 2;

export function* zeros(megabytes: number, head = '', byte = 0x20): Generator<Buffer> {
  if (head !== '') yield Buffer.from(head);
  const piece = Buffer.alloc(megabyte, byte);
  for (let number = 0; number < megabytes; number++) yield piece;
}

export async function compress(
  pieces: Iterable<Buffer>,
  through: NodeJS.ReadWriteStream,
): Promise<Buffer> {
  return Buffer.concat(
    (await Readable.from(pieces)
      .pipe(through as ReturnType<typeof createGzip>)
      .toArray()) as Buffer[],
  );
}

export function bombDocument(bytes: Buffer, options = {}): Document {
  return createDocument(
    { url, sha256: '', size: bytes.length, lastModified: null },
    () => Readable.from([bytes]),
    options,
  );
}

export async function readToEnd(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pieces);
}

/** Returns the megabytes by which the process grew during the work. */
export async function growthDuring(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  await work();
  clearInterval(watch);
  return (most - before) / megabyte;
}

export const packers: Readonly<Record<'gzip' | 'zstd', (megabytes: number) => Promise<Buffer>>> = {
  gzip: (megabytes) => compress(zeros(megabytes), createGzip()),
  zstd: (megabytes) => compress(zeros(megabytes), createZstdCompress()),
};

/** Returns the growth in megabytes while the ratio limit stops reading. */
export async function growthByRatio(bomb: Buffer): Promise<number> {
  expect(bomb.length).toBeLessThan(2 * megabyte);
  return growthDuring(async () => {
    await expect(readToEnd(bombDocument(bomb).bytes())).rejects.toThrow(
      /opens to more than [\d,]+ bytes, 200 times what was served/,
    );
  });
}

export const chunks = (pieces: Iterable<Buffer>) => ({
  url,
  async *chunks() {
    for (const piece of pieces) yield piece.toString();
  },
});

export const readXml = (pieces: Iterable<Buffer>) =>
  readToEnd(xmlRecords(chunks(pieces).chunks(), ['updates/update'], { onFault: () => undefined }));

/** Beginnings of documents whose next delimiter never follows. */
export const endlessXml = [
  ['a text without end', '<updates><update><title>'],
  ['an attribute without end', '<updates><update id="'],
  ['a comment without end', '<updates><!--'],
  ['a processing instruction without end', '<updates><?x '],
  ['a document type without end', '<!DOCTYPE updates [ <!ENTITY a "'],
] as const;

/** Returns the growth in megabytes while reading of such a text is stopped. */
export function growthByEndless(head: string, megabytes: number): Promise<number> {
  return growthDuring(() =>
    expect(readXml(zeros(megabytes, head, 0x61))).rejects.toThrow(/67,108,864 characters/),
  );
}
