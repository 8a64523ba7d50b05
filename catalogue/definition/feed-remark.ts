/** What a feed reports about a part as a whole: each remark as data, and its text. */
import { z } from 'zod';
import { codedMessage, type MessageTexts, messageText } from './coded-message.ts';
import { DocumentFailure, documentFailureText } from './document-failure.ts';

export const FeedRemark = z.discriminatedUnion('code', [
  codedMessage('last_copy_read', { cause: DocumentFailure }),
  /** A document that another one names. */
  codedMessage('named_copy_read', { url: z.string() }),
  /** The publisher offers the same document at a second address. */
  codedMessage('second_address_read', { url: z.string(), cause: DocumentFailure }),
  codedMessage('errata_service_missing', { cause: DocumentFailure }),
  codedMessage('release_unreadable', { release: z.string(), cause: DocumentFailure }),
  /** What one vendor's reader alone says, and remarks of earlier versions. */
  codedMessage('text', { text: z.string() }),
]);
export type FeedRemark = z.infer<typeof FeedRemark>;

/** Continues a sentence that begins with the name of the part; without a full stop at its end unless it has several sentences. */
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

/** The document that a remark is about; null for one about no single document. */
export function remarkedDocument({ code, params }: FeedRemark): string | null {
  switch (code) {
    case 'named_copy_read':
      return params.url;
    case 'text':
      return null;
    default:
      return params.cause.params.url;
  }
}
