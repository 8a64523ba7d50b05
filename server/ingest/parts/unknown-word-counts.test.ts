import { entry } from '@patch/catalogue/definition/feed.ts';
import { choice, identifier } from '@patch/catalogue/definition/fields.ts';
import { defineList } from '@patch/catalogue/definition/list-definition.ts';
import { findUnknownSeverity, toSeverity } from '@patch/catalogue/schemas/severities.ts';
import { runMessageText } from '@patch/contract/sources/run-message-text.ts';
import { expect, test } from 'vitest';
import { createWordWarnings, UnknownWordCounts } from './unknown-word-counts.ts';

const list = defineList({
  key: 'boats',
  label: 'Boats',
  shortLabel: 'Boats',
  source: null,
  route: 'boats',
  searchPath: '/boats/search',
  detailPath: '/boats/{id}',
  fields: {
    sail: identifier('Sail'),
    severity: choice('Severity', ['Unspecified', 'Low']),
    rig: choice('Rig', ['sloop', 'ketch']),
  },
  columns: ['sail'],
  searchable: ['sail'],
  identity: ['sail'],
  defaultSort: 'sail',
});

const boat = (sail: string, severity: string | null, rig: string | null = null) =>
  entry(
    list,
    sail,
    { sail, severity: toSeverity(severity) as 'Low', rig: rig as 'sloop' | null },
    {},
    findUnknownSeverity(severity),
  );

function createWarnings(...boats: ReturnType<typeof boat>[]): string[] {
  const counts = new UnknownWordCounts();
  for (const each of boats) counts.count(each);
  return createWordWarnings({ part: 'harbour', partLabel: 'Harbour' }, counts.counted).map(
    runMessageText,
  );
}

test('reports each unknown word once, with its count and the first record as example', () => {
  expect(
    createWarnings(
      boat('A1', 'urgent'),
      boat('A2', 'urgent'),
      boat('A3', 'low'),
      boat('A4', ''),
      boat('A5', null),
    ),
  ).toEqual([
    "Harbour: Unknown severity 'urgent' in 2 records, for example A1. It is shown as Unspecified.",
  ]);
});

test('reports a value that is not a choice of its field', () => {
  expect(createWarnings(boat('A1', 'low', 'Sloop'), boat('A2', 'low', 'catamaran'))).toEqual([
    "Harbour: Unknown rig 'catamaran' in 1 record (A2). It is shown as it is.",
  ]);
});

test('summarizes more than twenty words', () => {
  const warnings = createWarnings(
    ...Array.from({ length: 25 }, (_, number) => boat(`A${number}`, `word ${number}`)),
  );
  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)).toBe('Harbour: More unknown words, in 5 records.');
});
