import { expect, test } from 'vitest';
import { filterByLabel, findScreens } from './jump-commands.ts';

const labels = (typed: string) => findScreens(typed).map(({ label }) => label);

test('finds screens by words of their names, those that start with them first', () => {
  expect(labels('alma')).toEqual(['AlmaLinux']);
  expect(labels('sync')[0]).toBe('Sync');
  expect(labels('linux').length).toBeGreaterThan(2);
  expect(labels('CVE-2024-3094')).toEqual([]);
  expect(labels('')).toHaveLength(6);
});

test('offers each address once', () => {
  const paths = ['', 'a', 'patch', 'linux'].flatMap((typed) =>
    findScreens(typed).map(({ path }) => `${typed} ${path}`),
  );
  expect(new Set(paths).size).toBe(paths.length);
});

test.each([
  ['istanbul', 'İstanbul şubesi'],
  ['İSTANBUL ŞUBESİ', 'İstanbul şubesi'],
  ['IŞIK', 'Işık'],
  ['STRASSE', 'Straße'],
])('finds by %j what is written %j', (typed, label) => {
  const all = ['İstanbul şubesi', 'Işık', 'Straße'].map((one) => ({ label: one }));
  expect(filterByLabel(all, typed)).toEqual([{ label }]);
});
