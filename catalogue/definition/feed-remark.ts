/** What a feed can remark about a part: each remark as data, and its text. */
import { z } from 'zod';
import { codedMessage, type MessageTexts, messageText } from './coded-message.ts';

export const FeedRemark = z.discriminatedUnion('code', [
  /** Of readers without a code of their own, and of earlier versions. */
  codedMessage('text', { text: z.string() }),
]);
export type FeedRemark = z.infer<typeof FeedRemark>;

/** Continues a sentence that begins with the name of the part; without a full stop at its end unless it has several sentences. */
export function feedRemarkText(remark: FeedRemark): string {
  return messageText(texts, remark);
}

const texts: MessageTexts<FeedRemark> = {
  text: ({ text }) => text,
};
