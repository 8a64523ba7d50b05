/** Reads a small JSON document at once. */
import type { z } from 'zod';
import type { Document } from '../definition/feed.ts';
import { invalidReason } from '../values/vendor-words.ts';
import { BrokenDocument } from './create-document.ts';

/** @throws BrokenDocument when it is not JSON */
export async function parseJsonDocument(document: Document): Promise<unknown> {
  const text = await document.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = `it is not valid JSON: ${(error as Error).message}`;
    throw new BrokenDocument(document.url, problem, { cause: error });
  }
}

/**
 * @param what names the form in the error: 'a page of notices'
 * @throws BrokenDocument for anything else
 */
export async function readJsonDocument<Form extends z.ZodType>(
  document: Document,
  form: Form,
  what: string,
): Promise<z.output<Form>> {
  const read = form.safeParse(await parseJsonDocument(document));
  if (!read.success)
    throw new BrokenDocument(document.url, `it is not ${what}: ${invalidReason(read.error)}`);
  return read.data;
}
