import { parseAtomFeed } from 'feedsmith';
import { expect, test } from 'vitest';
import { atomId, writeAtomFeed } from './atom-feed.ts';

const feed = {
  id: 'urn:uuid:0b5e1f2e-6a52-8c11-9d3a-3f0f6f2e1a10',
  title: 'Feed',
  author: 'Repository',
  selfUrl: 'https://patch.example.org/api/atom/x',
  url: 'https://patch.example.org/patch-repository',
  updated: Date.UTC(2026, 2, 1, 12, 30),
  entries: [],
};
const entry = {
  id: 'urn:uuid:5d2c1f2e-6a52-8c11-9d3a-3f0f6f2e1a10',
  title: 'Entry',
  summary: '',
  url: 'https://patch.example.org/record/1',
  published: Date.UTC(2026, 0, 1),
  updated: Date.UTC(2026, 0, 2),
  categories: [],
};

test.each([
  ['markup and references', '<b>a</b> & &amp; "c" \'d\' ]]>'],
  ['other alphabets', 'Güvenlik güncellemesi — 安全 🔒'],
])('keeps %s in every text', (_, text) => {
  const url = `https://patch.example.org/?q=${encodeURIComponent(text)}&b="<'`;
  const texts = { title: text, summary: text, url, categories: [text] };
  const parsed = parseAtomFeed(
    writeAtomFeed({ ...feed, title: text, author: text, entries: [{ ...entry, ...texts }] }),
  );
  expect(parsed).toMatchObject({
    title: { value: text },
    authors: [{ name: text }],
    entries: [
      {
        title: { value: text },
        summary: { value: text },
        links: [{ href: url, rel: 'alternate' }],
        categories: [{ term: text }],
      },
    ],
  });
});

test('replaces control characters and halves of pairs, which no XML may have', () => {
  const title = 'a\u0000b\u0008c\u001Bd\uFFFEe\uD83Df';
  const text = writeAtomFeed({ ...feed, entries: [{ ...entry, title, categories: [title] }] });
  expect(Buffer.from(text).toString()).toBe(text);
  // oxlint-disable-next-line no-control-regex -- these are the characters that must be absent
  expect(text).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/u);
  expect(parseAtomFeed(text).entries?.[0]?.title?.value).toMatch(/^a.b.c.d.e.f$/u);
});

test('has every element that the standard requires', () => {
  expect(parseAtomFeed(writeAtomFeed({ ...feed, entries: [entry] }))).toMatchObject({
    id: feed.id,
    updated: '2026-03-01T12:30:00.000Z',
    authors: [{ name: 'Repository' }],
    links: [
      { rel: 'self', href: feed.selfUrl },
      { rel: 'alternate', href: feed.url },
    ],
    entries: [
      {
        id: entry.id,
        title: { value: 'Entry' },
        published: '2026-01-01T00:00:00.000Z',
        updated: '2026-01-02T00:00:00.000Z',
      },
    ],
  });
});

test('gives a name the same UUID always, and others to other names', () => {
  expect(atomId('almaLinux ALSA-2024:1')).toMatch(
    /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  );
  expect(atomId('almaLinux ALSA-2024:1')).toBe(atomId('almaLinux ALSA-2024:1'));
  expect(atomId('almaLinux ALSA-2024:1')).not.toBe(atomId('almaLinux ALSA-2024:2'));
});
