/** What a publication does wrong; all else is a fault of this program, or the reason for which a run was stopped. */
import { FetchFailed, NotPublished } from '../definition/document-errors.ts';
import { BrokenDocument } from './document-of.ts';

export function isPublicationFailure(
  error: unknown,
): error is NotPublished | FetchFailed | BrokenDocument {
  return (
    error instanceof NotPublished || error instanceof FetchFailed || error instanceof BrokenDocument
  );
}
