/** Small documents that would fill memory or disk when opened: reading each stops at a limit, without more memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bombDocument,
  chunks,
  compress,
  endlessXml,
  growthByEndless,
  growthByRatio,
  growthDuring,
  megabyte,
  packers,
  readToEnd,
  readXml,
  url,
  zeros,
} from '../testing/bombs.ts';
import { cabinetFrom } from '../testing/cabinet-from.ts';
import { filesInCabinet, unpackCabinet } from './cabinet.ts';
import { BrokenDocument } from './create-document.ts';
import { stanzaBatches } from './deb822.ts';
import { jsonMembers, jsonRecords } from './json-records.ts';
import { tarFiles } from './tar-files.ts';
import { xmlRecords } from './xml-reader.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bombs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('compressed data', () => {
  test.each(['gzip', 'zstd'] as const)(
    'gives up %s that opens to 200 times its size',
    async (name) => {
      expect(await growthByRatio(await packers[name](160))).toBeLessThan(300);
    },
  );

  test('stops a gzip within its ratio at the source’s size limit, and at the absolute one', async () => {
    const bytes = await compress(zeros(200), createGzip());
    await expect(
      readToEnd(bombDocument(bytes, { maxOpenBytes: 100 * megabyte }).bytes()),
    ).rejects.toThrow('it opens to more than 104,857,600 bytes');
    await expect(bombDocument(bytes).text()).rejects.toThrow(
      'it is longer than 67,108,864 characters',
    );
    await readToEnd(bombDocument(gzipSync('a'.repeat(10 * megabyte))).bytes());
  });
});

describe('readers', () => {
  // bombs.long.ts has the other places: they end at the same limit.
  test.each(endlessXml.slice(0, 2))('stops reading XML with %s', async (_, head) => {
    expect(await growthByEndless(head, 80)).toBeLessThan(800);
  });

  test('stops reading XML with a million children in one record', async () => {
    const children = [
      Buffer.from('<updates><update>'),
      ...Array.from({ length: 100 }, () => Buffer.from('<a/>'.repeat(10_000))),
    ];
    await expect(readXml(children)).rejects.toThrow('<update> at line 1 is longer than');
  });

  test('stops reading XML nested a thousand deep', async () => {
    await expect(
      readXml([Buffer.from('<updates><update>'), Buffer.from('<a>'.repeat(1000))]),
    ).rejects.toThrow('nested more than 500 deep');
  });

  test('does not expand XML entities', async () => {
    const lol = ['lol0', ...Array.from({ length: 9 }, (_, level) => `lol${level + 1}`)];
    const entities = lol
      .map(
        (name, level) =>
          `<!ENTITY ${name} "${level === 0 ? 'ha' : `&${lol[level - 1]};`.repeat(10)}">`,
      )
      .join('');
    const records: string[] = [];
    const bomb = `<!DOCTYPE updates [${entities}]><updates><update><title>&lol9;</title></update></updates>`;
    const growth = await growthDuring(async () => {
      for await (const { children } of xmlRecords(
        chunks([Buffer.from(bomb)]).chunks(),
        ['updates/update'],
        { onFault: () => undefined },
      ))
        records.push(children[0]?.text ?? '');
    });
    expect(records.join('').length).toBeLessThan(20);
    // Expanded, it would have two gigabytes.
    expect(growth).toBeLessThan(300);
  });

  test('stops reading JSON without end, and JSON nested a million deep', async () => {
    await expect(
      readToEnd(jsonRecords(chunks(zeros(100, '[{"a":"', 0x61)), 'data')),
    ).rejects.toThrow('a value is longer than');
    await expect(readToEnd(jsonMembers(chunks(zeros(100, '{"a":"', 0x61))))).rejects.toThrow(
      'a value is longer than',
    );
    const deep = () => [Buffer.from('[['), Buffer.alloc(megabyte, 0x5b)];
    await expect(readToEnd(jsonRecords(chunks(deep()), 'data'))).rejects.toThrow(
      'nested more than 500 deep',
    );
    await expect(readToEnd(jsonMembers(chunks([Buffer.from('{"a":'), ...deep()])))).rejects.toThrow(
      'nested more than 500 deep',
    );
  });

  test('stops at an endless field, line and stanza of an apt index', async () => {
    const lines = (head: string, line: string) => [
      Buffer.from(head),
      ...Array.from({ length: 40 }, () => Buffer.from(line.repeat(10_000))),
    ];
    const read = (pieces: Iterable<Buffer>) =>
      readToEnd(stanzaBatches(chunks(pieces), ['Package', 'Description']));
    await expect(read(zeros(40, 'Package: ', 0x61))).rejects.toThrow('a line is longer than');
    await expect(read(lines('Description: x\n', ` ${'y'.repeat(60)}\n`))).rejects.toThrow(
      /the stanza at line \d+ is longer than/,
    );
  });

  test('refuses a tar file that claims a terabyte before allocating memory', async () => {
    const header = Buffer.alloc(512);
    header.write('bomb', 0);
    header.write('0000644\0', 100);
    header.write('77777777777\0', 124);
    header.write('0', 156);
    header.write('ustar\0'.concat('00'), 257);
    header.fill(0x20, 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    await expect(readToEnd(tarFiles(Readable.from([header])))).rejects.toThrow(
      'it holds a file of 8,589,934,591 bytes',
    );
  });
});

describe('cabinets', () => {
  test('stops unpacking one that exceeds its limit, in memory and on disk', async () => {
    const cabinet = join(folder, 'bomb.cab');
    writeFileSync(
      cabinet,
      cabinetFrom(
        { 'x/1': Buffer.alloc(4 * megabyte), 'x/2': Buffer.alloc(4 * megabyte) },
        { small: true },
      ),
    );
    await expect(filesInCabinet(cabinet, { maxBytes: megabyte })).rejects.toThrow(
      'it opens to more than 1,048,576 bytes',
    );
    const into = mkdtempSync(join(folder, 'into-'));
    await expect(unpackCabinet(cabinet, into, { maxBytes: megabyte })).rejects.toThrow(
      'it opens to more than 1,048,576 bytes',
    );
  });
});

test('name the document whose reading was stopped', async () => {
  const error = await readToEnd(bombDocument(gzipSync(Buffer.alloc(150 * megabyte))).bytes()).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(BrokenDocument);
  expect((error as BrokenDocument).url).toBe(url);
});
