import { createReadStream } from 'node:fs';
import { expect, test } from 'vitest';
import { createDocument } from '../../parsers/create-document.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { tarFrom } from '../../testing/tar-from.ts';
import { readPriorities } from './ubuntu-cve-priorities.ts';

const edgeCase = (path: string) => {
  const address = new URL(`edge-cases/ubuntu/${path}`, feedMirror);
  return createDocument({ url: address.href, sha256: path, size: 0, lastModified: null }, () =>
    createReadStream(address),
  );
};

describeWithMirror('Ubuntu edge cases', () => {
  test('finds no CVE priority in the OSV record of a notice', async () => {
    const path = 'osv/USN-7095-1.json';
    const record = await edgeCase(path).text();
    const archive = documentFrom('https://example.org/osv-all.tar', tarFrom({ [path]: record }));
    expect(await readPriorities([archive])).toEqual(new Map());
    const asCve = documentFrom(
      'https://example.org/osv-all.tar',
      tarFrom({ 'osv/cve/2024/UBUNTU-CVE-2024-1.json': record }),
    );
    expect(await readPriorities([asCve])).toEqual(new Map());
  });
});
