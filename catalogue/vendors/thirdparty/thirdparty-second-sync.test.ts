import { expect, test } from 'vitest';
import { feedRemarkText } from '../../definition/feed-remark-text.ts';
import { syncTwice } from './testing/fixture-readings.ts';
import { toScoopAddress } from './thirdparty-documents.ts';
import { toWingetManifest } from './winget-addresses.ts';

test('requests unpublished documents again on every sync', async () => {
  const { first, read, second, requested } = await syncTwice('compression');
  expect(second.isComplete).toBe(true);
  expect(read).toEqual(first);
  expect(requested.length).toBeGreaterThan(first.length);
});

test('requests documents that a newer document of a source names', async () => {
  const scoop = toScoopAddress('Main/7zip');
  const { requested } = await syncTwice('compression', {
    [scoop]: '{"version":"31.03","url":"https://e.org/7z3103.exe"}',
  });
  expect(requested).toContain(toWingetManifest('7zip.7zip', '31.03', 'installer'));
});

test('ignores a source that is no longer published', async () => {
  const { second, entries } = await syncTwice('browser', {
    [toScoopAddress('Extras/brave')]: null,
  });
  expect(entries.get('Brave.Brave')).toMatchObject({
    row: { version: '151.1.93.136' },
    detail: { releasePackages: [] },
  });
  expect(second.standIn).toBeUndefined();
});

test('reads the copy of a manifest that the index still names, with a remark', async () => {
  const manifest = toWingetManifest('7zip.7zip', '31.02', 'installer');
  const { first, read, second } = await syncTwice('compression', { [manifest]: null });
  expect(read).toEqual(first);
  expect(second.standIn?.map(feedRemarkText)).toEqual([
    `${manifest} is named and no longer published (not found). Its last copy was read.`,
  ]);
});
