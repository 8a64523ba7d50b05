import { defineEndpoint } from '@patch/contract/endpoint.ts';
import { noBody, noParams, noQuery } from '@patch/contract/no-input.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { accessTable } from './access-table.ts';

test('each call has a line with who may make it, and what an API key needs', () => {
  const call = {
    summary: 'Does | it',
    tag: 'Things',
    params: noParams,
    query: noQuery,
    body: noBody,
    reply: z.unknown(),
  } as const;
  const text = accessTable([
    defineEndpoint({
      ...call,
      name: 'a',
      method: 'GET',
      path: '/a/{id}',
      access: 'standard',
      scope: 'read',
    }),
    defineEndpoint({ ...call, name: 'b', method: 'POST', path: '/b', access: 'admin' }),
    defineEndpoint({ ...call, name: 'c', method: 'GET', path: '/c', access: 'client' }),
    defineEndpoint({
      ...call,
      name: 'd',
      method: 'GET',
      path: '/d',
      access: 'public',
      tag: 'Others',
    }),
  ]);
  expect(text).toContain('\n## Things\n');
  expect(text).toContain('\n## Others\n');
  expect(text).toContain('\n| GET | /api/a/{id} | Signed in | read | Does \\| it |\n');
  expect(text).toContain('\n| POST | /api/b | Administrator | no | Does \\| it |\n');
  expect(text).toContain('\n| GET | /api/c | Licensed client | no | Does \\| it |\n');
  expect(text).toContain('\n| GET | /api/d | Anybody | not needed | Does \\| it |\n');
});
