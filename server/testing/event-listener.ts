/** Somebody who listens to a stream of events, for tests. */
import { type IncomingMessage, request } from 'node:http';

export interface EventListener {
  /** All that has come so far. */
  text(): string;
  /** The stream has come to its end; rejects when it broke off. */
  readonly ended: Promise<void>;
  leave(): void;
}

export function listenTo(url: string, headers: Readonly<Record<string, string>>): EventListener {
  let text = '';
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  // Who leaves does not care how it ended.
  ended.catch(() => undefined);
  const asking = request(url, { headers }, (answer: IncomingMessage) => {
    answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    answer.once('end', resolve).once('error', reject);
  });
  asking.once('error', reject).end();
  return { text: () => text, ended, leave: () => void asking.destroy() };
}
