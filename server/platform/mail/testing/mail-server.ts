/** A real SMTP server on loopback for tests, with or without encryption and login. It records the mails that it accepts. */
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface TakenMessage {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as received. */
  readonly text: string;
  readonly encrypted: boolean;
  readonly user: string | undefined;
}

export interface MailServer {
  readonly port: number;
  readonly taken: TakenMessage[];
  /** Texts of refused mails. */
  readonly refused: string[];
  /** The self-signed certificate, for tests to trust. */
  readonly certificate: string;
  /** Refuses the next mails with a temporary error. */
  refuseNext(times: number, words?: string): void;
  stop(): Promise<void>;
}

export interface MailServerOptions {
  readonly encryption?: 'none' | 'starttls' | 'tls';
  /** Absent: no login is required. */
  readonly login?: { readonly user: string; readonly password: string };
  readonly refusedRecipient?: string;
}

let certificate: ReturnType<typeof newCertificate> | null = null;
const newCertificate = () =>
  generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });

export async function startMailServer({
  encryption = 'none',
  login,
  refusedRecipient,
}: MailServerOptions = {}): Promise<MailServer> {
  const { private: key, cert } = await (certificate ??= newCertificate());
  const taken: TakenMessage[] = [];
  const refused: string[] = [];
  let refusals = 0;
  let refusal = '';
  const options: SMTPServerOptions = {
    key,
    cert,
    secure: encryption === 'tls',
    hideSTARTTLS: encryption !== 'starttls',
    authOptional: login === undefined,
    disabledCommands: [
      ...(encryption === 'starttls' ? [] : ['STARTTLS']),
      ...(login === undefined ? ['AUTH'] : []),
    ],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) done(null, { user: username });
      else done(new Error('Invalid username or password'));
    },
    onRcptTo({ address }, _session, done) {
      if (address === refusedRecipient)
        done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
      else done();
    },
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      stream.on('end', () => {
        if (refusals-- > 0) {
          refused.push(text);
          return done(Object.assign(new Error(refusal), { responseCode: 451 }));
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        taken.push({
          from,
          to: rcptTo.map(({ address }) => address),
          text,
          encrypted: session.secure,
          user: session.user as string | undefined,
        });
        done();
      });
    },
  };
  const server = new SMTPServer(options);
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    refused,
    certificate: cert,
    refuseNext(times, words = 'Try again later') {
      refusals = times;
      refusal = words;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
