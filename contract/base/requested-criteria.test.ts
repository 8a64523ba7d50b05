import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestedCriteria, requestCriteria } from './requested-criteria.ts';

const written = 'tags.in.Ankara Büro*.100%25**name.contains.g++ & co';
const encoded = new URLSearchParams({ criteria: written }).toString();
const escaped = `criteria=${encodeURIComponent(written)}`;

test.each([
  `https://patch.example.com/patch-repository/machines?${encoded}`,
  `  https://patch.example.com/patch-repository/machines?sort=name&${escaped}&page=2&view=all#top\n`,
  `patch.example.com/patch-repository/machines?${encoded}`,
  `localhost:8080/machines?${encoded}`,
  `/patch-repository/machines?${encoded}`,
  `?${encoded}`,
  `#${escaped}`,
  encoded,
  `?keyword=&${encoded}`,
  `?${encodeURIComponent(written)}`,
  `#${encodeURIComponent(written)}`,
])('criteria are read from the address %s, decoded once', (text) => {
  expect(RequestedCriteria.parse(text)).toBe(written);
});

test.each([
  ['tags.in.Ankara%20Office', 'must not have percent encoding such as %20'],
  ['tags%2Ein%2Ea', 'must not have percent encoding such as %2E'],
  ['https://patch.example.com/patch-repository/machines', 'must be an address with the parameter'],
  ['?sort=name', 'must be an address with the parameter criteria'],
  ['?', 'must be an address with the parameter criteria'],
  [`?${encoded}&keyword=web`, 'the address has the parameter keyword too'],
  [`?${encoded}&view=7`, 'the address has the parameter view too'],
  ['?criteria=tags.in.%E4', 'has percent encoding that is not valid'],
  ['?criteria=tags.in.%zz', 'has percent encoding that is not valid'],
  ['?criteria=tags.in.%00', 'must not contain control characters'],
])('%j is refused: %s', (text, problem) => {
  expect(RequestedCriteria.safeParse(text).error?.issues[0]?.message).toContain(problem);
});

test.each([
  '',
  'tags.in.a',
  'title.contains. 50% of c:/x?criteria=y&z#1+1',
  'misses.in.almalinux_patch/7',
  'name.contains.%',
])('criteria stay as they are: %j', (text) => {
  expect(RequestedCriteria.parse(text)).toBe(text);
});

test('criteria of the console are read as they are, also with what looks encoded', () => {
  const value = fc.array(
    fc.oneof(fc.constantFrom('%41', '%25', '%', '+', '&', '#', '?', '/', '*-'), fc.string()),
  );
  fc.assert(
    fc.property(value, (parts) => {
      const text = `title.contains.${parts.join('').replaceAll(/[^\P{Cc}\t\n\r]/gu, '')}`;
      expect(RequestedCriteria.parse(requestCriteria(text))).toBe(text);
    }),
  );
});
