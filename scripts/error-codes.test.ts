import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@patch/contract/endpoints.ts';
import { openApiDocument } from '@patch/contract/openapi.ts';
import { expect, test } from 'vitest';
import { errorStatus } from '../server/platform/http/error-status.ts';
import { sourceFiles } from './source-files.ts';

const root = join(import.meta.dirname, '..');
const declaring = /^server\/platform\/(errors\/error-codes|http\/error-status)\.ts$/;

test('every error code is used by the product', () => {
  const product = sourceFiles().filter(
    (file) =>
      /^(server|contract)\//.test(file) &&
      !/\.test\.ts$|\/testing\//.test(file) &&
      !declaring.test(file),
  );
  expect(product.length).toBeGreaterThan(200);
  const text = product.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  expect(Object.keys(errorStatus).filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});

test('every refusal that the API description documents has an error code', () => {
  const document = JSON.stringify(openApiDocument(endpoints, { version: '0' }));
  const documented = new Set(
    [...document.matchAll(/"([45]\d\d)":\{/g)].map(([, status]) => status),
  );
  expect(documented.size).toBeGreaterThan(5);
  const sent = new Set(Object.values(errorStatus).map(String));
  expect([...documented].filter((status) => status === undefined || !sent.has(status))).toEqual([]);
});
