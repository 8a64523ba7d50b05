/** A client of an event stream, for tests. */
import { type IncomingMessage, request } from 'node:http';

export interface EventListener {
  /** Everything received so far. */
  text(): string;
  /** Resolves when the stream ends, and rejects when it fails. */
  readonly ended: Promise<void>;
  leave(): void;
}

export function listenTo(url: string, headers: Readonly<Record<string, string>>): EventListener {
  let text = '';
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  // After a disconnect the outcome does not matter.
  ended.catch(() => undefined);
  const clientRequest = request(url, { headers }, (answer: IncomingMessage) => {
    answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    answer.once('end', resolve).once('error', reject);
  });
  clientRequest.once('error', reject).end();
  return { text: () => text, ended, leave: () => void clientRequest.destroy() };
}
