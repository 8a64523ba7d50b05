/** A document of a source that cannot be used: why, and which one it is. */
import { z } from 'zod';
import type { Document } from '../../definition/feed.ts';
import { InvalidScoopManifest } from '../../parsers/scoop-manifest.ts';
import { InvalidManifest } from '../../parsers/winget-manifest.ts';
import { invalidReason } from '../../values/vendor-words.ts';

export class InvalidSource extends Error {
  override readonly name = 'InvalidSource';
  readonly url: string;
  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.url = url;
  }
}

/** Throws InvalidSource where what `read` reads does not have the form of its source. */
export function within<Result>(url: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new InvalidSource(url, invalidReason(error), { cause: error });
    if (error instanceof InvalidManifest || error instanceof InvalidScoopManifest)
      throw new InvalidSource(url, error.message, { cause: error });
    throw error;
  }
}

/** Throws InvalidSource; BrokenDocument on bytes that are no text: those were damaged on their way. */
export async function jsonOf(document: Document): Promise<unknown> {
  const text = await document.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidSource(document.url, 'it is not valid JSON', { cause: error });
  }
}
