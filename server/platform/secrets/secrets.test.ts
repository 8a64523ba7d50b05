import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { secretBox } from './secret-box.ts';
import { secretKey } from './secret-key.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder(onTestFinished);
});

test('opens a sealed text only with the same key and only unchanged', () => {
  const box = secretBox(secretKey({ dataDir, secretKey: 'one' }));
  const sealed = box.seal('Grüße, 🔑');
  const parts = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(parts.join(' ')).not.toContain('Grüße');
  expect(box.seal('Grüße, 🔑')).not.toBe(sealed);
  expect(box.open(sealed)).toBe('Grüße, 🔑');
  expect(secretBox(secretKey({ dataDir, secretKey: 'two' })).open(sealed)).toBeNull();
  const last = sealed.at(-2) === 'A' ? 'B' : 'A';
  expect(box.open(`${sealed.slice(0, -2)}${last}${sealed.at(-1)}`)).toBeNull();
  for (const broken of ['', 'v1', 'v1.a.b.c', sealed.replace('v1', 'v2')])
    expect(box.open(broken)).toBeNull();
});

test('creates the key once, private to the owner', () => {
  const key = secretKey({ dataDir, secretKey: null });
  expect(key).toHaveLength(32);
  expect(secretKey({ dataDir, secretKey: null })).toEqual(key);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
});

test('does not overwrite an invalid key file', () => {
  writeFileSync(join(dataDir, 'secret.key'), 'short');
  expect(() => secretKey({ dataDir, secretKey: null })).toThrow(
    'is not a valid key. Restore the original file, or set SECRET_KEY.',
  );
});
