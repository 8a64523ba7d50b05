import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { MailStage, MailTest } from '@patch/contract/operations/mail-endpoints.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { MailAccount } from './email-config-store.ts';
import { MailTargets } from './mail-targets.ts';
import { testMail } from './mail-test.ts';
import { type MailServer, type MailServerOptions, startMailServer } from './testing/mail-server.ts';

const now = Date.now();
const local = { now, targets: new MailTargets(['localhost', '127.0.0.1']) };
const login = { user: 'patch@example.org', password: 'Let-me-send-1' };
let server: MailServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function startServer(options: MailServerOptions = {}): Promise<MailServer> {
  server = await startMailServer(options);
  return server;
}

const account = (port: number, change: Partial<MailAccount> = {}): MailAccount => ({
  server: 'localhost',
  port,
  protocol: 'smtp',
  securityType: 'none',
  email: login.user,
  password: null,
  replyToEmail: '',
  toEmailId: 'ops@example.org, boss@example.org',
  senderName: 'Pätch',
  ...change,
});

const outcome = ({ stages }: MailTest) => stages.map(({ outcome: each }) => each[0]).join('');
const failed = ({ stages }: MailTest) => stages.find((stage) => stage.outcome === 'failed');
function expectFailureAt(result: MailTest, stage: MailStage): string {
  expect(result).toMatchObject({
    success: false,
    message: 'Unable to connect with provided details.',
  });
  expect(failed(result)?.stage).toBe(stage);
  expect(failed(result)?.advice).not.toBe('');
  return `${failed(result)?.words} ${failed(result)?.advice}`;
}

describe('testMail', () => {
  test('passes every stage of a plain server and delivers to all recipients', async () => {
    const { port, taken } = await startServer();
    const result = await testMail(account(port), local);
    expect(result).toMatchObject({
      success: true,
      message: 'Connected Successfully.',
      testedAt: now,
    });
    expect(outcome(result)).toBe('ppspsp');
    expect(taken).toMatchObject([
      { from: login.user, to: ['ops@example.org', 'boss@example.org'], encrypted: false },
    ]);
    expect(taken[0]?.text).toContain('Subject: Test mail of Patch Repository');
  });

  test.each(['starttls', 'tls'] as const)(
    'reports issuer and validity of the certificate with %s and a login',
    async (encryption) => {
      const { port, taken, certificate } = await startServer({ encryption, login });
      const result = await testMail(
        account(port, { securityType: encryption, password: login.password }),
        {
          ...local,
          tls: { ca: certificate },
        },
      );
      expect(outcome(result)).toBe('pppppp');
      expect(result.stages[2]?.words).toMatch(
        /^Encrypted with TLSv1\.\d; the certificate is of localhost, good for \d+ more days\.$/,
      );
      expect(taken).toMatchObject([{ encrypted: true, user: login.user }]);
    },
  );

  test('fails at resolving a name without an address', async () => {
    const result = await testMail(account(25, { server: 'no-such-host.invalid' }), local);
    const words = 'no-such-host.invalid has no address';
    expect(expectFailureAt(result, 'resolve')).toContain(words);
  });

  test('connects to no local address and no other port unless MAIL_TARGETS allows it', async () => {
    let connections = 0;
    const other = createServer(() => connections++).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const strict = { now, targets: new MailTargets([]) };
    for (const [at, words] of [
      [port, `Port ${port} is not a port for mail.`],
      [25, 'is an address of this machine'],
    ] as const)
      expect(expectFailureAt(await testMail(account(at), strict), 'resolve')).toContain(words);
    expect(connections).toBe(0);
    other.close();
  });

  test('fails at connecting to a closed port', async () => {
    const { port } = await startServer();
    await server?.stop();
    server = undefined;
    expect(expectFailureAt(await testMail(account(port), local), 'connect')).toContain(
      'ECONNREFUSED',
    );
  });

  test('fails at the greeting of a server without SMTP', async () => {
    const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => {
      web.listen(0, '127.0.0.1', resolve);
    });
    const { port } = web.address() as AddressInfo;
    expect(
      expectFailureAt(await testMail(account(port, { server: '127.0.0.1' }), local), 'greeting'),
    ).not.toBe('');
    web.close();
  });

  const boss = 'boss@example.org';
  test.each<[string, MailServerOptions, Partial<MailAccount>, MailStage, string, string]>([
    [
      'an untrusted certificate',
      { encryption: 'tls' },
      { securityType: 'tls' },
      'tls',
      'NODE_EXTRA_CA_CERTS',
      'ppfs',
    ],
    [
      'a server without the required STARTTLS',
      { login },
      { securityType: 'starttls', password: login.password },
      'tls',
      'offers no encryption',
      'ppf',
    ],
    ['TLS at a plain port', {}, { securityType: 'tls' }, 'tls', 'choose STARTTLS', 'ppf'],
    ['a wrong password', { login }, { password: 'wrong' }, 'login', 'Invalid username', 'ppspf'],
    [
      'a refused recipient',
      { refusedRecipient: boss },
      { toEmailId: boss },
      'accept',
      'No such mailbox',
      'ppspsf',
    ],
  ])('reports %s, and sends nothing', async (_, options, change, stage, words, outcomes) => {
    const { port, taken } = await startServer(options);
    const result = await testMail(account(port, change), local);
    expect(expectFailureAt(result, stage)).toContain(words);
    expect(outcome(result)).toMatch(new RegExp(`^${outcomes}`));
    expect(taken).toEqual([]);
  });
});
