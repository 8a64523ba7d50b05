import { expect, test } from 'vitest';
import { parseRunMessage } from './stored-run-message.ts';

const text = (words: string) => ({ code: 'text', params: { text: words } });

test('parses a stored message', () => {
  const message = { code: 'cancelled', params: { by: 'Ada' } };
  expect(parseRunMessage(message)).toEqual(message);
});

test.each([
  ['of an unknown code', { code: 'vendor_on_holiday', params: { days: 3 } }],
  ['without its parameters', { code: 'cancelled' }],
  ['of another type', 7],
])('converts a message %s to its stored text', (_, stored) => {
  expect(parseRunMessage(stored)).toEqual(text(JSON.stringify(stored)));
});
