/** Texts of remarks that a feed reports about a part. */
import { type MessageTexts, messageText } from './coded-message.ts';
import { documentFailureText } from './document-failure-text.ts';
import type { FeedRemark } from './feed-remark.ts';

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
