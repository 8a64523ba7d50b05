import { createReadStream } from 'node:fs';
import { expect, test } from 'vitest';
import { BrokenDocument, createDocument } from '../../parsers/create-document.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { MsrcFixes } from './msrc-fixes.ts';

describeWithMirror('MSRC edge cases', () => {
  test('refuses a month as JSON with a reason', async () => {
    const address = new URL('edge-cases/windows/msrc-json/2020-dec.json', feedMirror);
    const month = createDocument(
      { url: address.href, sha256: '', size: 0, lastModified: null },
      () => createReadStream(address),
    );
    const refusal = await new MsrcFixes().read(month).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(BrokenDocument);
    expect((refusal as Error).message).toMatch(/2020-dec\.json cannot be read: .*XML/i);
  });
});
