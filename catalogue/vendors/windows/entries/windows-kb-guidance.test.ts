import { expect, test } from 'vitest';
import type { Guidance } from '../guide/msrc-guidance.ts';
import { maxGuidanceLength, mergeGuidance } from './windows-kb-guidance.ts';

const nothing: Guidance = { faq: [], advice: [], weaknesses: [] };
const product = new Set(['11', '12']);
const merge = (guidance: Readonly<Record<string, Partial<Guidance>>>) =>
  mergeGuidance(
    new Map(Object.entries(guidance).map(([cve, said]) => [cve, { ...nothing, ...said }])),
    [],
    product,
  );

test('merges equal answers with their vulnerabilities, the most frequent question first', () => {
  const how = (answer: string) => ({ question: 'How?', answer });
  const { faq } = merge({
    'CVE-1': {
      faq: [
        { question: null, answer: 'By the way.' },
        { question: 'Why?', answer: 'So.' },
        how('By mail.'),
      ],
    },
    'CVE-2': { faq: [how('By hand.'), how('By hand.')] },
    'CVE-3': { faq: [how('By hand.'), { question: 'Why?', answer: 'So.' }] },
  });
  expect(faq).toEqual([
    { question: 'How?', answer: 'By hand.', cve: ['CVE-2', 'CVE-3'] },
    { question: 'How?', answer: 'By mail.', cve: ['CVE-1'] },
    { question: 'Why?', answer: 'So.', cve: ['CVE-1', 'CVE-3'] },
    { question: null, answer: 'By the way.', cve: ['CVE-1'] },
  ]);
});

test('sorts workarounds before mitigations, and leaves out advice for other products', () => {
  const { advice } = merge({
    'CVE-1': {
      advice: [
        { kind: 'Mitigation', text: 'Wait.', products: [] },
        { kind: 'Workaround', text: 'Unplug it.', products: ['12', '99'] },
        { kind: 'Workaround', text: 'Elsewhere.', products: ['99'] },
      ],
    },
  });
  expect(advice).toEqual([
    { kind: 'Workaround', description: 'Unplug it.', cve: ['CVE-1'] },
    { kind: 'Mitigation', description: 'Wait.', cve: ['CVE-1'] },
  ]);
});

test('merges weaknesses and sorts them by number', () => {
  const { weaknesses } = merge({
    'CVE-1': { weaknesses: [{ id: 'CWE-416', name: 'Use After Free' }] },
    'CVE-2': {
      weaknesses: [
        { id: 'CWE-79', name: null },
        { id: 'CWE-416', name: 'Use After Free' },
      ],
    },
  });
  expect(weaknesses).toEqual([
    { cwe: 'CWE-79', name: null, cve: ['CVE-2'] },
    { cwe: 'CWE-416', name: 'Use After Free', cve: ['CVE-1', 'CVE-2'] },
  ]);
});

test('limits the size of a record and counts what is left out', () => {
  const long = (n: number) => ({
    question: `Question ${n}?`,
    answer: String(n).padEnd(19_000, '.'),
  });
  const full = merge(
    Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`CVE-${n}`, { faq: [long(n)] }])),
  );
  const length = (full.faq ?? []).reduce(
    (sum, { question, answer }) => sum + (question?.length ?? 0) + (answer?.length ?? 0),
    0,
  );
  expect(length).toBeLessThanOrEqual(maxGuidanceLength);
  expect(length).toBeGreaterThan(maxGuidanceLength - 20_000);
  expect(full.omitted).toBe(
    `${40 - (full.faq?.length ?? 0)} known issues, questions and ways around vulnerabilities`,
  );
  expect(merge({ 'CVE-1': { faq: [long(1)] } }).omitted).toBeNull();
});
