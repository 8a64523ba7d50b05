/** Distinguishes failures of a publication from faults of this program and from a stopped run. */
import { FetchFailed, NotPublished } from '../definition/document-errors.ts';
import { BrokenDocument } from './create-document.ts';

export function isPublicationFailure(
  error: unknown,
): error is NotPublished | FetchFailed | BrokenDocument {
  return (
    error instanceof NotPublished || error instanceof FetchFailed || error instanceof BrokenDocument
  );
}
