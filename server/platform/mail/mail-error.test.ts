/** Mail servers that repeat the login in their replies. */
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { MailAccount } from './email-config-store.ts';
import { describeMailError } from './mail-error.ts';
import { MailTargets } from './mail-targets.ts';
import { testMail } from './mail-test.ts';
import { sendMail } from './send-mail.ts';

const password = 'Let+me/send 1-Zq7v';
let server: Server | undefined;
afterEach(async () => {
  await new Promise((resolve) => {
    server?.close(resolve);
  });
});

/** A server that refuses this command, with what it has received by then. */
async function startServer(
  refused: string,
  encode: (text: string) => string,
): Promise<MailAccount> {
  const started = createServer((socket) => {
    let received = '';
    socket.write('220 ready\r\n');
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        const line = String(bytes);
        received += line;
        const said = encode(received);
        if (line.startsWith(refused))
          socket.write(
            `${said
              .split('\n')
              .map((text) => `535-${text}`)
              .join('\r\n')}\r\n535 5.7.8 no\r\n`,
          );
        else if (line.startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN\r\n');
        else if (line.startsWith('AUTH')) socket.write('235 fine\r\n');
        else socket.write('250 fine\r\n');
      });
  });
  server = started;
  await new Promise<void>((resolve) => {
    started.listen(0, '127.0.0.1', resolve);
  });
  return {
    server: '127.0.0.1',
    port: (started.address() as AddressInfo).port,
    protocol: 'smtp',
    securityType: 'none',
    email: 'patch@example.org',
    password,
    replyToEmail: '',
    toEmailId: '',
    senderName: 'Patch',
  };
}

const decodeLogin = (text: string) =>
  text
    .replace(
      /AUTH PLAIN (\S+)/,
      (_, login: string) => `AUTH ${Buffer.from(login, 'base64').toString()}`,
    )
    .replaceAll('\0', ' ');

const hidden = 'The server said 535. Its text repeats the password and is not shown.';

test.each([
  ['AUTH', 'as it was sent', (text: string) => text],
  ['AUTH', 'decoded', decodeLogin],
  ['AUTH', 'over lines', (text: string) => decodeLogin(text).split('').join('\n')],
  ['RCPT', 'as it was sent', (text: string) => text],
  ['RCPT', 'in an address', (text: string) => encodeURIComponent(decodeLogin(text))],
])('hides a reply to %s that repeats the login %s', async (refused, _, encode) => {
  const account = await startServer(refused, encode);
  const tested = await testMail(account, { now: 0, targets: new MailTargets(['127.0.0.1']) });
  expect(tested.stages.find(({ outcome }) => outcome === 'failed')?.words).toBe(hidden);
  const mail = { recipient: 'one@example.org', subject: 'a', body: 'b', messageKey: 'c' };
  const failure: unknown = await sendMail(account, mail).catch((error: unknown) => error);
  expect(describeMailError(failure, password)).toBe(hidden);
});

test('shows a reply that repeats nothing of the password', () => {
  const refusal = Object.assign(new Error('Message failed: 550 5.1.1 No such mailbox'), {
    response: '550 5.1.1 No such mailbox',
  });
  expect(describeMailError(refusal, password)).toBe('550 5.1.1 No such mailbox');
});
