/** Remarks that a feed reports about a part: each as data, with its text. */
import { z } from 'zod';
import { codedMessage, type MessageTexts, messageText } from './coded-message.ts';
import { DocumentFailure, documentFailureText } from './document-failure.ts';

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

/**
 * Returns text that continues a sentence beginning with the part's name. It has no final full stop unless it has several
 * sentences.
 */
export function feedRemarkText(remark: FeedRemark): string {
  return messageText(texts, remark);
}

const texts: MessageTexts<FeedRemark> = {
  last_copy_read: ({ cause }) => `${documentFailureText(cause)} Its last copy was read.`,
  named_copy_read: ({ url }) =>
    `${url} is named and no longer published (not found). Its last copy was read.`,
  second_address_read: ({ url, cause }) =>
    `${documentFailureText(cause)} The publisher's copy at ${url} was read.`,
  errata_service_missing: ({ cause }) =>
    `Apollo, the errata service, is missing: ${documentFailureText(cause)} Until it is back, new advisories are read from the updateinfo of the repositories.`,
  release_unreadable: ({ release, cause }) =>
    `The updateinfo of Rocky Linux ${release} cannot be read: ${documentFailureText(cause)}`,
  text: ({ text }) => text,
};

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
