import { expect, test } from 'vitest';
import {
  boundedText,
  cweIdOf,
  faqEntries,
  GuidanceReader,
  maxTextLength,
} from './msrc-guidance.ts';

test('a question is a paragraph in bold, its answer what comes until the next one', () => {
  const html =
    '<p>Read this first.</p>\n<p><strong>How   could\nit be <em>exploited</em>?</strong></p>\n<p>By a file &amp; a click.</p><ul><li>one</li><li>two</li></ul>' +
    '<p><strong>Note:</strong> only with help.</p><p><b>Is there more?</b> Yes.</p><p><strong>Additional information</strong></p><p>None.</p>';
  expect(faqEntries(html)).toEqual([
    { question: null, answer: 'Read this first.' },
    {
      question: 'How could it be exploited?',
      answer: 'By a file & a click.\n\n- one\n- two\n\nNote: only with help.',
    },
    { question: 'Is there more?', answer: 'Yes.' },
    { question: 'Additional information', answer: 'None.' },
  ]);
});

test('a question without an answer stays, words without a question too; nothing is nothing', () => {
  expect(faqEntries('<p><strong>Why?</strong></p>')).toEqual([{ question: 'Why?', answer: null }]);
  expect(faqEntries('plain <b>words</b>')).toEqual([{ question: null, answer: 'plain words' }]);
  for (const empty of ['', '<p></p>', '<p><strong> </strong></p>', '<script>alert(1)</script>'])
    expect(faqEntries(empty)).toEqual([]);
});

test.each(['<p><strong>', '<p><strong>a', '<p ', '<strong>?</strong>', '<p><strong>a?</strong>'])(
  'reads 30,000 times %s in passing',
  (piece) => {
    expect(faqEntries(piece.repeat(30_000)).length).toBeLessThanOrEqual(30_000);
  },
);

test('texts are cut between words, with a sign', () => {
  expect(boundedText('one two three', 13)).toBe('one two three');
  expect(boundedText('one two three', 10)).toBe('one two…');
  expect(boundedText('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(boundedText(`${'x'.repeat(8)}\u{1F600}${'x'.repeat(8)}`, 10).isWellFormed()).toBe(true);
  const [entry] = faqEntries(`<p><strong>Why?</strong></p><p>${'because '.repeat(5000)}</p>`);
  expect(entry?.answer).toMatch(/because…$/);
  expect(entry?.answer?.length).toBeLessThanOrEqual(maxTextLength);
});

test.each([
  ['CWE-416', 'CWE-416'],
  ['cwe 079', 'CWE-79'],
  ['20', 'CWE-20'],
  ['NVD-CWE-noinfo', null],
  [null, null],
])('the weakness %s is %s', (written, id) => {
  expect(cweIdOf(written)).toBe(id);
});

test('advice is a mitigation or a workaround, for the products that it names; other remediations are none', () => {
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
