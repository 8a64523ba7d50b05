import type { CatalogueEvent } from '@patch/contract/operations/event-endpoints.ts';
import { AdaptiveCard, SerializationContext } from 'adaptivecards';
import { describe, expect, test } from 'vitest';
import { channelMessage, findAddressProblem, redactAddress } from './channel-message.ts';

const build = (more: Partial<CatalogueEvent['data']> = {}): CatalogueEvent => ({
  id: 'evt_1',
  type: 'view.records',
  timestamp: '2026-11-21T00:00:00.000Z',
  data: {
    title: "2 new records in 'Critical'",
    url: 'https://patch.example.org/patch-repository/kb-base?view=1&sort=a|b',
    subject: { viewId: 1 },
    items: [
      {
        name: 'KB1 <!channel> & *more*',
        about: 'Severity: Critical',
        url: 'https://patch.example.org/r/1',
      },
      { name: '[KB2](https://evil.example)|x', about: '', url: null },
    ],
    totalCount: 2,
    ...more,
  },
});
const many = (name: string, about = '') =>
  build({
    items: Array.from({ length: 100 }, (_, n) => ({
      name: `${n} ${name}`,
      about,
      url: 'https://patch.example.org/r/1',
    })),
    totalCount: 5000,
  });
const write = (
  kind: 'teams' | 'slack' | 'ntfy' | 'gotify',
  event: CatalogueEvent,
  address = 'https://chat.example.org/topic',
) => {
  const message = channelMessage({ kind, address: new URL(address), secrets: ['token'] }, event, 0);
  return { ...message, json: JSON.parse(message.body) as Record<string, unknown> };
};

describe('teams', () => {
  const readCard = (body: string) => {
    const { attachments } = JSON.parse(body) as {
      attachments: { content: object; contentType: string }[];
    };
    const card = new AdaptiveCard();
    const context = new SerializationContext();
    card.parse(attachments[0]?.content, context);
    const texts: string[] = [];
    const links: string[] = [];
    for (let index = 0; index < card.getItemCount(); index += 1) {
      const { inlines } = card.getItemAt(index).toJSON(context) as {
        inlines: { text: string; selectAction?: { url: string } }[];
      };
      texts.push(inlines.map(({ text }) => text).join(''));
      links.push(
        ...inlines.flatMap(({ selectAction }) => (selectAction ? [selectAction.url] : [])),
      );
    }
    const invalid = card.validateProperties().validationEvents;
    const parsed = Array.from(
      { length: context.eventCount },
      (_, n) => context.getEventAt(n).message,
    );
    return { type: attachments[0]?.contentType, texts, links, problems: [...invalid, ...parsed] };
  };

  test('is a valid card with the texts as they are', () => {
    expect(readCard(write('teams', build()).body)).toEqual({
      type: 'application/vnd.microsoft.card.adaptive',
      texts: [
        "2 new records in 'Critical'",
        'KB1 <!channel> & *more* Severity: Critical',
        '[KB2](https://evil.example)|x',
      ],
      links: ['https://patch.example.org/r/1'],
      problems: [],
    });
  });

  test.each([
    ['long names', many('x'.repeat(500), 'y'.repeat(500))],
    ['letters of four bytes', many('𝒳'.repeat(200), '漢'.repeat(400))],
    ['many short names', many('a')],
  ])('is below 28 KB with %s, and says how many more there are', (_, event) => {
    const { body } = write('teams', event);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(28_000);
    const { texts, problems } = readCard(body);
    expect(problems).toEqual([]);
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.at(-1)).toBe(`and ${5000 - (texts.length - 2)} more`);
  });
});

test('slack: escapes mentions and links of vendors, and keeps within its limits', () => {
  const { json, headers } = write('slack', build());
  expect(headers).toEqual({ 'content-type': 'application/json' });
  const texts = (json['blocks'] as { text: { text: string } }[]).map(({ text }) => text.text);
  expect(texts).toEqual([
    "*<https://patch.example.org/patch-repository/kb-base?view=1&amp;sort=a%7Cb|2 new records in 'Critical'>*",
    '<https://patch.example.org/r/1|KB1 &lt;!channel&gt; &amp; *more*>\nSeverity: Critical',
    '[KB2](https://evil.example)|x',
  ]);
  expect(json['text']).toBe("2 new records in 'Critical'");
  const long = write('slack', many('<&>'.repeat(300), '<'.repeat(900))).json['blocks'] as {
    text: { text: string };
  }[];
  expect(long.length).toBeLessThanOrEqual(50);
  expect(Math.max(...long.map(({ text }) => text.text.length))).toBeLessThanOrEqual(3000);
  expect(long.at(-1)?.text.text).toBe(`and ${5000 - (long.length - 2)} more`);
});

test('ntfy: names the topic in the body, with the token as a header', () => {
  const { url, headers, json } = write('ntfy', build());
  expect(url.href).toBe('https://chat.example.org/');
  expect(headers).toMatchObject({ authorization: 'Bearer token' });
  expect(json).toEqual({
    topic: 'topic',
    title: "2 new records in 'Critical'",
    message: 'KB1 <!channel> & *more*: Severity: Critical\n[KB2](https://evil.example)|x',
    click: 'https://patch.example.org/patch-repository/kb-base?view=1&sort=a|b',
  });
  const message = String(write('ntfy', many('漢'.repeat(200))).json['message']);
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096);
  expect(message).toMatch(/\nand \d+ more$/);
});

test.each([
  ['https://push.example.org', 'https://push.example.org/message'],
  ['https://example.org/gotify/', 'https://example.org/gotify/message'],
])('gotify: posts to the messages of %s', (address, expected) => {
  const { url, headers, json } = write('gotify', build({ items: [], totalCount: 0 }), address);
  expect([url.href, headers['x-gotify-key']]).toEqual([expected, 'token']);
  expect(json).toMatchObject({
    title: "2 new records in 'Critical'",
    message: "2 new records in 'Critical'",
  });
});

test.each([
  ['https://ntfy.sh/', false],
  ['https://ntfy.sh/a/b', false],
  ['https://ntfy.sh/my-topic_1', true],
])('ntfy accepts the address %s: %s', (address, accepted) => {
  expect(findAddressProblem('ntfy', new URL(address)) === null).toBe(accepted);
});

test('shows no part of an address that lets anybody post', () => {
  const shown = (kind: 'slack' | 'gotify' | 'webhook', address: string) =>
    redactAddress({ kind, address: new URL(address) });
  expect(shown('slack', 'https://hooks.slack.com/services/T0/B0/secret')).toBe(
    'https://hooks.slack.com/…',
  );
  expect(shown('webhook', 'https://a.example/?sig=secret')).toBe('https://a.example/…');
  expect(shown('gotify', 'https://a.example/gotify')).toBe('https://a.example/gotify');
});
