import { expect, test } from 'vitest';
import { loggedPath } from './access-log.ts';

test.each([
  ['/api/windows/kb/search?offset=0&size=25', '/api/windows/kb/search'],
  ['/reset-password/secret', '/reset-password/…'],
  ['/api/user/passwordreset/secret', '/api/user/passwordreset/…'],
  ['/api/export/secret', '/api/export/…'],
  ['/api/export', '/api/export'],
  ['/api/audit/export/secret', '/api/audit/export/…'],
  ['/api/downloads/files/secret', '/api/downloads/files/…'],
  ['/api/downloads/7/ticket', '/api/downloads/7/ticket'],
  ['/login?redirectFrom=%2Freset-password%2Fsecret', '/login'],
])('%s is logged as %s', (url, path) => {
  expect(loggedPath(url)).toBe(path);
});
