import { specified } from '@patch/catalogue/testing/specified.ts';
import { expect, test } from 'vitest';
import { SearchBody, SearchQuery } from './search-endpoint.ts';

test('applies defaults to absent parameters', () => {
  expect(SearchQuery.parse({})).toEqual(specified.searchDefaults);
  expect(SearchQuery.parse({ offset: '25', size: '10', sort: '-title' })).toEqual({
    offset: 25,
    size: 10,
    sort: '-title',
  });
});

test.each([
  { size: '0' },
  { size: '1001' },
  { size: '100000' },
  { size: '' },
  { size: '1e2' },
  { size: ' 5' },
  { offset: '-1' },
  { offset: '1.5' },
  { page: '1' },
])('refuses %j', (query) => {
  expect(SearchQuery.safeParse(query).success).toBe(false);
});

test('accepts a body that is absent, empty, or has a filter and a keyword of at most 255 characters', () => {
  for (const body of [
    undefined,
    null,
    {},
    { filter: null, keyword: null },
    { filter: 'id = 1', keyword: 'x'.repeat(specified.keywordLength) },
  ]) {
    expect(SearchBody.safeParse(body).success).toBe(true);
  }
  for (const body of [
    '',
    [],
    { filter: 5 },
    { keyword: 'x'.repeat(specified.keywordLength + 1) },
    { keywords: 'x' },
  ]) {
    expect(SearchBody.safeParse(body).success).toBe(false);
  }
});
