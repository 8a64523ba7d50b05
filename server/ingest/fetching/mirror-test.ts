/** Tests a mirror or a vendor: requests the first document that a sync would fetch, by the feed's own code, and reads its first bytes. */
import { FetchFailed, NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type { FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import type { AnyPart, OpenOptions, Publication } from '@patch/catalogue/definition/feed.ts';
import { createDocument } from '@patch/catalogue/parsers/create-document.ts';
import { FailedAttempt, type Upstream } from './upstream.ts';

export interface UpstreamTest {
  /** The vendor's address of the requested document. */
  readonly url: string;
  /** Null when the document arrives. */
  readonly problem: FetchProblem | null;
  readonly milliseconds: number;
  /** Bytes as served; null when the server does not say. */
  readonly size: number | null;
  /** Of the document: JSON, gzip. Null with a problem. */
  readonly format: string | null;
}

/** Ends `contents` after the first document that arrives. */
class Arrived extends Error {
  override readonly name = 'Arrived';
}

/**
 * Makes one attempt for each document, of at most `limitMs` together. Without a document that arrives, the result is that of the first.
 * @param parts Tested in their order until a document of one arrives: a sync also goes on after a part that is not published.
 */
export async function testParts(
  upstream: Upstream,
  parts: readonly AnyPart[],
  limitMs: number,
): Promise<UpstreamTest | null> {
  const ends = performance.now() + limitMs;
  let first: UpstreamTest | null = null;
  for (const part of parts) {
    let last: UpstreamTest | null = null;
    const open = async (url: string, { redirectHosts }: OpenOptions = {}) => {
      last = await testDocument(upstream, url, {
        limitMs: Math.max(1, ends - performance.now()),
        redirectHosts,
      });
      first ??= last;
      if (last.problem === null) throw new Arrived();
      const { code } = last.problem;
      if (code === 'status' && last.problem.params.status === 404) throw new NotPublished(url);
      throw new FetchFailed(url, last.problem);
    };
    await part.contents(toPublication(open)).catch((error: unknown) => {
      // Without a request the feed itself has failed.
      if (last === null) throw error;
    });
    const found = last as UpstreamTest | null;
    if (found?.problem === null) return found;
    if (performance.now() >= ends) break;
  }
  return first;
}

/** A publication that was never read, of a list without records. */
function toPublication(open: Publication['open']): Publication {
  return {
    open,
    openList: ({ key }) =>
      Promise.resolve(
        createDocument({ url: `list:${key}`, sha256: '', size: 0, lastModified: null }, empty),
      ),
    known: () => Promise.resolve(new Set()),
    readLast: () => Promise.resolve([]),
    lastCompleteReadAt: null,
    now: Date.now,
  };
}

async function* empty(): AsyncIterable<Uint8Array> {}

interface Attempt {
  readonly limitMs: number;
  readonly redirectHosts?: readonly string[] | undefined;
}

/** Makes one attempt. Reads only the first chunk of the body. */
export async function testDocument(
  upstream: Upstream,
  url: string,
  { limitMs, redirectHosts }: Attempt,
): Promise<UpstreamTest> {
  const started = performance.now();
  const stop = new AbortController();
  const slow = { code: 'slow', params: { milliseconds: Math.round(limitMs) } } as const;
  const timer = setTimeout(() => stop.abort(new FailedAttempt(slow)), limitMs);
  try {
    const served = await upstream.request(url, null, stop.signal, { redirectHosts });
    const took = () => Math.round(performance.now() - started);
    if (served.kind !== 'body')
      return failed(url, { code: 'status', params: { status: 404 } }, took());
    let start: Uint8Array = new Uint8Array();
    for await (const piece of served.body) {
      start = piece;
      break;
    }
    const format = recognizeFormat(url, start);
    return 'problem' in format
      ? failed(url, { code: 'unreadable', params: { problem: format.problem } }, took())
      : { url, problem: null, milliseconds: took(), size: served.length, format: format.name };
  } catch (error) {
    if (error instanceof FailedAttempt)
      return failed(url, error.problem, Math.round(performance.now() - started));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const failed = (url: string, problem: FetchProblem, milliseconds: number): UpstreamTest => ({
  url,
  problem,
  milliseconds,
  size: null,
  format: null,
});

/** Formats by the bytes at their beginning. */
const signatures: readonly (readonly [name: string, start: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['ZIP', [0x50, 0x4b]],
  ['CAB', [0x4d, 0x53, 0x43, 0x46]],
];

/** Endings of documents that are never pages. */
const dataEndings = /\.(?:json|jsonl|xml|csv|ya?ml|gz|xz|bz2|zst|zip|cab|plist|txt|sucatalog|db)$/i;

type DocumentFormat = { readonly name: string } | { readonly problem: string };

/** Recognizes the format of a document by its first bytes. @param start empty for an empty document */
function recognizeFormat(url: string, start: Uint8Array): DocumentFormat {
  if (start.length === 0) return { problem: 'it is empty' };
  const known = signatures.find(([, bytes]) => bytes.every((byte, at) => start[at] === byte));
  if (known !== undefined) return { name: known[0] };
  const text = new TextDecoder()
    .decode(start.subarray(0, 1000))
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^(?:<!doctype html|<html)/i.test(text))
    return dataEndings.test(new URL(url).pathname)
      ? { problem: 'it is a web page in place of data, such as the sign-in page of a proxy' }
      : { name: 'HTML' };
  if (/^[[{]/.test(text)) return { name: 'JSON' };
  return { name: text.startsWith('<') ? 'XML' : 'text' };
}
