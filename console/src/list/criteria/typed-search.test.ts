import { getList } from '@patch/catalogue/lists.ts';
import { describe, expect, test } from 'vitest';
import { nextSort, toAriaSort } from '../columns/sort-order.ts';
import { getSuggestions } from '../search-bar/search-suggestions.ts';
import { applyTypedSearch, hasIdentity, looksLikeIdentifier } from './typed-search.ts';

const alma = getList('almalinux_patch');
const kbs = getList('patch_repository');
const severe = { paramName: 'severity', operator: 'in', value: ['Critical'] } as const;

describe('applyTypedSearch', () => {
  test('adds criteria to the current search and replaces those of the same field', () => {
    expect(
      applyTypedSearch(
        alma,
        { criteria: [severe], keyword: 'kernel' },
        'severity:low title:ssl',
        'UTC',
      ),
    ).toEqual({
      kind: 'search',
      criteria: [
        { paramName: 'severity', operator: 'in', value: ['Low'] },
        { paramName: 'title', operator: 'contains', value: 'ssl' },
      ],
      keyword: 'kernel',
    });
    expect(
      applyTypedSearch(alma, { criteria: [severe], keyword: 'kernel' }, 'open ssl', 'UTC'),
    ).toEqual({
      kind: 'search',
      criteria: [severe],
      keyword: 'open ssl',
    });
  });

  test('recognizes an export at the end', () => {
    const typed = (words: string) =>
      applyTypedSearch(alma, { criteria: [], keyword: '' }, words, 'UTC');
    expect(typed('severity:critical openssl export:CSV ')).toEqual({
      kind: 'search',
      criteria: [severe],
      keyword: 'openssl',
      exported: 'csv',
    });
    expect(typed('export:json')).toMatchObject({ keyword: '', criteria: [], exported: 'json' });
    expect(typed('"how to export:csv"')).toEqual({
      kind: 'search',
      criteria: [],
      keyword: '"how to export:csv"',
    });
    expect(typed('openssl export:pdf')).toMatchObject({ kind: 'problem' });
  });

  test('adds terms to the keyword without repeating them', () => {
    const currentSearch = { criteria: [severe], keyword: 'kernel "security update"' };
    expect(applyTypedSearch(alma, currentSearch, 'kernel "real time"', 'UTC', 'add')).toEqual({
      kind: 'search',
      criteria: [severe],
      keyword: 'kernel "security update" "real time"',
    });
    const long = { criteria: [], keyword: 'x'.repeat(250) };
    expect(applyTypedSearch(alma, long, 'yyyyy', 'UTC', 'add')).toEqual({ kind: 'tooLong' });
    expect(applyTypedSearch(alma, long, 'yyyy', 'UTC', 'add')).toMatchObject({ kind: 'search' });
  });

  test('accepts a keyword of up to 255 characters', () => {
    const nothing = { criteria: [], keyword: '' };
    expect(applyTypedSearch(alma, nothing, 'x'.repeat(255), 'UTC')).toMatchObject({
      keyword: 'x'.repeat(255),
    });
    expect(applyTypedSearch(alma, nothing, 'x'.repeat(256), 'UTC')).toEqual({ kind: 'tooLong' });
  });

  test('returns the allowed fields for an unknown one', () => {
    expect(applyTypedSearch(alma, { criteria: [], keyword: '' }, 'titel:x', 'UTC')).toEqual({
      kind: 'problem',
      problem: expect.stringContaining(
        "The field 'titel' is not valid. Allowed fields are: bulletinId",
      ),
    });
  });
});

test('recognizes identifiers by their form and records by their identity fields', () => {
  for (const keyword of ['KB5034441', '5034441', 'CVE-2024-3094', 'ALSA-2024:1691', 'USN-6663-1']) {
    expect(looksLikeIdentifier(keyword), keyword).toBe(true);
  }
  for (const keyword of ['openssl', 'open ssl 3', 'x86', ''])
    expect(looksLikeIdentifier(keyword), keyword).toBe(false);
  const row = { id: 1, kbId: 'KB5034441', name: 'Windows 11' };
  expect(hasIdentity(kbs, row, 'kb5034441')).toBe(true);
  expect(hasIdentity(kbs, row, '5034441')).toBe(true);
  expect(hasIdentity(kbs, row, '503444')).toBe(false);
});

describe('getSuggestions', () => {
  const offered = (typed: string, criteria: readonly (typeof severe)[] = []) =>
    getSuggestions(alma, { criteria, keyword: '' }, typed).map((suggestion) =>
      suggestion.kind === 'field' ? suggestion.label : suggestion.typed,
    );

  test('returns all fields without a criterion', () => {
    expect(offered('')).toEqual([
      'Bulletin',
      'Severity',
      'Category',
      'Title',
      'Release date',
      'OS version',
      'Exploited',
      'EPSS',
      'CVSS',
    ]);
    expect(offered('', [severe])).not.toContain('Severity');
  });
  test('returns the typed words, then matching fields', () => {
    expect(offered('openssl rel')).toEqual(['openssl rel', 'Release date']);
  });
  test('offers to replace the current keyword and to add to it', () => {
    const currentSearch = { criteria: [], keyword: 'kernel' };
    expect(getSuggestions(alma, currentSearch, 'ssl ').slice(0, 2)).toEqual([
      { kind: 'words', typed: 'ssl ', instead: 'kernel' },
      { kind: 'also', typed: 'ssl ', keyword: 'kernel' },
    ]);
    expect(
      getSuggestions(alma, currentSearch, 'title:ssl x ').map(({ kind }) => kind),
    ).not.toContain('also');
  });
  test('returns known values, highest first, also after a comma', () => {
    expect(offered('severity:')).toEqual(
      ['Critical', 'Important', 'Moderate', 'Low', 'None', 'Unspecified'].map(
        (word) => `severity:${word}`,
      ),
    );
    expect(offered('severity:Critical,im')).toEqual([
      'severity:Critical,im',
      'severity:Critical,Important',
    ]);
    expect(offered('releaseDate:last_w')).toEqual(['releaseDate:last_w', 'releaseDate:last_week']);
  });
});

test('nextSort returns ascending, descending, then the default order', () => {
  expect(nextSort('-releaseDate', 'title', '-releaseDate')).toBe('title');
  expect(nextSort('title', 'title', '-releaseDate')).toBe('-title');
  expect(nextSort('-title', 'title', '-releaseDate')).toBe('-releaseDate');
  expect(nextSort('-releaseDate', 'releaseDate', '-releaseDate')).toBe('releaseDate');
  expect(toAriaSort('-title', 'title')).toBe('descending');
  expect(toAriaSort('-title', 'severity')).toBe('none');
});
