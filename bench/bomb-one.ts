/** Opens one bomb in a process of its own and prints how it went, as JSON: node bench/bomb-one.ts <kind>. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip, createZstdCompress } from 'node:zlib';
import { filesInCabinet } from '@patch/catalogue/parsers/cabinet.ts';
import { documentOf } from '@patch/catalogue/parsers/document-of.ts';
import { jsonRecords } from '@patch/catalogue/parsers/json-records.ts';
import { tarFiles } from '@patch/catalogue/parsers/tar-files.ts';
import { xmlRecords } from '@patch/catalogue/parsers/xml-reader.ts';
import { archiveOfZeros } from '@patch/catalogue/testing/archive-from.ts';
import { cabinetFrom } from '@patch/catalogue/testing/cabinet-from.ts';
import { openBundle } from '@patch/server/operations/downloads/read-bundle.ts';

export interface BombOutcome {
  /** Bytes as served. */
  readonly served: number;
  /** Bytes that it would open to; null without end. */
  readonly opensTo: number | null;
  /** The error, or what was read instead. */
  readonly outcome: string;
  readonly seconds: number;
  /** The most bytes that the process had in memory, above those before. */
  readonly memory: number;
}

interface Bomb {
  readonly served: number;
  readonly opensTo: number | null;
  open(): Promise<unknown>;
}

const megabyte = 1024 ** 2;
const gigabyte = 1024 ** 3;
const folder = mkdtempSync(join(tmpdir(), 'bomb-'));

function* zeros(megabytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(megabyte, 0x20);
  for (let number = 0; number < megabytes; number++) yield piece;
}

async function packed(megabytes: number, through: NodeJS.ReadWriteStream): Promise<Buffer> {
  const stream = Readable.from(zeros(megabytes)).pipe(through as ReturnType<typeof createGzip>);
  return Buffer.concat((await stream.toArray()) as Buffer[]);
}

const readToEnd = async (pieces: AsyncIterable<unknown>): Promise<number> => {
  let records = 0;
  for await (const _ of pieces) records += 1;
  return records;
};

function compressed(bytes: Buffer, opensTo: number): Bomb {
  const document = documentOf(
    { url: 'https://vendor.example/bomb', sha256: '', size: bytes.length, lastModified: null },
    () => Readable.from([bytes]),
    {},
  );
  return { served: bytes.length, opensTo, open: () => readToEnd(document.bytes()) };
}

function text(
  bytes: number,
  opensTo: number | null,
  pieces: () => Iterable<string>,
  read: (chunks: AsyncIterable<string>) => AsyncIterable<unknown>,
): Bomb {
  return { served: bytes, opensTo, open: () => readToEnd(read(Readable.from(pieces()))) };
}

function fileOf(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

function tarHeader(): Buffer {
  const header = Buffer.alloc(512);
  for (const [words, at] of [
    ['bomb', 0],
    ['0000644\0', 100],
    ['77777777777\0', 124],
    ['0', 156],
    ['ustar\x0000', 257],
  ] as const)
    header.write(words, at);
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const records = (chunks: AsyncIterable<string>) =>
  xmlRecords(chunks, ['updates/update'], { onFault: () => undefined });
const entity = (level: number) =>
  `<!ENTITY lol${level} "${level === 0 ? 'ha' : `&lol${level - 1};`.repeat(10)}">`;
const laughs = `<!DOCTYPE updates [${Array.from({ length: 10 }, (_, level) => entity(level)).join('')}]><updates><update><title>&lol9;</title></update></updates>`;
const json = (chunks: AsyncIterable<string>) =>
  jsonRecords({ url: 'https://vendor.example/bomb', chunks: () => chunks }, 'data');

const kinds: Readonly<Record<string, () => Promise<Bomb>>> = {
  gzip: async () => compressed(await packed(5 * 1024, createGzip()), 5 * gigabyte),
  zstd: async () => compressed(await packed(5 * 1024, createZstdCompress()), 5 * gigabyte),
  bzip2: async () => compressed(await archiveOfZeros('bzip2', 160), 160 * megabyte),
  xz: async () => compressed(await archiveOfZeros('xz', 160), 160 * megabyte),
  async zip() {
    const bytes = await archiveOfZeros('zip', 400, 'manifest.json');
    const path = fileOf('bomb.zip', bytes);
    return { served: bytes.length, opensTo: 400 * megabyte, open: () => openBundle(path, []) };
  },
  async tar() {
    const header = tarHeader();
    return {
      served: header.length,
      opensTo: 8_589_934_591,
      open: () => readToEnd(tarFiles(Readable.from([header]))),
    };
  },
  async cab() {
    const bytes = cabinetFrom(
      { 'x/1': Buffer.alloc(120 * megabyte), 'x/2': Buffer.alloc(120 * megabyte) },
      { small: true },
    );
    const path = fileOf('bomb.cab', bytes);
    return {
      served: bytes.length,
      opensTo: 240 * megabyte,
      open: () => filesInCabinet(path, { maxBytes: 64 * megabyte }),
    };
  },
  'XML entities': async () => text(laughs.length, 2 * 10 ** 9, () => [laughs], records),
  'XML nested': async () =>
    text(3 * megabyte, null, () => ['<updates><update>', '<a>'.repeat(megabyte)], records),
  'JSON nested': async () => text(megabyte, null, () => ['[[', '['.repeat(megabyte)], json),
  'JSON without end': async () =>
    text(
      400 * megabyte,
      null,
      function* () {
        yield '[{"a":"';
        for (let number = 0; number < 400; number++) yield 'a'.repeat(megabyte);
      },
      json,
    ),
};

export const bombKinds = Object.keys(kinds);

async function opened(make: () => Promise<Bomb>): Promise<BombOutcome> {
  const bomb = await make();
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 2);
  const started = performance.now();
  const outcome = await bomb.open().then(
    (read) => `read as ${String(read)} record, nothing expanded`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const seconds = (performance.now() - started) / 1000;
  most = Math.max(most, process.memoryUsage.rss());
  clearInterval(watch);
  return { served: bomb.served, opensTo: bomb.opensTo, outcome, seconds, memory: most - before };
}

if (import.meta.main) {
  try {
    const make = kinds[process.argv[2] ?? ''];
    if (make === undefined) throw new Error(`Name one of ${bombKinds.join(', ')}`);
    process.stdout.write(`${JSON.stringify(await opened(make))}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else rmSync(folder, { recursive: true, force: true });
