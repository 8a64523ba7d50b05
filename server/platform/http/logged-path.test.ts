import { endpoints } from '@patch/contract/endpoints.ts';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { loggedPath, maskPath } from './access-log.ts';
import { routePath } from './route.ts';

test.each([
  ['/api/windows/kb/search?offset=0&size=25', '/api/windows/kb/search'],
  ['/reset-password/secret', '/reset-password/…'],
  ['/%72eset-password/secret', '/reset-password/…'],
  ['/%2572eset-password/secret', '/reset-password/…'],
  ['/reset%2Dpassword/%zz/secret', '/reset-password/…'],
  ['//reset-password//secret', '/reset-password/…'],
  ['/api/user/passwordreset/secret/more', '/api/user/passwordreset/…'],
  ['/api/EXPORT/secret', '/api/EXPORT/…'],
  ['/api/export', '/api/export'],
  ['/api/downloads/7/ticket', '/api/downloads/7/ticket'],
  ['/login?redirectFrom=%2Freset-password%2Fsecret', '/login'],
])('logs %s without a route as %s', (url, path) => {
  expect(maskPath(url)).toBe(path);
});

test('masks the secret parameter of every call in any encoding of the path', async () => {
  const app = fastify();
  const logged: string[] = [];
  app.addHook('onResponse', async (request) => void logged.push(loggedPath(request)));
  const secret = endpoints.filter(({ secretParams }) => secretParams !== undefined);
  for (const call of secret)
    app.route({
      method: call.method,
      url: routePath(call),
      config: { secretParams: call.secretParams ?? [] },
      handler: async () => '',
    });
  for (const call of secret) {
    const path = `/api${call.path.replaceAll(/\{\w+\}/g, 'SECRET')}`;
    const encoded = path.replaceAll(
      /[a-zA-Z]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16)}`,
    );
    for (const url of [
      path,
      encoded,
      path.replace('SECRET', '%53ECRET'),
      `${path}?a=SECRET`,
      `${path}/SECRET`,
    ]) {
      await app.inject({ method: call.method, url });
    }
  }
  expect(secret.length).toBeGreaterThanOrEqual(4);
  expect(logged).toHaveLength(secret.length * 5);
  expect(logged.filter((path) => /secret/i.test(path.replace('SECRET', 'secret')))).toEqual([]);
  await app.close();
});

test('covers every path parameter that gives access', () => {
  const withTicket = endpoints.filter(({ path }) => /\{ticket\}|passwordreset/.test(path));
  expect(withTicket.filter(({ secretParams }) => secretParams === undefined)).toEqual([]);
  for (const { path, secretParams = [] } of endpoints)
    for (const name of secretParams) expect(path).toContain(`{${name}}`);
});
