/** Describes why a mail server refused something, without the password: a server may repeat what was sent to it. */
import { hasSecretTrace } from '../secrets/secret-traces.ts';

/** @param password - Of the account; null without one. */
export function describeMailError(error: unknown, password: string | null): string {
  const text =
    error instanceof Error
      ? ((error as { response?: string }).response ?? error.message)
      : String(error);
  return withoutPassword(text, password);
}

/** Returns the text in one line, or only the code of the reply when the text has a trace of the password. */
export function withoutPassword(text: string, password: string | null): string {
  if (!hasSecretTrace(text, password)) return oneLine(text);
  const code = /^[2-5]\d{2}\b/.exec(text)?.[0] ?? 'something';
  return `The server said ${code}. Its text repeats the password and is not shown.`;
}

const maxLength = 1000;

/** Shortens a message of a mail server to one line that the database can store. */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
