/** What a second sync of third-party applications asks for. */
import { expect, test } from 'vitest';
import { feedRemarkText } from '../../definition/feed-remark.ts';
import { secondSync } from './testing/fixture-readings.ts';
import { scoopAddress } from './thirdparty-documents.ts';
import { wingetManifest } from './winget-addresses.ts';

test('what is not published is asked for again each time', async () => {
  const { first, read, second, asked } = await secondSync('compression');
  expect(second.whole).toBe(true);
  expect(read).toEqual(first);
  expect(asked.length).toBeGreaterThan(first.length);
});

test('what a newer document of a source leads to is asked for at once', async () => {
  const scoop = scoopAddress('Main/7zip');
  const { asked } = await secondSync('compression', {
    [scoop]: '{"version":"31.03","url":"https://e.org/7z3103.exe"}',
  });
  expect(asked).toContain(wingetManifest('7zip.7zip', '31.03', 'installer'));
});

test('a source that is not published any more says nothing any more', async () => {
  const { second, entries } = await secondSync('browser', { [scoopAddress('Extras/brave')]: null });
  expect(entries.get('Brave.Brave')?.detail).toMatchObject({
    version: '151.1.93.136',
    releasePackages: [],
  });
  expect(second.standIn).toBeUndefined();
});

test('a manifest that the index still names is read from its copy, which is said', async () => {
  const manifest = wingetManifest('7zip.7zip', '31.02', 'installer');
  const { first, read, second } = await secondSync('compression', { [manifest]: null });
  expect(read).toEqual(first);
  expect(second.standIn?.map(feedRemarkText)).toEqual([
    `${manifest} is named and no longer published (not found). Its last copy was read.`,
  ]);
});
