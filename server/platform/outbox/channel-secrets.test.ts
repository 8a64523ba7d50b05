/** Receivers that repeat what was sent to them, in every part of a reply and in many encodings. */
import type { ServerResponse } from 'node:http';
import type { ChannelKind } from '@patch/contract/operations/channel-endpoints.ts';
import { expect, test } from 'vitest';
import { describeChannels } from './testing/channel-service.ts';
import type { Answer, ReceivedRequest } from './testing/receiver.ts';

const pathSecret = 'Zq7vK2mXw9Lr4TnB8sHd3';
const querySecret = 'uR5+c/Y1eJ6gPoW0aF~xQ';
const tokenSecret = 'tk.Aj3VbN8_yM5wEhC1zS';

interface TestedChannel {
  readonly kind: ChannelKind;
  readonly path: string;
  readonly token?: string;
  readonly secrets: readonly string[];
}

const channels: readonly TestedChannel[] = [
  {
    kind: 'webhook',
    path: `/hooks/${pathSecret}?sig=${encodeURIComponent(querySecret)}`,
    secrets: [pathSecret, querySecret],
  },
  {
    kind: 'teams',
    path: `/workflows/${pathSecret}/triggers/manual?sig=${encodeURIComponent(querySecret)}`,
    secrets: [pathSecret, querySecret],
  },
  { kind: 'slack', path: `/services/T0AB/B0CD/${pathSecret}`, secrets: [pathSecret] },
  { kind: 'ntfy', path: `/${pathSecret}`, token: tokenSecret, secrets: [pathSecret, tokenSecret] },
  { kind: 'gotify', path: '/', token: tokenSecret, secrets: [tokenSecret] },
];

/** Everything that the receiver has got. A webhook's secret is not sent; its signature is. */
const repeat = ({ path, headers, body }: ReceivedRequest) => [
  `Cannot POST ${path}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  body,
];

const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'in an address': encodeURIComponent,
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64, shifted': (text) => Buffer.from(`x${text}`).toString('base64url'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'in JSON': (text) => JSON.stringify({ error: { message: text } }),
  'in JSON, escaped': (text) =>
    `"${text
      .split('')
      .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')}"`,
  'in HTML, escaped': (text) =>
    text
      .split('')
      .map((char) => `&#${char.charCodeAt(0)};`)
      .join(''),
  'over lines': (text) => text.split('').join('\r\n'),
  'in pieces': (text) => (text.match(/.{1,9}/gs) ?? []).join(' ... '),
  backwards: (text) => text.split('').toReversed().join(''),
};

const send = (response: ServerResponse, status: number, body: string, headers = {}) =>
  void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);

/** The status line has no line breaks and only characters of Latin-1. */
const inOneLine = (request: ReceivedRequest) =>
  repeat(request)
    .join(' ')
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .slice(0, 4000);

const answers: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries(
    Object.entries(encodings).map(([name, encode]): [string, Answer] => [
      `body ${name}`,
      (response, request) => send(response, 404, repeat(request).map(encode).join('\n')),
    ]),
  ),
  ...Object.fromEntries(
    [400, 410, 429, 500].map((status): [string, Answer] => [
      `body with ${status}`,
      (response, request) => send(response, status, repeat(request).join('\n')),
    ]),
  ),
  'status text': (response, request) => void response.writeHead(404, inOneLine(request)).end(),
  'status text of a success that breaks': (response, request) => {
    response.socket?.end(`HTTP/1.1 ${inOneLine(request)}\r\n\r\n`);
  },
  Location: (response, request) =>
    send(response, 302, inOneLine(request), {
      location: `http://127.0.0.1${request.path}#${encodeURIComponent(inOneLine(request))}`,
    }),
  'Retry-After and other headers': (response, request) =>
    send(response, 503, '', {
      'retry-after': inOneLine(request),
      'www-authenticate': inOneLine(request),
      'x-error': inOneLine(request),
    }),
  'a header that is not HTTP': (response, request) => {
    response.socket?.end(`${inOneLine(request)}\r\n${inOneLine(request)}\r\n\r\n`);
  },
  'known errors of Slack and Teams': (response, request) =>
    send(response, 403, `invalid_token WorkflowNotFound ${repeat(request).join('\n')}`),
  'a reply that breaks off': (response, request) => {
    response.writeHead(500, { 'content-length': '100000' }).write(repeat(request).join('\n'));
    setTimeout(() => response.destroy(), 20);
  },
};

