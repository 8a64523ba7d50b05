import { listOfKey } from '@patch/catalogue/lists.ts';
import { describe, expect, test } from 'vitest';
import { isNamed, looksLikeIdentifier, searchTyped } from './asked-search.ts';
import { suggestionsFor } from './search-suggestions.ts';
import { ariaSort, sortAfterClick } from './sort-order.ts';

const alma = listOfKey('almalinux_patch');
const kbs = listOfKey('patch_repository');
const severe = { paramName: 'severity', operator: 'in', value: ['Critical'] } as const;

describe('typed words', () => {
  test('join the current search; a field used again replaces its criterion', () => {
    expect(
      searchTyped(alma, { criteria: [severe], keyword: 'kernel' }, 'severity:low title:ssl', 'UTC'),
    ).toEqual({
      kind: 'search',
      criteria: [
        { paramName: 'severity', operator: 'in', value: ['Low'] },
        { paramName: 'title', operator: 'contains', value: 'ssl' },
      ],
      keyword: 'kernel',
    });
    expect(searchTyped(alma, { criteria: [severe], keyword: 'kernel' }, 'open ssl', 'UTC')).toEqual(
      {
        kind: 'search',
        criteria: [severe],
        keyword: 'open ssl',
      },
    );
  });

  test('end with an export, of what they find', () => {
    const typed = (words: string) => searchTyped(alma, { criteria: [], keyword: '' }, words, 'UTC');
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

  test('join the keyword when they are added to it, each term once', () => {
    const asked = { criteria: [severe], keyword: 'kernel "security update"' };
    expect(searchTyped(alma, asked, 'kernel "real time"', 'UTC', 'add')).toEqual({
      kind: 'search',
      criteria: [severe],
      keyword: 'kernel "security update" "real time"',
    });
    const long = { criteria: [], keyword: 'x'.repeat(250) };
    expect(searchTyped(alma, long, 'yyyyy', 'UTC', 'add')).toEqual({ kind: 'tooLong' });
    expect(searchTyped(alma, long, 'yyyy', 'UTC', 'add')).toMatchObject({ kind: 'search' });
  });

  test('a keyword has at most 255 characters', () => {
    const nothing = { criteria: [], keyword: '' };
    expect(searchTyped(alma, nothing, 'x'.repeat(255), 'UTC')).toMatchObject({
      keyword: 'x'.repeat(255),
    });
    expect(searchTyped(alma, nothing, 'x'.repeat(256), 'UTC')).toEqual({ kind: 'tooLong' });
  });

  test('an unknown field names the allowed ones', () => {
    expect(searchTyped(alma, { criteria: [], keyword: '' }, 'titel:x', 'UTC')).toEqual({
      kind: 'problem',
      problem: expect.stringContaining(
        "The field 'titel' is not valid. Allowed fields are: bulletinId",
      ),
    });
  });
});

test('identifiers are known by their look, records by their names', () => {
  for (const keyword of ['KB5034441', '5034441', 'CVE-2024-3094', 'ALSA-2024:1691', 'USN-6663-1']) {
    expect(looksLikeIdentifier(keyword), keyword).toBe(true);
  }
  for (const keyword of ['openssl', 'open ssl 3', 'x86', ''])
    expect(looksLikeIdentifier(keyword), keyword).toBe(false);
  const row = { id: 1, kbId: 'KB5034441', name: 'Windows 11' };
  expect(isNamed(kbs, row, 'kb5034441')).toBe(true);
  expect(isNamed(kbs, row, '5034441')).toBe(true);
  expect(isNamed(kbs, row, '503444')).toBe(false);
});

describe('suggestions', () => {
  const offered = (typed: string, asked: readonly (typeof severe)[] = []) =>
    suggestionsFor(alma, { criteria: asked, keyword: '' }, typed).map((suggestion) =>
      suggestion.kind === 'field' ? suggestion.label : suggestion.typed,
    );

  test('every field that is not asked yet', () => {
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
  test('fields that begin so, after the words themselves', () => {
    expect(offered('openssl rel')).toEqual(['openssl rel', 'Release date']);
  });
  test('instead of the keyword and beside it, both named, where one is asked', () => {
    const asked = { criteria: [], keyword: 'kernel' };
    expect(suggestionsFor(alma, asked, 'ssl ').slice(0, 2)).toEqual([
      { kind: 'words', typed: 'ssl ', instead: 'kernel' },
      { kind: 'also', typed: 'ssl ', keyword: 'kernel' },
    ]);
    expect(suggestionsFor(alma, asked, 'title:ssl x ').map(({ kind }) => kind)).not.toContain(
      'also',
    );
  });
  test('known values, highest first; one after another with commas', () => {
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

test('a head sorts up, then down, then as the list does', () => {
  expect(sortAfterClick('-releaseDate', 'title', '-releaseDate')).toBe('title');
  expect(sortAfterClick('title', 'title', '-releaseDate')).toBe('-title');
  expect(sortAfterClick('-title', 'title', '-releaseDate')).toBe('-releaseDate');
  expect(sortAfterClick('-releaseDate', 'releaseDate', '-releaseDate')).toBe('releaseDate');
  expect(ariaSort('-title', 'title')).toBe('descending');
  expect(ariaSort('-title', 'severity')).toBe('none');
});
