/**
 * A repository may sign its repomd.xml in a separate file. No vendor's key is pinned for one, so the index is read unverified;
 * this test shows that the bytes read are the signed ones.
 */
import { readFileSync } from 'node:fs';
import { createMessage, readKey, readSignature, verify } from 'openpgp';
import { expect, test } from 'vitest';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { documentFrom } from '../testing/document-from.ts';
import { repomdRecord } from './repomd.ts';

describeWithMirror('the signed index among the edge cases', () => {
  const edgeCase = (name: string) =>
    readFileSync(new URL(`edge-cases/rpm/signed-repomd/${name}`, feedMirror));

  async function isGood(index: Uint8Array): Promise<boolean> {
    const { signatures } = await verify({
      message: await createMessage({ binary: index }),
      signature: await readSignature({ armoredSignature: edgeCase('repomd.xml.asc').toString() }),
      verificationKeys: await readKey({ armoredKey: edgeCase('gpgkey.pub').toString() }),
      config: { rejectHashAlgorithms: new Set(), minRSABits: 1024 },
    });
    const verdicts = await Promise.allSettled(signatures.map(({ verified }) => verified));
    return verdicts.length > 0 && verdicts.every(({ status }) => status === 'fulfilled');
  }

  test('verifies for the bytes read, and for no others', async () => {
    const index = edgeCase('repomd.xml');
    expect(await isGood(index)).toBe(true);
    expect(await isGood(Buffer.concat([index, Buffer.from(' ')]))).toBe(false);
    const document = documentFrom('https://example.org/repo/repodata/repomd.xml', index);
    expect(await repomdRecord(document, 'primary')).toMatchObject({
      url: expect.stringContaining('https://example.org/repo/repodata/'),
    });
  });
});
