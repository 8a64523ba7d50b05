import { getList } from '@patch/catalogue/lists.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { endpoints } from './endpoints.ts';
import { checkFilter } from './filter/check-filter.ts';
import { parseFilter } from './filter/parse-filter.ts';
import { openApiDocument } from './openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: unknown }[];
  readonly requestBody?: {
    required: boolean;
    content: { 'application/json': { schema: unknown; example?: { filter: string } } };
  };
  readonly responses: Readonly<Record<string, unknown>>;
}

const document = openApiDocument(endpoints, { version: '1.2.3' });
const written = JSON.stringify(document);
const paths = document.paths as Record<string, Record<string, Operation>>;
const operations = Object.values(paths).flatMap((path) => Object.values(path));
const findOperation = (name: string) => {
  const found = operations.find(({ operationId }) => operationId === name);
  if (found === undefined) throw new Error(`${name} is not in the document`);
  return found;
};

test('is valid', async () => {
  const outcome = await new Validator().validate(JSON.parse(written) as Record<string, unknown>);
  expect(outcome.errors ?? []).toEqual([]);
  expect(outcome.valid).toBe(true);
});

test('contains every call once, at its path and method', () => {
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
    endpoints.map(({ name }) => name).toSorted(),
  );
  for (const { name, path, method } of endpoints)
    expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(name);
});

test('refuses a second call with the same path and method', () => {
  expect(() => openApiDocument([...endpoints, ...endpoints.slice(0, 1)], { version: '1' })).toThrow(
    'is a second call of',
  );
});

test('describes every path parameter, and has neither dangling references nor repeated shapes', () => {
  for (const [path, methods] of Object.entries(paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters = [] } of Object.values(methods)) {
      expect(
        parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      ).toEqual(inPath);
    }
  }
  const { schemas, responses } = document.components as Record<
    'schemas' | 'responses',
    Record<string, unknown>
  >;
  const known = [
    ...Object.keys(schemas).map((name) => `schemas/${name}`),
    ...Object.keys(responses).map((name) => `responses/${name}`),
  ];
  const referred = [...written.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect(new Set(referred)).toEqual(new Set(known));
  expect(Object.keys(schemas).filter((name) => /Input|Output|__/.test(name))).toEqual([]);
  expect(written).not.toContain('$defs');
});

test.each([
  ['health', '200 503'],
  ['authenticate', '200 400 401 422 429 503'],
  ['start_sync', '202 401 403 404 409 422 503'],
  ['read_centos_patch', '200 401 404 422 503'],
  ['search_centos_patch', '200 400 401 422 503'],
])('states the replies to %s', (name, statuses) => {
  expect(Object.keys(findOperation(name).responses)).toEqual(statuses.split(' '));
});

test('states who may make a call', () => {
  expect(findOperation('health').security).toEqual([]);
  expect(findOperation('search_centos_patch').security).toBeUndefined();
});

test('describes input and output as on the wire', () => {
  expect(findOperation('search_centos_patch').parameters).toEqual([
    {
      name: 'offset',
      in: 'query',
      required: false,
      description: 'Rows to skip',
      schema: { type: 'integer', minimum: 0, default: 0 },
    },
    {
      name: 'size',
      in: 'query',
      required: false,
      description: 'Rows to return, at most 1000',
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 },
    },
    expect.objectContaining({ name: 'sort', required: false }),
  ]);
  expect(findOperation('search_centos_patch').requestBody?.required).toBe(false);
  expect(findOperation('authenticate').requestBody?.required).toBe(true);
  expect(findOperation('sign_out').requestBody).toBeUndefined();
  expect(findOperation('start_sync').responses['202']).toMatchObject({
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Run' } } },
  });
});

test('explains the filter of every search with an example that works', () => {
  for (const { name } of endpoints.filter((call) => /^(?:search|group)_/.test(call.name))) {
    const list = getList(name.replace(/^(?:search|group)_/, '') as Parameters<typeof getList>[0]);
    const { description = '', requestBody } = findOperation(name);
    const filter = requestBody?.content['application/json'].example?.filter ?? '';
    expect(checkFilter(list, parseFilter(filter)).length).toBeGreaterThan(0);
    for (const field of list.searchable)
      expect(description).toContain(`| \`${list.filterName[field] ?? field}\` |`);
  }
});

test('describes streams, and the limit of open streams per session', () => {
  const { responses } = findOperation('sync_events');
  expect(responses['200']).toMatchObject({
    content: { 'text/event-stream': { schema: { oneOf: [{}, {}] } } },
  });
  expect(Object.keys(responses)).toEqual(['200', '401', '429', '503']);
});
