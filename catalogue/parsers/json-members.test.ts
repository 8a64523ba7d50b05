import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { BrokenDocument } from './create-document.ts';
import { type JsonMember, jsonMembers } from './json-records.ts';

async function members(text: string, size = 5): Promise<JsonMember[]> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  return collect(jsonMembers({ url: 'https://example.org/members.json', chunks }));
}

test('reads the members of an object, cut anywhere', async () => {
  const text = ' { "a\\"b" : {"c": [1, "}"]} , "":null,"n" : -1.5e3,"t":true , "a\\"b":[] } \n';
  for (let size = 1; size < text.length + 2; size += 1) {
    expect(await members(text, size)).toEqual([
      { key: 'a"b', value: { c: [1, '}'] } },
      { key: '', value: null },
      { key: 'n', value: -1500 },
      { key: 't', value: true },
      { key: 'a"b', value: [] },
    ]);
  }
  expect(await members('{}')).toEqual([]);
});

test.each([
  '',
  ' ',
  '[]',
  '"a"',
  '<html>',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  '{,"a":1}',
  '{"a" 1}',
  '{a:1}',
  '{"a":}',
  '{"a":tru}',
  '{"a":1 2}',
  '{"a":[1}',
  '{"a":1}}',
  '{"a":1} {}',
])('throws on %j', async (text) => {
  await expect(members(text, 1)).rejects.toThrow(BrokenDocument);
  await expect(members(text, 100)).rejects.toThrow('is not valid JSON near character');
});

test('reads what JSON.stringify writes', async () => {
  const agrees = fc.asyncProperty(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.integer({ min: 1, max: 40 }),
    async (object, size) => {
      const written = JSON.stringify(object);
      const parsed = JSON.parse(written) as Record<string, unknown>;
      expect(await members(written, size)).toEqual(
        Object.entries(parsed).map(([key, value]) => ({ key, value })),
      );
    },
  );
  await fc.assert(agrees, { numRuns: 300 });
});
