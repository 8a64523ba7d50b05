import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { almalinuxList } from '../vendors/almalinux/almalinux-list.ts';
import { BrokenDocument } from './create-document.ts';
import { documentOfLines, listDocument, readListDocument } from './list-document.ts';

const record = (key: string, title = key) => ({
  key,
  row: { title },
  detail: { description: 'One\nTwo \u2028' },
});

test('returns records in the order of their keys, whatever order they were written in', async () => {
  const document = listDocument(almalinuxList, [record('B'), record('A', 'Ä𝄞')]);
  expect(document).toMatchObject({ url: 'list:almalinux_patch', size: 0, lastModified: null });
  expect(await collect(readListDocument(document))).toEqual([record('A', 'Ä𝄞'), record('B')]);
  expect(listDocument(almalinuxList, [record('A', 'Ä𝄞'), record('B')]).sha256).toBe(
    document.sha256,
  );
});

test('changes the fingerprint with the content, and reads an empty list', async () => {
  expect(listDocument(almalinuxList, [record('A', 'x')]).sha256).not.toBe(
    listDocument(almalinuxList, [record('A', 'y')]).sha256,
  );
  expect(await collect(readListDocument(listDocument(almalinuxList, [])))).toEqual([]);
});

test('refuses a line that is not a record', async () => {
  const reading = collect(
    readListDocument(documentOfLines(almalinuxList, 'x', () => ['{"key":"A"}', '{"key"'])),
  );
  await expect(reading).rejects.toThrow(BrokenDocument);
});
