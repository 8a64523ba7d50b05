import { expect, test } from 'vitest';
import { InvalidScoopManifest, readScoopManifest } from './scoop-manifest.ts';

test('reads one or several addresses, for all or each architecture, without the name to save the file as', () => {
  expect(
    readScoopManifest(
      '{"version":"1.0","url":["https://e.org/a.zip#/b.7z","https://e.org/c.zip"],"hash":["AB","md5:cd"]}',
    ).downloads,
  ).toEqual([
    { architecture: null, url: 'https://e.org/a.zip', hash: 'ab' },
    { architecture: null, url: 'https://e.org/c.zip', hash: 'md5:cd' },
  ]);
  const both =
    '{"version":"1","hash":"ee","architecture":{"64bit":{"url":"https://e.org/64"},"arm64":{"url":"https://e.org/arm","hash":"ff"}}}';
  expect(readScoopManifest(both).downloads).toEqual([
    { architecture: 'x64', url: 'https://e.org/64', hash: 'ee' },
    { architecture: 'arm64', url: 'https://e.org/arm', hash: 'ff' },
  ]);
  expect(readScoopManifest('{"version":"1"}').downloads).toEqual([]);
});

test.each(['{', '[]', '{"version":1}', '{"url":"x"}', '{"version":"1","architecture":"64bit"}'])(
  'refuses %s',
  (text) => {
    expect(() => readScoopManifest(text)).toThrow(InvalidScoopManifest);
  },
);

test('keeps the name of an unknown architecture', () => {
  const manifest = readScoopManifest(
    '{"version":"1","architecture":{"loong64":{"url":"https://e.org/l"},"64bit":{"url":"https://e.org/64"}}}',
  );
  expect(manifest.downloads.map(({ architecture }) => architecture)).toEqual(['x64', 'loong64']);
  expect(manifest.unknownArchitectures).toEqual(['loong64']);
});
