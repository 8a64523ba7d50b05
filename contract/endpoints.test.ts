import { catalogueLists } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { endpoints } from './endpoints.ts';

const repeated = (words: readonly string[]) =>
  words.filter((word, index) => words.indexOf(word) !== index);

test('have unique names, and unique pairs of method and path', () => {
  expect(repeated(endpoints.map(({ name }) => name))).toEqual([]);
  expect(
    repeated(endpoints.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)),
  ).toEqual([]);
});

test('validate exactly the parameters of their paths', () => {
  for (const { path, params } of endpoints) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    expect(Object.keys((params as z.ZodObject).shape)).toEqual(inPath);
  }
});

test('are valid once where their path has a ticket', () => {
  const withTicket = endpoints.filter(({ path }) => path.includes('{ticket}'));
  expect(withTicket.map(({ name, method, once }) => [name, method, once])).toEqual([
    ['export_file', 'GET', true],
    ['audit_file', 'GET', true],
    ['download_file', 'GET', true],
  ]);
});

test('let every list be searched and its records be read', () => {
  const paths = endpoints.map(({ method, path }) => `${method} ${path}`);
  for (const { searchPath, detailPath } of catalogueLists) {
    expect(paths).toContain(`POST ${searchPath}`);
    expect(paths).toContain(`GET ${detailPath}`);
  }
});

test('limit requests per address where strangers could guess secrets', () => {
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
    collector: 600,
    report_machine: 600,
  });
});
