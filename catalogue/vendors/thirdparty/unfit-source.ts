/** A document of a source that cannot be used: why, and which one it is. */
import { z } from 'zod';
import type { Document } from '../../definition/feed.ts';
import { UnfitScoopManifest } from '../../parsers/scoop-manifest.ts';
import { UnfitManifest } from '../../parsers/winget-manifest.ts';
import { whyUnfit } from '../../values/vendor-words.ts';

export class UnfitSource extends Error {
  override readonly name = 'UnfitSource';
  readonly url: string;
  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.url = url;
  }
}

/** Throws UnfitSource where what `read` reads does not have the form of its source. */
export function within<Result>(url: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof z.ZodError) throw new UnfitSource(url, whyUnfit(error), { cause: error });
    if (error instanceof UnfitManifest || error instanceof UnfitScoopManifest)
      throw new UnfitSource(url, error.message, { cause: error });
    throw error;
  }
}

/** Throws UnfitSource; BrokenDocument on bytes that are no text: those were damaged on their way. */
export async function jsonOf(document: Document): Promise<unknown> {
  const text = await document.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnfitSource(document.url, 'it is not valid JSON', { cause: error });
  }
}
