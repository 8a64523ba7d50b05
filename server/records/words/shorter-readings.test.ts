import { getList } from '@patch/catalogue/lists.ts';
import type { QueryPart, ReadQuery } from '@patch/contract/records/search-endpoint.ts';
import { expect, test } from 'vitest';
import { NameDictionary } from './name-dictionary.ts';
import { joinParts } from './query-parts.ts';
import { listReadingsAsWords, listShorterReadings } from './shorter-readings.ts';

const allPatches = getList('all_patches');
const names = new NameDictionary(
  allPatches,
  new Map([
    ['vendor', ['Apache Software Foundation']],
    ['release', ['Ubuntu 22.04 LTS']],
  ]),
);
const criterion = (text: string, paramName: string, value: string): QueryPart => ({
  text,
  criterion: { paramName, operator: 'equal', value },
});
const word = (text: string): QueryPart => ({ text, keyword: text });
const apache = criterion('apache', 'vendor', 'Apache Software Foundation');
const ubuntu = criterion('ubuntu 22.04', 'release', 'Ubuntu 22.04 LTS');
const critical = criterion('critical', 'ratedSeverity', 'Critical');
const exploited = criterion('0day', 'exploited', 'true');
const may = criterion('mai 2026', 'releaseDate', '2026-05');
const cve = criterion('pwnkit', 'cve', 'CVE-2021-4034');

const counts = new Map([
  ['kernel', 80],
  ['dialog', 2],
]);
const texts = {
  has: (text: string) => counts.has(text),
  count: (text: string) => counts.get(text) ?? 0,
  isInTitle: () => false,
};

/** Returns what is left of each reading, in words. */
const kept = (readings: readonly ReadQuery[]) =>
  readings.map(({ parts }) =>
    parts.flatMap(({ text, leftOut }) => (leftOut === true ? [] : text)).join(', '),
  );
const shorten = (...parts: readonly QueryPart[]) =>
  listShorterReadings(allPatches, joinParts(parts), texts).map(kept);

test('takes one name after another as words', () => {
  const readings = listReadingsAsWords(joinParts([critical, apache, ubuntu]), names);
  expect(readings.map(({ criteria, keyword }) => [keyword, criteria.length])).toEqual([
    ['apache', 2],
    ['ubuntu 22.04', 2],
  ]);
});

test('leaves out what is needed least first', () => {
  const [one] = shorten(word('kernel'), ubuntu, word('dialog'), exploited, may, critical);
  expect(one).toEqual([
    'kernel, ubuntu 22.04, dialog, 0day, mai 2026',
    'kernel, ubuntu 22.04, dialog, 0day, critical',
    'kernel, ubuntu 22.04, dialog, mai 2026, critical',
    'kernel, ubuntu 22.04, 0day, mai 2026, critical',
    'kernel, dialog, 0day, mai 2026, critical',
    'ubuntu 22.04, dialog, 0day, mai 2026, critical',
  ]);
});

test('leaves out one part, then two, then all but one', () => {
  expect(shorten(word('kernel'), ubuntu, word('dialog'), critical)).toEqual([
    [
      'kernel, ubuntu 22.04, dialog',
      'kernel, ubuntu 22.04, critical',
      'kernel, dialog, critical',
      'ubuntu 22.04, dialog, critical',
    ],
    [
      'kernel, ubuntu 22.04',
      'kernel, dialog',
      'ubuntu 22.04, dialog',
      'kernel, critical',
      'ubuntu 22.04, critical',
      'dialog, critical',
    ],
    ['kernel', 'ubuntu 22.04', 'dialog', 'critical'],
  ]);
});

test('leaves out a symptom before anything else', () => {
  expect(shorten(critical, word('hata'), ubuntu)[0]?.[0]).toBe('critical, ubuntu 22.04');
});

test('never leaves out a CVE, the number of a record or a phrase', () => {
  expect(shorten(cve, word('KB5063878'), word('"a phrase"'), critical)).toEqual([
    ['pwnkit, KB5063878, "a phrase"'],
    [],
    [],
  ]);
  expect(shorten(cve)).toEqual([[], [], []]);
});

test('keeps one part', () => {
  expect(shorten(word('kernel'))).toEqual([[], [], []]);
  expect(shorten(word('kernel'), { text: 'xyz', leftOut: true })).toEqual([[], [], []]);
});
