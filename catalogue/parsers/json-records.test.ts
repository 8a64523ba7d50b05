import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { BrokenDocument } from './create-document.ts';
import { type JsonRecord, jsonRecords } from './json-records.ts';

function cut(text: string, size: number) {
  async function* chunks() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  return { url: 'https://example.org/records.json', chunks };
}

async function records(text: string, size = 7): Promise<JsonRecord[]> {
  return collect(jsonRecords(cut(text, size), 'data'));
}

const values = async (text: string, size?: number) =>
  (await records(text, size)).map(({ value }) => value);

test('reads the elements of the named array, whatever surrounds it', async () => {
  const text =
    ' {"schema_version" : "1.0", "more": {"data": [9]}, "list": [[1], 2], "data":[ {"a":"]}\\""} ,[1,[2]], "x,y" , -1.5e3,true ,null ], "z": 1 } \n';
  const expected = [{ a: ']}"' }, [1, [2]], 'x,y', -1500, true, null];
  for (let size = 1; size < text.length + 2; size += 1)
    expect(await values(text, size)).toEqual(expected);
  expect((await records(text))[0]?.text).toBe('{"a":"]}\\""}');
});

test('reads a document that is the array itself, and empty arrays', async () => {
  expect(await values('[1,{"a":2}]')).toEqual([1, { a: 2 }]);
  expect(await values('[]')).toEqual([]);
  expect(await values('{"data":[],"a":{}}')).toEqual([]);
});

test('reads an integer beyond double precision as its digits, and any other number as a number', async () => {
  const text =
    '[{"version":8040020210811063001,"safe":9007199254740991,"minus":-9007199254740993,"float":12345678901234567.5,"text":" 8040020210811063001"}]';
  expect(await values(text)).toEqual([
    {
      version: '8040020210811063001',
      safe: 9007199254740991,
      minus: '-9007199254740993',
      float: Number('12345678901234567.5'),
      text: ' 8040020210811063001',
    },
  ]);
  expect(await values('[8040020210811063001, 1]')).toEqual(['8040020210811063001', 1]);
});

test.each([
  ['', 'ends too early'],
  ['  ', 'ends too early'],
  ['{"data":[{"a":1},{"b":', 'ends too early'],
  ['{"data":[{"a":1}]', 'ends too early'],
  ['{"data":[1', 'ends too early'],
  ['{"data":[1,', 'ends too early'],
  ['[1] x', 'out of place'],
  ['[1][2]', 'out of place'],
  ['[1,]', 'out of place'],
  ['[,1]', 'out of place'],
  ['[1 2]', 'out of place'],
  ['{"data" [1]}', 'out of place'],
  ['{"data":[1],}', 'out of place'],
  ['{data:[1]}', 'out of place'],
  ['"data"', 'out of place'],
  ['<html>', 'out of place'],
  ['[{"a":1]]', 'not valid JSON'],
  ['[{"a" 1}]', 'not valid JSON'],
  ['["\u0001"]', 'not valid JSON'],
  ['[1.]', 'not valid JSON'],
  ['[truth]', 'not valid JSON'],
  ['[{"v":12345678901234567890,}]', 'not valid JSON'],
  ['{"other":tru,"data":[]}', 'not valid JSON'],
  ['{"data":[],"data":[]}', 'second array'],
  ['{"other":[1]}', 'no array "data"'],
  ['{"data":{"a":1}}', 'no array "data"'],
  ['{"data":null}', 'no array "data"'],
  ['{}', 'no array "data"'],
])('throws on %s', async (text, why) => {
  await expect(values(text, 1)).rejects.toThrow(why);
  await expect(values(text, 1000)).rejects.toThrow(BrokenDocument);
});

test('states where the document is broken', async () => {
  await expect(values('[{"a":1},{?}]', 4)).rejects.toThrow(
    "not valid JSON near character 12: Expected property name or '}'",
  );
  await expect(values('[1,,2]', 2)).rejects.toThrow(
    'https://example.org/records.json cannot be read: it is not valid JSON near character 3: "," is out of place.',
  );
});

test('reads what JSON.stringify writes, cut anywhere', async () => {
  const cutAnywhere = fc.asyncProperty(
    fc.array(fc.jsonValue()),
    fc.integer({ min: 1, max: 40 }),
    fc.boolean(),
    async (list, size, inEnvelope) => {
      const written = JSON.stringify(list);
      const expected = JSON.parse(written);
      const read = await values(
        inEnvelope ? `{"before":${written},"data":${written}}` : written,
        size,
      );
      expect(read.map((value) => JSON.stringify(value, plain))).toEqual(
        expected.map((value: unknown) => JSON.stringify(value, plain)),
      );
    },
  );
  await fc.assert(cutAnywhere, { numRuns: 300 });
});

test('accepts and refuses the same documents as JSON.parse', async () => {
  const alphabet = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"',
    '\\',
    '1',
    '-',
    '.',
    'e',
    ' ',
    'null',
    '"a"',
    '"data"',
    '"data":[',
  );
  const agrees = fc.asyncProperty(
    fc.array(alphabet, { maxLength: 12 }),
    fc.integer({ min: 1, max: 9 }),
    async (pieces, size) => {
      const text = `[${pieces.join('')}`;
      const read = await values(text, size).catch(() => 'refused');
      let parsed: unknown = 'refused';
      try {
        parsed = JSON.parse(text);
      } catch {}
      expect(read).toEqual(parsed);
    },
  );
  await fc.assert(agrees, { numRuns: 3000 });
});

/** Converts a generated number beyond 2^53 to its digits. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? JSON.stringify(value)
    : value;
}

test('has one record in memory at a time', async () => {
  const record = JSON.stringify({ id: 'x', words: 'w'.repeat(10_000) });
  let given = 0;
  async function* endless() {
    yield '{"data":[';
    for (; given < 2000; given += 1) yield `${record},`;
    yield `${record}]}`;
  }
  let read = 0;
  for await (const { value } of jsonRecords(
    { url: 'https://example.org/endless.json', chunks: endless },
    'data',
  )) {
    expect((value as { id: string }).id).toBe('x');
    expect(given - read).toBeLessThan(3);
    read += 1;
  }
  expect(read).toBe(2001);
});

test('replaces lists and objects of omitted members by null, wherever the document is cut', async () => {
  const omitted = { keys: new Set(['bulk', 'more']), depth: 2 };
  const text =
    '{"data":[{"a":{"bulk":[1,{"bulk":"]}\\""}],"row":{"bulk":[2]},"more":{"x":[]},"text":"bulk"}},{"bulk":[3]}]}';
  const complete = {
    bulk: [1, { bulk: ']}"' }],
    row: { bulk: [2] },
    more: { x: [] },
    text: 'bulk',
  };
  const read = async (size: number) =>
    (await collect(jsonRecords(cut(text, size), 'data', omitted))).map(({ value }) => value);
  expect(await read(text.length)).toEqual([
    { a: { ...complete, bulk: null, more: null } },
    { bulk: [3] },
  ]);
  for (let size = 1; size < text.length; size += 1)
    expect(await read(size)).toEqual([
      {
        a: {
          ...complete,
          // A value whose key spans two chunks may be left unchanged.
          bulk: expect.toBeOneOf([null, complete.bulk]),
          more: expect.toBeOneOf([null, complete.more]),
        },
      },
      { bulk: [3] },
    ]);
});
