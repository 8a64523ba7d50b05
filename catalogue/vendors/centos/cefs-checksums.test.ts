import { expect, test } from 'vitest';
import { documentFrom } from '../../testing/document-from.ts';
import { cefsChecksums } from './cefs-checksums.ts';

test('lines of checksums', async () => {
  const sums = (text: string) =>
    cefsChecksums(documentFrom('https://cefs.steve-meier.de/errata.latest.sha1', text));
  const [one, two] = ['A1'.repeat(20), 'b2'.repeat(20)];
  expect(await sums(`${one}  errata.latest.xml\r\n${two} *./errata.latest.xml.bz2\r\n`)).toEqual({
    packed: { algorithm: 'sha1', value: two },
    open: { algorithm: 'sha1', value: one.toLowerCase() },
  });
  expect((await sums(`${two}  errata.latest.xml.bz2`)).open).toBeNull();
  for (const none of [
    '',
    '<html></html>',
    `${one}  errata.latest.xml`,
    'b2b2  errata.latest.xml.bz2',
  ]) {
    await expect(sums(none)).rejects.toThrow('it has no checksum of errata.latest.xml.bz2');
  }
});
