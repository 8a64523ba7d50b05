/** Messages as the database holds them. */
import { RunMessage, RunStage } from '@patch/contract/run-message.ts';

interface TextMessage {
  readonly code: 'text';
  readonly params: { readonly text: string };
}

export function storedRunMessage(stored: unknown): RunMessage {
  return messageIn(RunMessage, stored);
}

export function storedRunStage(stored: unknown): RunStage {
  return messageIn(RunStage, stored);
}

interface MessageSchema<Message> {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: Message } | { readonly success: false };
}

/** A message that this version cannot read, such as one of a later version, is shown as it is stored: it must not hide the run. */
function messageIn<Message>(
  schema: MessageSchema<Message>,
  stored: unknown,
): Message | TextMessage {
  const read = schema.safeParse(stored);
  return read.success ? read.data : { code: 'text', params: { text: JSON.stringify(stored) } };
}
