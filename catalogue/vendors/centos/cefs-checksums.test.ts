import { expect, test } from 'vitest';
import { documentFrom } from '../../testing/document-from.ts';
import { readCefsChecksums } from './centos-feed.ts';

test('parses the checksum lines', async () => {
  const sums = (text: string) =>
    readCefsChecksums(documentFrom('https://cefs.steve-meier.de/errata.latest.sha1', text));
  const [open, packed] = ['A1'.repeat(20), 'b2'.repeat(20)];
  expect(
    await sums(`${open}  errata.latest.xml\r\n${packed} *./errata.latest.xml.bz2\r\n`),
  ).toEqual({
    packed: { algorithm: 'sha1', value: packed },
    open: { algorithm: 'sha1', value: open.toLowerCase() },
  });
  expect((await sums(`${packed}  errata.latest.xml.bz2`)).open).toBeNull();
  for (const invalid of [
    '',
    '<html></html>',
    `${open}  errata.latest.xml`,
    'b2b2  errata.latest.xml.bz2',
  ]) {
    await expect(sums(invalid)).rejects.toThrow('it has no checksum of errata.latest.xml.bz2');
  }
});
