/** A publication whose documents are texts or bytes in memory, by address. */
import { createHash } from 'node:crypto';
import { FetchFailed, NotPublished } from '../definition/document-errors.ts';
import type { Document, Facts, OpenOptions, Publication } from '../definition/feed.ts';
import { BrokenDocument, createDocument } from '../parsers/create-document.ts';
import { publicationFrom } from './publication-from.ts';

export interface MemoryPublication extends Publication {
  /** The requested addresses, in order. */
  readonly requested: string[];
  readonly distrusted: string[];
  /** Why a document of `last` was read instead of the served one. */
  readonly copiesRead: string[];
}

/** A number instead of a content is the status of the reply. */
export type Served = Readonly<Record<string, string | Uint8Array | number>>;

export interface MemoryOptions {
  readonly now?: number;
  readonly remembered?: Facts;
  /** Facts of other parts, by part key. */
  readonly otherParts?: Readonly<Record<string, Facts>>;
  /** The documents of the part's last reading. */
  readonly last?: readonly Document[];
  readonly lastModified?: number | null;
}

export function memoryPublication(
  served: Served,
  {
    now = Date.now(),
    remembered,
    otherParts = {},
    last = [],
    lastModified = null,
  }: MemoryOptions = {},
): MemoryPublication {
  const requested: string[] = [];
  const copiesRead: string[] = [];
  const distrusted: string[] = [];
  return {
    ...publicationFrom('/nowhere', { now }),
    requested: requested,
    distrusted,
    copiesRead,
    ...(remembered && { remembered }),
    partRemembered: async (part) => otherParts[part] ?? null,
    readLast: async () => last,
    distrust: async (url) => void distrusted.push(url),
    async open(url, options) {
      requested.push(url);
      const content = served[url];
      if (content === undefined) throw new NotPublished(url);
      if (typeof content === 'number')
        throw new FetchFailed(url, { code: 'status', params: { status: content } });
      const document = servedDocument(url, Buffer.from(content), lastModified, options);
      if (options?.lastGoodCopy !== true) return document;
      try {
        await options.readThrough?.(document);
        return document;
      } catch (error) {
        const copy = last.find((candidate) => candidate.url === url);
        if (!(error instanceof BrokenDocument) || copy === undefined) throw error;
        copiesRead.push(error.message);
        return copy;
      }
    },
  };
}

function servedDocument(
  url: string,
  body: Buffer,
  lastModified: number | null,
  options: OpenOptions | undefined,
): Document {
  const sha256 = createHash('sha256').update(body).digest('hex');
  async function* pieces() {
    for (let at = 0; at < body.length; at += 4096) yield body.subarray(at, at + 4096);
  }
  return createDocument({ url, sha256, size: body.length, lastModified }, pieces, options);
}
