import { expect, test } from 'vitest';
import { documentFrom } from '../testing/document-from.ts';
import { readOnce } from './read-once.ts';

const one = documentFrom('https://example.org/1', 'one');
const other = documentFrom('https://example.org/2', 'other');

test('reads the same documents once and other documents again', async () => {
  let readings = 0;
  const read = readOnce(async (documents) => `${++readings}: ${await documents[0]?.text()}`);
  expect(await Promise.all([read([one]), read([one])])).toEqual(['1: one', '1: one']);
  expect(await read([documentFrom('https://example.org/elsewhere', 'one')])).toBe('1: one');
  expect(await read([other])).toBe('2: other');
  expect(await read([one])).toBe('3: one');
  expect(await read([])).toBe('4: undefined');
});

test('reads again after a failure', async () => {
  let fails = true;
  const read = readOnce(async () => {
    if (fails) throw new Error('broken');
    return 'read';
  });
  await expect(read([one])).rejects.toThrow('broken');
  fails = false;
  expect(await read([one])).toBe('read');
});
