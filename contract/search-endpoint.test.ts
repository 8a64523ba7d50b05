import { specified } from '@patch/catalogue/testing/specified.ts';
import { expect, test } from 'vitest';
import { SearchBody, SearchQuery } from './search-endpoint.ts';

test('what is not said has its default', () => {
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
])('%j is refused', (query) => {
  expect(SearchQuery.safeParse(query).success).toBe(false);
});

test('a body may be absent, empty, or hold a filter and a keyword of at most 255 characters', () => {
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
