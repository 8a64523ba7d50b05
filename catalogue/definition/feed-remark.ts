/** Remarks that a feed reports about a part, as data. */
import { z } from 'zod';
import { codedMessage } from './coded-message.ts';
import { DocumentFailure } from './document-failure.ts';

export const FeedRemark = z.discriminatedUnion('code', [
  codedMessage('last_copy_read', { cause: DocumentFailure }),
  /** The last copy of a document that another document lists and that is no longer published. */
  codedMessage('named_copy_read', { url: z.string() }),
  /** The publisher offers the same document at a second address. */
  codedMessage('second_address_read', { url: z.string(), cause: DocumentFailure }),
  codedMessage('errata_service_missing', { cause: DocumentFailure }),
  codedMessage('release_unreadable', { release: z.string(), cause: DocumentFailure }),
  /** Remarks that only one vendor's reader makes, and remarks that earlier versions stored. */
  codedMessage('text', { text: z.string() }),
]);
export type FeedRemark = z.infer<typeof FeedRemark>;

/** Returns the address of the document that a remark is about; null when it is about no single document. */
export function getRemarkUrl({ code, params }: FeedRemark): string | null {
  switch (code) {
    case 'named_copy_read':
      return params.url;
    case 'text':
      return null;
    default:
      return params.cause.params.url;
  }
}