const onlyLetters = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The encodings of a secret, complete and truncated, without what separates their characters. */
function traces(secret: string): readonly string[] {
  const shifted = ['', 'x', 'xx'].map((before) => {
    const text = Buffer.from(`${before}${secret}`).toString('base64');
    // The first and last characters depend on what is beside the secret.
    return text.slice(4, -4);
  });
  const others = Object.values(encodings).map((encode) => encode(secret));
  const truncated = [secret.slice(0, 8), secret.slice(-8)];
  return [...shifted, ...others, ...truncated].map(onlyLetters);
}

describeChannels('secrets of channels', (service) => {
  const { app } = service;
  const { operator } = app;

  /** Every row of every table. */
  async function readDatabase(): Promise<string> {
    const tables = await app.rows(
      "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema = 'public'",
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await app.rows(`select to_jsonb(t)::text as row from ${String(name)} as t`);
      texts.push(...rows.map(({ row }) => String(row)));
    }
    return texts.join('\n');
  }

  async function readReplies(id: number): Promise<string> {
    const paths = [
      '/channels',
      `/channels/${id}/deliveries`,
      '/events',
      '/audit',
      '/emailconfig/deliveries',
      '/settings',
    ];
    const replies = await Promise.all(paths.map((path) => operator.get(path)));
    return replies.map(({ bytes, headers }) => `${String(bytes)}${JSON.stringify(headers)}`).join();
  }

  test.each(channels)(
    'are in no row, log or reply, whatever the receiver of $kind answers',
    async ({ kind, path, token, secrets }) => {
      app.lines.length = 0;
      const address = service.receiver.address(path);
      const { id, secret } = await service.create({
        kind,
        name: `Channel of ${kind}`,
        secretAddress: address,
        ...(token !== undefined && { token }),
      });
      const problems = new Map<string, string>();
      for (const [name, answer] of Object.entries(answers)) {
        service.receiver.answer = answer;
        await operator.put(`/channels/${id}`, { enabled: true });
        await operator.post(`/channels/${id}/test`);
        await service.happen();
        await service.sender.sendDue();
        problems.set(name, (await service.deliveries(id))[0]?.lastError ?? '');
      }
      expect([...problems].filter(([, problem]) => problem === '')).toEqual([]);
      expect(service.receiver.received.length).toBeGreaterThanOrEqual(problems.size);
      const before = await operator.get('/channels');
      expect(before.status).toBe(200);
      await operator.put(`/channels/${id}`, { name: `Other channel of ${kind}`, enabled: false });
      const seen = [await readReplies(id), await readDatabase()];
      await operator.delete(`/channels/${id}`);
      seen.push(await readDatabase(), app.lines.join('\n'));
      const all = [...secrets, ...(kind === 'webhook' ? [secret.replace('whsec_', '')] : [])];
      const text = onlyLetters(seen.join('\n'));
      expect(text).toContain(onlyLetters(`Channel of ${kind}`));
      const found = all.flatMap(traces).filter((trace) => text.includes(trace));
      expect(found).toEqual([]);
    },
  );

  test('shows the known error of the documentation beside the status', async () => {
    const { id } = await service.create({ kind: 'slack' });
    service.receiver.answer = (response) => send(response, 404, 'channel_is_archived');
    expect(await service.problem(id)).toBe(
      'The receiver replied 404 Not Found: channel_is_archived',
    );
  });
});
