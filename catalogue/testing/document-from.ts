/** Creates a document that a test lets a vendor serve. */
import { createHash } from 'node:crypto';
import type { Document } from '../definition/feed.ts';
import { createDocument } from '../parsers/create-document.ts';

export function documentFrom(url: string, content: string | Uint8Array): Document {
  const body = Buffer.from(content);
  const sha256 = createHash('sha256').update(body).digest('hex');
  async function* served() {
    yield body;
  }
  return createDocument({ url, sha256, size: body.length, lastModified: null }, served);
}
