import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { secretBox } from './secret-box.ts';
import { secretKey } from './secret-key.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test('what is sealed is opened with the same key alone, and only as it was sealed', () => {
  const box = secretBox(secretKey({ dataDir, secretKey: 'one' }));
  const sealed = box.seal('Grüße, 🔑');
  expect(sealed).not.toContain('Gr');
  expect(box.seal('Grüße, 🔑')).not.toBe(sealed);
  expect(box.open(sealed)).toBe('Grüße, 🔑');
  expect(secretBox(secretKey({ dataDir, secretKey: 'two' })).open(sealed)).toBeNull();
  const last = sealed.at(-2) === 'A' ? 'B' : 'A';
  expect(box.open(`${sealed.slice(0, -2)}${last}${sealed.at(-1)}`)).toBeNull();
  for (const broken of ['', 'v1', 'v1.a.b.c', sealed.replace('v1', 'v2')])
    expect(box.open(broken)).toBeNull();
});

test('the key is made once, for the owner of the file alone', () => {
  const key = secretKey({ dataDir, secretKey: null });
  expect(key).toHaveLength(32);
  expect(secretKey({ dataDir, secretKey: null })).toEqual(key);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
});

test('a file that is no key is not overwritten', () => {
  writeFileSync(join(dataDir, 'secret.key'), 'short');
  expect(() => secretKey({ dataDir, secretKey: null })).toThrow(
    'is no key. Put back the one that was there, or set SECRET_KEY.',
  );
});
