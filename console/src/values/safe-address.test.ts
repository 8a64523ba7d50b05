import { identifier } from '@patch/catalogue/definition/fields.ts';
import { expect, test } from 'vitest';
import { safeAddress, vendorPage } from './safe-address.ts';

test.each([
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'vbscript:x',
  '//host/path',
  'not an address',
  '',
])('rejects %j', (text) => {
  expect(safeAddress(text)).toBeUndefined();
});

test('returns http and https addresses', () => {
  expect(safeAddress('https://ubuntu.com/security/notices/USN-6663-1')).toBe(
    'https://ubuntu.com/security/notices/USN-6663-1',
  );
  expect(safeAddress('http://example.org')).toBe('http://example.org/');
});

test("builds the address of a vendor's page with the encoded value", () => {
  const field = identifier('CVE', { page: 'https://www.cve.org/CVERecord?id={}' });
  expect(vendorPage(field, 'CVE-2024-3094')).toBe('https://www.cve.org/CVERecord?id=CVE-2024-3094');
  expect(vendorPage(field, 'x&y=/../z')).toBe('https://www.cve.org/CVERecord?id=x%26y%3D%2F..%2Fz');
  expect(
    vendorPage(
      identifier('KB', { page: 'https://support.microsoft.com/help/{digits}' }),
      'KB5034441',
    ),
  ).toBe('https://support.microsoft.com/help/5034441');
  expect(vendorPage(identifier('Package'), 'openssl')).toBeUndefined();
});
