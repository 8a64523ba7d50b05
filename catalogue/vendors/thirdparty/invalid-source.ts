import { z } from 'zod';
import type { Document } from '../../definition/feed.ts';
import { InvalidScoopManifest } from '../../parsers/scoop-manifest.ts';
import { InvalidManifest } from '../../parsers/winget-manifest.ts';
import { invalidReason } from '../../values/vendor-words.ts';

/** A document of a source cannot be used; `url` is its address. */
export class InvalidSource extends Error {
  override readonly name = 'InvalidSource';
  readonly url: string;
  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.url = url;
  }
}

/**
 * Runs `read` and converts its errors of form.
 * @throws InvalidSource
 */
export function convertErrors<Result>(url: string, read: () => Result): Result {
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

/**
 * @throws InvalidSource
 * @throws BrokenDocument when the bytes are not text
 */
export async function parseJsonDocument(document: Document): Promise<unknown> {
  const text = await document.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidSource(document.url, 'it is not valid JSON', { cause: error });
  }
}
