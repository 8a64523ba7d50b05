import { expect, test } from 'vitest';
import {
  GuidanceReader,
  maxTextLength,
  parseCweId,
  parseFaq,
  shortenText,
} from './msrc-guidance.ts';

test('takes a bold paragraph as question, and the text up to the next one as its answer', () => {
  const html =
    '<p>Read this first.</p>\n<p><strong>How   could\nit be <em>exploited</em>?</strong></p>\n<p>By a file &amp; a click.</p><ul><li>one</li><li>two</li></ul>' +
    '<p><strong>Note:</strong> only with help.</p><p><b>Is there more?</b> Yes.</p><p><strong>Additional information</strong></p><p>None.</p>';
  expect(parseFaq(html)).toEqual([
    { question: null, answer: 'Read this first.' },
    {
      question: 'How could it be exploited?',
      answer: 'By a file & a click.\n\n- one\n- two\n\nNote: only with help.',
    },
    { question: 'Is there more?', answer: 'Yes.' },
    { question: 'Additional information', answer: 'None.' },
  ]);
});

test('keeps questions without an answer and words without a question, and drops empty ones', () => {
  expect(parseFaq('<p><strong>Why?</strong></p>')).toEqual([{ question: 'Why?', answer: null }]);
  expect(parseFaq('plain <b>words</b>')).toEqual([{ question: null, answer: 'plain words' }]);
  for (const empty of ['', '<p></p>', '<p><strong> </strong></p>', '<script>alert(1)</script>'])
    expect(parseFaq(empty)).toEqual([]);
});

test.each(['<p><strong>', '<p><strong>a', '<p ', '<strong>?</strong>', '<p><strong>a?</strong>'])(
  'reads 30,000 repetitions of %s quickly',
  (piece) => {
    expect(parseFaq(piece.repeat(30_000)).length).toBeLessThanOrEqual(30_000);
  },
);

test('shortens texts between words with an ellipsis', () => {
  expect(shortenText('one two three', 13)).toBe('one two three');
  expect(shortenText('one two three', 10)).toBe('one two…');
  expect(shortenText('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(shortenText(`${'x'.repeat(8)}\u{1F600}${'x'.repeat(8)}`, 10).isWellFormed()).toBe(true);
  const [entry] = parseFaq(`<p><strong>Why?</strong></p><p>${'because '.repeat(5000)}</p>`);
  expect(entry?.answer).toMatch(/because…$/);
  expect(entry?.answer?.length).toBeLessThanOrEqual(maxTextLength);
});

test.each([
  ['CWE-416', 'CWE-416'],
  ['cwe 079', 'CWE-79'],
  ['20', 'CWE-20'],
  ['NVD-CWE-noinfo', null],
  [null, null],
])('maps the weakness %s to %s', (written, id) => {
  expect(parseCweId(written)).toBe(id);
});

test('reads mitigations and workarounds with their products as advice, but no other remediations', () => {
  const remediation = (type: string, description: string | null, ...products: string[]) => ({
    type,
    description,
    products,
    words: {},
  });
  const nothing = {
    kind: 'vulnerability',
    title: null,
    cve: null,
    notes: [],
    threats: [],
    scores: [],
    weaknesses: [],
    revisions: [],
  } as const;
  const remediations = [
    remediation('Mitigation', '<p>Stop the <code>service</code>.</p>'),
    remediation('Workaround', '<p>Unplug it.</p>', '11', '12'),
    remediation('Workaround', '<p></p>'),
    remediation('Workaround', null),
    remediation('Vendor Fix', '5090122'),
  ];
  expect(new GuidanceReader((text) => text).read({ ...nothing, remediations }).advice).toEqual([
    { kind: 'Mitigation', text: 'Stop the service.', products: [] },
    { kind: 'Workaround', text: 'Unplug it.', products: ['11', '12'] },
  ]);
});
