/** Tests a mail account stage by stage until one fails, with advice for that stage. */
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import {
  type MailStage,
  type MailTest,
  mailStages,
  parseAddresses,
} from '@patch/contract/operations/mail-endpoints.ts';
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import { type NoteStage, StageError, testStages } from '../network/staged-test.ts';
import type { UnreadableSecret } from '../secrets/secret-box.ts';
import type { MailAccount } from './email-config-store.ts';
import { describeMailError, oneLine, withoutPassword } from './mail-error.ts';
import type { MailTargets, TargetProblem } from './mail-targets.ts';
import { mailTimeouts, smtpOptions } from './send-mail.ts';

const day = 24 * 3_600_000;

type MailStageError = StageError<MailStage>;

export interface MailTestOptions {
  readonly targets: MailTargets;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Certificate authorities to trust besides the system's. */
  readonly tls?: ConnectionOptions | undefined;
}

export interface TestedAccount extends MailAccount {
  /** Present when the stored password cannot be read. */
  readonly unreadable?: UnreadableSecret;
}

export async function testMail(
  account: TestedAccount,
  options: MailTestOptions,
): Promise<MailTest> {
  const stages = await testStages(mailStages, (note) =>
    tryStages(account, note, options).catch((error: unknown) => {
      if (error instanceof StageError) throw error;
      const words = describeMailError(error, account.password);
      throw new StageError('accept', words, 'See the log of the mail server.');
    }),
  );
  const success = stages.every(({ outcome }) => outcome !== 'failed');
  const message = success ? 'Connected Successfully.' : 'Unable to connect with provided details.';
  return { success, message, stages, testedAt: options.now };
}

async function tryStages(
  account: TestedAccount,
  note: NoteStage<MailStage>,
  { targets, now, tls = {} }: MailTestOptions,
): Promise<void> {
  refuse(targets.checkPort(account));
  // The name is resolved once, so that the checked address is the one it connects to.
  const address = await resolveServer(account.server);
  refuse(targets.checkAddress(account, address));
  note(
    'resolve',
    isIP(account.server) === 0 ? `${account.server} is ${address}.` : `${address} is an address.`,
  );
  const socket = await openSocket(address, account);
  note('connect', `Port ${account.port} answers.`);

  // The SMTP client takes over the socket and upgrades it as the account requires.
  const options = {
    ...smtpOptions(account, {
      servername: isIP(account.server) === 0 ? account.server : '',
      ...tls,
    }),
    connection: socket,
  };
  const smtp = new SMTPConnection(options as never);
  try {
    const greeted = () =>
      (smtp as unknown as { lastServerResponse?: string | false }).lastServerResponse;
    await runStep(
      smtp,
      (done) => smtp.connect(done),
      (error) => toOpenError(account, error, greeted()),
    );
    if (account.securityType === 'none')
      note('tls', 'Off: the mail and the login are readable on the way.', 'skipped');
    else note('tls', describeCertificate(smtp, now));
    note('greeting', `The server said: ${withoutPassword(greeted() || 'ready', account.password)}`);

    const { unreadable } = account;
    if (unreadable !== undefined)
      throw new StageError('login', unreadable.words, unreadable.advice);
    if (account.password === null)
      note('login', 'No password is set: mails are sent without a login.', 'skipped');
    else {
      const credentials = { user: account.email, pass: account.password };
      await runStep(
        smtp,
        (done) => smtp.login({ credentials } as never, done),
        (error) => toLoginError(account, error),
      );
      note('login', `Signed in as ${account.email}.`);
    }

    const given = parseAddresses(account.toEmailId);
    const to = given.length > 0 ? [...given] : [account.email];
    await runStep(
      smtp,
      (done) => smtp.send({ from: account.email, to }, testMessage(account, to, now), done),
      (error) => toAcceptError(account, error),
    );
    note('accept', `A test mail to ${to.join(', ')} was accepted.`);
  } finally {
    smtp.close();
    socket.destroy();
  }
}

/** Fails the first stage, before any connection. */
function refuse(problem: TargetProblem): void {
  if (problem !== null) throw new StageError('resolve', problem.words, problem.advice);
}

async function resolveServer(server: string): Promise<string> {
  try {
    return (await lookup(server)).address;
  } catch (error) {
    const advice =
      'Check the name for a typing error, or enter the IP address. This machine uses its own name server.';
    throw new StageError(
      'resolve',
      `${server} has no address: ${describeMailError(error, null)}.`,
      advice,
    );
  }
}

