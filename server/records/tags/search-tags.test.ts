import type { ListKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import { describeApp, minute } from '../../identity/sign-in/testing/sign-in-app.ts';
import { writeEmailConfig } from '../../platform/mail/email-config-store.ts';
import { buildEmailConfig } from '../../testing/factories.ts';
import { writeRows } from '../../testing/record-factories.ts';

describeApp('GET /searchTags', (service) => {
  const { operator, stan } = service;
  const write = (list: ListKey, rows: readonly Readonly<Record<string, unknown>>[]) =>
    writeRows(service.database, list, rows, service.now);

  beforeEach(async () => {
    // Expires the tags that the previous test cached.
    service.now += 2 * minute;
    await service.database.script(
      `delete from almalinux_patch; delete from thirdparty_patch; delete from patch_repository;
       update list_revision set listed = 0, revision = revision + 1;`,
    );
  });

  async function tags(tag: string, by = stan): Promise<unknown> {
    const { status, json } = await by.get(`/searchTags?tag=${encodeURIComponent(tag)}`);
    expect(status).toBe(200);
    return json;
  }

  test('returns tags, choices and manufacturers that begin with the typed text, then those that contain it, each once', async () => {
    await write('almalinux_patch', [
      { title: 'a', binaryPkgName: ['zlib', 'mozilla-libs'], osVersion: ['9'] },
      { title: 'b', binaryPkgName: ['ZLIB', 'zlib-devel'], osVersion: ['9'] },
    ]);
    await write('thirdparty_patch', [
      { uuid: 'u', name: 'Firefox', manufacturer: 'Mozilla', category: 'BROWSER' },
    ]);
    await write('patch_repository', [{ name: 'KB1', productName: 'Zune 2000' }]);
    expect(await tags('zl')).toEqual(['ZLIB', 'zlib-devel']);
    expect(await tags('moz')).toEqual(['Mozilla', 'mozilla-libs']);
    expect(await tags('ZILLA')).toEqual(['Mozilla', 'mozilla-libs']);
    expect(await tags('zune')).toEqual(['Zune 2000']);
    expect(await tags('firefox')).toEqual([]);
  });

  test('returns choices without rows, and matches SQL wildcards literally', async () => {
    expect(await tags('crit')).toEqual(['Critical', 'Critical Updates']);
    expect(await tags('%')).toEqual([]);
    expect(await tags("o'")).toEqual([]);
  });

  test('returns no tags for an empty text, and at most fifty', async () => {
    await write('almalinux_patch', [
      { title: 'a', binaryPkgName: Array.from({ length: 80 }, (_, n) => `perl-${100 + n}`) },
    ]);
    expect(await tags('  ')).toEqual([]);
    expect(await tags('perl')).toHaveLength(50);
    expect(await stan.get('/searchTags').json).toEqual([]);
    expect(await stan.get(`/searchTags?tag=${'x'.repeat(256)}`).status).toBe(422);
  });

  test('returns new tags a minute after a sync', async () => {
    expect(await tags('nginx')).toEqual([]);
    await write('almalinux_patch', [{ title: 'a', binaryPkgName: ['nginx'] }]);
    expect(await tags('nginx')).toEqual([]);
    service.now += minute;
    expect(await tags('nginx')).toEqual(['nginx']);
    await service.database.script(
      `update almalinux_patch set withdrawn_time = 1; update list_revision set revision = revision + 1`,
    );
    service.now += minute;
    expect(await tags('nginx')).toEqual([]);
  });

  test('suggests known email addresses only to administrators', async () => {
    const addresses = {
      email: 'patch@example.com',
      toEmailId: 'ops@example.com, Boss@example.com',
    };
    await writeEmailConfig(service.database, service.box, buildEmailConfig(addresses));
    expect(await tags('@example', operator)).toEqual([
      'Boss@example.com',
      'Operator@Example.org',
      'ops@example.com',
      'patch@example.com',
      'Stan@Example.org',
    ]);
    expect(await tags('operator@', operator)).toEqual(['Operator@Example.org']);
    expect(await tags('@example')).toEqual([]);
  });
});
