/** Parses stored run messages. */
import { RunMessage, RunStage } from '@patch/contract/sources/run-message.ts';

interface TextMessage {
  readonly code: 'text';
  readonly params: { readonly text: string };
}

export function parseRunMessage(stored: unknown): RunMessage {
  return parseMessage(RunMessage, stored);
}

export function parseRunStage(stored: unknown): RunStage {
  return parseMessage(RunStage, stored);
}

interface MessageSchema<Message> {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: Message } | { readonly success: false };
}

/** Converts a message that this version cannot parse, such as one of a later version, to a text, so that the run remains readable. */
function parseMessage<Message>(
  schema: MessageSchema<Message>,
  stored: unknown,
): Message | TextMessage {
  const read = schema.safeParse(stored);
  return read.success ? read.data : { code: 'text', params: { text: JSON.stringify(stored) } };
}