function openSocket(address: string, { port }: MailAccount): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, timeout: mailTimeouts.connect });
    const fail = (words: string) => {
      socket.destroy();
      const advice =
        'Check the port (usually 25, 465 or 587) and whether a firewall blocks this machine.';
      reject(new StageError('connect', `Port ${port} of ${address} ${words}.`, advice));
    };
    socket.once('timeout', () =>
      fail(`did not answer within ${mailTimeouts.connect / 1000} seconds`),
    );
    socket.once('error', (error) => fail(`cannot be reached: ${describeMailError(error, null)}`));
    socket.once('connect', () => {
      socket.removeAllListeners();
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

type Done = (error?: Error | null) => void;

/** Settles with the first of an error event and the callback: the client reports errors by either. */
function runStep(
  smtp: SMTPConnection,
  begin: (done: Done) => void,
  failed: (error: Error) => MailStageError,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error | null) => {
      smtp.removeListener('error', end);
      if (error instanceof Error) {
        // Errors after the first failure have no meaning.
        smtp.on('error', () => undefined);
        reject(failed(error));
      } else resolve();
    };
    smtp.once('error', end);
    begin(end);
  });
}

function toOpenError(
  { securityType, port, password }: MailAccount,
  error: Error,
  greeting: string | false | undefined,
): MailStageError {
  const { code = '' } = error as NodeJS.ErrnoException;
  const words = describeMailError(error, password);
  const certificate = /certificate|CERT|self[- ]signed|altname|SSL|TLS|EPROTO/i.test(
    `${code} ${words}`,
  );
  if (securityType !== 'none' && (certificate || code === 'ETLS')) {
    const wrongKind = /wrong version number|EPROTO/i.test(words);
    // An error with an SMTP reply is a refusal of STARTTLS; a broken handshake has no reply.
    const refused = (error as { response?: string }).response !== undefined;
    const advice =
      refused || (code === 'ETLS' && !certificate)
        ? 'The server offers no encryption here. Use the port for STARTTLS (587), or choose TLS (465).'
        : wrongKind
          ? `Port ${port} does not begin encrypted: choose STARTTLS, or the port for TLS (465).`
          : 'The certificate must have this name, be valid and come from an authority that this machine trusts (NODE_EXTRA_CA_CERTS adds one).';
    return new StageError('tls', words, advice);
  }
  const silent = greeting === undefined || greeting === false;
  const advice = silent
    ? 'The server sent nothing; it may wait for encryption. Choose TLS, or the port for plain SMTP.'
    : 'The server does not accept mail from this machine. See its message and its log.';
  return new StageError('greeting', words, advice);
}

const toLoginError = ({ password }: MailAccount, error: Error) =>
  new StageError(
    'login',
    describeMailError(error, password),
    'Check the email address and the password; some services require an app password.',
  );

const toAcceptError = ({ password }: MailAccount, error: Error) =>
  new StageError(
    'accept',
    describeMailError(error, password),
    'The server refuses the sender or a recipient: check the addresses, and whether it relays for this machine.',
  );

function describeCertificate(smtp: SMTPConnection, now: number): string {
  const socket = (smtp as unknown as { _socket?: TLSSocket })._socket;
  const certificate = socket?.getPeerCertificate?.();
  if (certificate === undefined || Object.keys(certificate).length === 0) return 'Encrypted.';
  const issuer = certificate.issuer.O ?? certificate.issuer.CN ?? 'an unnamed authority';
  const days = Math.floor((Date.parse(certificate.valid_to) - now) / day);
  return `Encrypted with ${socket?.getProtocol() ?? 'TLS'}; the certificate is of ${oneLine(String(issuer))}, good for ${days} more days.`;
}

function testMessage(
  { email, senderName }: MailAccount,
  to: readonly string[],
  now: number,
): string {
  const name =
    senderName === '' ? '' : `=?UTF-8?B?${Buffer.from(senderName).toString('base64')}?= `;
  return [
    `From: ${name}<${email}>`,
    `To: ${to.join(', ')}`,
    'Subject: Test mail of Patch Repository',
    `Date: ${new Date(now).toUTCString()}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This mail tests the email configuration of Patch Repository. It has arrived, so the configuration works.',
    '',
  ].join('\r\n');
}
