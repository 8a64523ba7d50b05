import { expect, test } from 'vitest';
import type { Facts } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { sha256Hex } from '../parsers/sha256.ts';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { findPart } from '../testing/find-part.ts';
import { type MemoryOptions, memoryPublication } from '../testing/memory-publication.ts';
import {
  file,
  formatMeta,
  fullRecord,
  meta,
  nvdFile,
  records,
  served,
} from '../testing/nvd-files.ts';
import { createNvdParts, nvdFeed } from './nvd-feed.ts';

const now = Date.UTC(2031, 3, 10);
const feed = { parts: createNvdParts(now) };

test('reads a plain file, records without a wrapper and a .meta with line feeds only', async () => {
  const text = JSON.stringify({ vulnerabilities: [fullRecord] });
  const part = findPart(feed, '2031');
  const publication = memoryPublication({
    [file('2031')]: text,
    [meta('2031')]: formatMeta(text, undefined, '\n')
      .toLowerCase()
      .replace('lastmodifieddate', 'x'),
  });
  const items = await collect(part.read(await part.contents(publication)));
  expect(records(items)[0]?.scores).toHaveLength(7);
});

test.each([
  ['another checksum', { sha256: '0'.repeat(64) }, /once opened its sha256 is/],
  ['another size', { size: '7' }, /the vendor announced 7/],
])('refuses a file with %s than its .meta announces', async (_name, changed, message) => {
  const text = nvdFile([fullRecord]);
  const lines = formatMeta(text)
    .split('\r\n')
    .map((line) => {
      const name = line.split(':')[0] ?? '';
      return Object.hasOwn(changed, name) ? `${name}:${Reflect.get(changed, name)}` : line;
    });
  const part = findPart(feed, '2031');
  const contents = await part.contents(
    memoryPublication({ ...served('2031', text), [meta('2031')]: lines.join('\n') }),
  );
  await expect(collect(part.read(contents))).rejects.toThrow(message);
  await expect(collect(part.read(contents))).rejects.toBeInstanceOf(BrokenDocument);
});

test.each([
  ['a page instead of a file', '<html>The 1.1 feeds have ended</html>', 'not valid JSON'],
  ['a file without records', '{"format":"NVD_CVE"}', 'it has no array "vulnerabilities"'],
])('refuses %s', async (_name, text, message) => {
  const part = findPart(feed, '2031');
  const contents = await part.contents(
    memoryPublication({ [file('2031')]: text, [meta('2031')]: formatMeta(text) }),
  );
  await expect(collect(part.read(contents))).rejects.toThrow(message);
});

test.each([
  ['<html></html>', 'it has no "sha256"'],
  [`sha256:${'g'.repeat(64)}\nsize:1`, 'it has no "sha256"'],
  [`sha256:${'a'.repeat(64)}\nsize:many`, 'it has no "size"'],
])('refuses the .meta %s', async (text, message) => {
  const publication = memoryPublication({ [meta('2031')]: text });
  const refused = findPart(feed, '2031').contents(publication);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toBeInstanceOf(BrokenDocument);
});

test('has a part for modified CVEs and one for every year since 2002', () => {
  const keys = createNvdParts(Date.UTC(2027, 0, 1)).map(({ key }) => key);
  expect(keys.slice(0, 3)).toEqual(['modified', '2002', '2003']);
  expect(keys.at(-1)).toBe('2027');
  expect(keys).toHaveLength(27);
  expect(nvdFeed.parts.at(-1)?.key).toBe(String(new Date().getUTCFullYear()));
});

const year = { reader: '1', sha256: 'a'.repeat(64), modified: '2031-04-01T07:00:00.000Z' };
const span = { since: '2031-04-02T00:00:00.000Z', until: '2031-04-09T22:00:00.000Z' };
const text = nvdFile([fullRecord]);

async function listRequested(key: string, options: MemoryOptions): Promise<readonly string[]> {
  const publication = memoryPublication(
    { ...served('2030', text), ...served('modified', text) },
    { now, ...options },
  );
  await findPart(feed, key).contents(publication);
  return publication.requested.map((url) => url.slice(url.lastIndexOf('.') + 1));
}

test('does not request a year that `modified` covers', async () => {
  const last = [documentFrom(file('2030'), text)];
  const publication = memoryPublication(
    {},
    { now, remembered: year, otherParts: { modified: span }, last },
  );
  const contents = await findPart(feed, '2030').contents(publication);
  expect(publication.requested).toEqual([]);
  expect(contents).toEqual({ documents: last, isComplete: false, remember: year });
});

test.each<[string, Facts, Facts | null]>([
  ['was read by another version of the reader', { ...year, reader: '0' }, span],
  ['states no time', { reader: '1', sha256: year.sha256 }, span],
  ['is older than the gapless span', year, { ...span, since: span.until }],
  [
    'was read longer ago than `modified` reaches back',
    year,
    { ...span, until: '2031-04-02T22:00:00.000Z' },
  ],
  ['was read before `modified` ever was', year, null],
])('requests a year that %s', async (_name, remembered, modified) => {
  const otherParts: Record<string, Facts> = modified === null ? {} : { modified };
  expect(await listRequested('2030', { remembered, otherParts })).toEqual(['meta', 'gz']);
});

test('does not fetch a file when its .meta announces the one that was read', async () => {
  const remembered = { reader: '1', sha256: sha256Hex(text) };
  expect(await listRequested('2030', { remembered })).toEqual(['meta']);
  expect(await listRequested('modified', { remembered })).toEqual(['meta']);
});

test('reads the copy of an unchanged file with a new reader, and fetches it without a copy', async () => {
  const remembered = { reader: '0', sha256: sha256Hex(text) };
  const last = [documentFrom(file('2030'), text)];
  expect(await listRequested('2030', { remembered, last })).toEqual(['meta']);
  expect(await listRequested('2030', { remembered })).toEqual(['meta', 'gz']);
});

test('remembers since when `modified` has been read without a gap', async () => {
  const remember = async (made: string, remembered?: Facts) => {
    const publication = memoryPublication(served('modified', text, made), {
      now,
      ...(remembered && { remembered }),
    });
    return (await findPart(feed, 'modified').contents(publication)).remember;
  };
  const first = await remember('2031-04-01T08:00:00-04:00');
  const sha256 = sha256Hex(text);
  const noon = '2031-04-01T12:00:00.000Z';
  expect(first).toEqual({ reader: '1', sha256, since: noon, until: noon });
  expect(await remember('2031-04-08T08:00:00-04:00', first)).toMatchObject({
    since: noon,
    until: '2031-04-08T12:00:00.000Z',
  });
  // A cache that serves an older state does not shorten the span.
  expect(await remember('2031-03-31T08:00:00-04:00', first)).toMatchObject({
    since: noon,
    until: noon,
  });
  expect(await remember('2031-04-08T08:00:01-04:00', first)).toMatchObject({
    since: '2031-04-08T12:00:01.000Z',
    until: '2031-04-08T12:00:01.000Z',
  });
  expect(await remember('unknown', first)).toEqual({ reader: '1', sha256 });
});

test('remembers when NVD made the file of a year', async () => {
  const publication = memoryPublication(served('2030', text), { now });
  expect((await findPart(feed, '2030').contents(publication)).remember).toEqual({
    reader: '1',
    sha256: sha256Hex(text),
    modified: '2031-04-10T07:00:12.000Z',
  });
});
