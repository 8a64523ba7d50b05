/** Messages as data: a code with typed parameters, and the tables that turn them into English. */
import { z } from 'zod';

export interface CodedMessage {
  readonly code: string;
  readonly params: object;
}

/** The schema of one message of a union. */
export function codedMessage<Code extends string, Params extends z.ZodRawShape>(
  code: Code,
  params: Params,
) {
  return z.object({ code: z.literal(code), params: z.object(params) });
}

/** One text function for each code of a union. */
export type MessageTexts<Message extends CodedMessage> = {
  readonly [Code in Message['code']]: (
    params: Extract<Message, { readonly code: Code }>['params'],
  ) => string;
};

export function messageText<Message extends CodedMessage>(
  texts: MessageTexts<Message>,
  { code, params }: Message,
): string {
  const text = texts[code as Message['code']] as (params: Message['params']) => string;
  return text(params);
}

/** '1,234' */
export const formatCount = (number: number): string => number.toLocaleString('en');

/** '0.5 s', '60 s' */
export const formatSeconds = (milliseconds: number): string =>
  `${milliseconds < 950 ? milliseconds / 1000 : Math.round(milliseconds / 1000)} s`;
