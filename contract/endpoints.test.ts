import { catalogueLists } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { endpoints } from './endpoints.ts';

const repeated = (words: readonly string[]) =>
  words.filter((word, place) => words.indexOf(word) !== place);

test('no two calls share a name, or a method and path', () => {
  expect(repeated(endpoints.map(({ name }) => name))).toEqual([]);
  expect(
    repeated(endpoints.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)),
  ).toEqual([]);
});

test('the parameters of a path are those that are checked', () => {
  for (const { path, params } of endpoints) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    expect(Object.keys((params as z.ZodObject).shape)).toEqual(inPath);
  }
});

test('every list can be searched and its records read', () => {
  const paths = endpoints.map(({ method, path }) => `${method} ${path}`);
  for (const { searchPath, detailPath } of catalogueLists) {
    expect(paths).toContain(`POST ${searchPath}`);
    expect(paths).toContain(`GET ${detailPath}`);
  }
});

test('limits the requests of an address to what strangers may try secrets with', () => {
  const limits = endpoints.flatMap(({ name, rateLimit }) =>
    rateLimit === undefined ? [] : [[name, rateLimit.perMinute]],
  );
  expect(Object.fromEntries(limits)).toEqual({
    authenticate: 120,
    sign_in_factors: 120,
    forgot_password: 20,
    reset_password: 60,
    start_sso: 120,
    sso_callback: 120,
    activate_client: 30,
  });
});
