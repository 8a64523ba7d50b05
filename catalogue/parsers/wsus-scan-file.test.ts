import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Document, DocumentFile } from '../definition/feed.ts';
import { cabinetFrom } from '../testing/cabinet-from.ts';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { WsusScanFile } from './wsus-scan-file.ts';

const index =
  '<INDEX><CABLIST><CAB NAME="package.cab"/><CAB NAME="b.cab" RANGESTART="100"/><CAB NAME="a.cab" RANGESTART="10"/></CABLIST></INDEX>';
const members = {
  'index.xml': index,
  'package.cab': cabinetFrom({ 'package.xml': '<P><U Id="1"/><U Id="2"/><Other/></P>' }),
  'a.cab': cabinetFrom({ 'x/10': 'ten', 'x/99': 'ninety-nine', 'x/100': 'stray' }),
  'b.cab': cabinetFrom({ 'x/100': 'hundred', 'x/7': 'stray', 'y/100': 'unasked' }),
};

interface Watched extends Document {
  readonly laidOut: DocumentFile[];
  taken: number;
}

function scanDocument(
  changes: Readonly<Record<string, string | Uint8Array | undefined>> = {},
): Watched {
  const files = Object.entries({ ...members, ...changes }).filter(
    (file): file is [string, string | Buffer] => file[1] !== undefined,
  );
  const document = documentFrom(
    'https://example.org/scan.cab',
    cabinetFrom(Object.fromEntries(files)),
  );
  const watched: Watched = {
    ...document,
    laidOut: [],
    taken: 0,
    async file() {
      const file = await document.file();
      watched.laidOut.push(file);
      return {
        ...file,
        taken: (bytes) => {
          watched.taken += bytes;
        },
      };
    },
  };
  return watched;
}

const readTexts = async (scan: WsusScanFile, revisions: number[]) =>
  Object.fromEntries(
    (await collect(scan.files(revisions, ['x/*']))).map(({ revision, read }) => {
      const bytes = read(`x/${revision}`);
      expect(read(`y/${revision}`)).toBeNull();
      return [revision, bytes === null ? null : Buffer.from(bytes).toString()];
    }),
  );

test('reads a revision only from the cabinet of its range', async () => {
  const document = scanDocument();
  const scan = await WsusScanFile.open(document);
  expect(
    (await collect(scan.packageRecords(['P/U']))).map(({ attributes }) => attributes['Id']),
  ).toEqual(['1', '2']);
  expect(await readTexts(scan, [100, 7, 10, 99, 5000])).toEqual({
    7: null,
    10: 'ten',
    99: 'ninety-nine',
    100: 'hundred',
    5000: null,
  });
  expect(document.taken).toBe(
    members['package.cab'].length + members['a.cab'].length + members['b.cab'].length,
  );
  await scan.close();
  await expect(stat(document.laidOut[0]?.folder ?? '')).rejects.toThrow('ENOENT');
});

test('stops between two cabinets when the run is stopped', async () => {
  const document = scanDocument();
  const scan = await WsusScanFile.open({
    ...document,
    file: async () => ({
      ...(await document.file()),
      taken: () => {
        throw new Error('stopped');
      },
    }),
  });
  await expect(readTexts(scan, [10])).rejects.toThrow('stopped');
  await scan.close();
});

test.each([
  ['no index', undefined, 'it has no index.xml'],
  ['an index of something else', '<html/>', 'index.xml in it: its outermost element is <html>'],
  ['an index without cabinets', '<INDEX><CABLIST/></INDEX>', 'index.xml names no cabinets'],
  [
    'an index that leads out of the file',
    '<INDEX><CABLIST><CAB NAME="../../x.cab" RANGESTART="0"/></CABLIST></INDEX>',
    'index.xml has a cabinet "../../x.cab" from "0"',
  ],
])('refuses %s', async (_name, content, problem) => {
  const document = scanDocument({ 'index.xml': content });
  await expect(WsusScanFile.open(document)).rejects.toThrow(
    `https://example.org/scan.cab cannot be read: ${problem}`,
  );
  await expect(stat(document.laidOut[0]?.folder ?? '')).rejects.toThrow('ENOENT');
});

test('rejects the complete file when one of its cabinets is missing or damaged', async () => {
  const damaged = members['b.cab'].subarray(0, -5);
  for (const [changes, problem] of [
    [{ 'b.cab': undefined }, 'it has no b.cab'],
    [{ 'b.cab': damaged }, 'b.cab in it: unexpected end of archive'],
    [{ 'b.cab': 'text' }, 'b.cab in it: it is not a cabinet'],
  ] as const) {
    const scan = await WsusScanFile.open(scanDocument(changes));
    await expect(readTexts(scan, [10, 100])).rejects.toThrow(problem);
    await scan.close();
  }
  const scan = await WsusScanFile.open(scanDocument({ 'package.cab': cabinetFrom({ other: '' }) }));
  await expect(collect(scan.packageRecords(['P/U']))).rejects.toThrow('it has no package.xml');
  await scan.close();
  await expect(
    WsusScanFile.open(documentFrom('https://example.org/scan.cab', '<html/>')),
  ).rejects.toThrow('it is not a cabinet');
});
