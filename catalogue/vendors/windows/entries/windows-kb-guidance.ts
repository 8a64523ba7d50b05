/** Merges the guidance of a KB's vulnerabilities: equal words once, with the vulnerabilities that they are about. */

import {
  type Advice,
  adviceKinds,
  type FaqEntry,
  type Guidance,
  type Weakness,
} from '../guide/msrc-guidance.ts';
import type { KnownIssue } from '../guide/msrc-known-issues.ts';
import { type GuidanceDetail } from '../lists/windows-fields.ts';
import { compareNaturally } from '../names/compare-naturally.ts';

/** Characters of questions, answers and advice in one record. The largest of 2026 has about 30,000. */
export const maxGuidanceLength = 250_000;

export interface MergedGuidance extends GuidanceDetail {
  /** Number of values that would have made the record too large, in words. */
  readonly omitted: string | null;
}

/**
 * @param guidance by vulnerability, in the order of their ids
 * @param products ids that the documents use for the product
 */
export function mergeGuidance(
  guidance: ReadonlyMap<string, Guidance>,
  knownIssues: readonly KnownIssue[],
  products: ReadonlySet<string>,
): MergedGuidance {
  const faq = new ValueCollector<FaqEntry>(({ question, answer }) => [question, answer].join('\n'));
  const advice = new ValueCollector<Advice>(({ kind, text }) => [kind, text].join('\n'));
  const weaknesses = new ValueCollector<Weakness>(({ id }) => id);
  for (const [cve, own] of guidance) {
    for (const entry of own.faq) faq.add(entry, cve);
    for (const hint of own.advice)
      if (hint.products.length === 0 || hint.products.some((id) => products.has(id)))
        advice.add(hint, cve);
    for (const weakness of own.weaknesses) weaknesses.add(weakness, cve);
  }
  const budget = new SizeBudget(maxGuidanceLength);
  const issues = budget.take(knownIssues.toSorted(byIssue), ({ text }) => text?.length ?? 0);
  const advised = budget.take(advice.sorted(byAdvice), ({ value: { text } }) => text.length);
  const questions = budget.take(
    sortQuestions(faq),
    ({ value: { question, answer } }) => (question?.length ?? 0) + (answer?.length ?? 0),
  );
  return {
    knownIssues: issues.map(({ kb, text, address, cves }) => ({
      kbId: kb,
      description: text,
      article: address,
      cve: [...cves].toSorted(compareNaturally),
    })),
    advice: advised.map(({ value: { kind, text }, cves }) => ({
      kind,
      description: text,
      cve: cves,
    })),
    faq: questions.map(({ value: { question, answer }, cves }) => ({
      question,
      answer,
      cve: cves,
    })),
    weaknesses: weaknesses
      .sorted((a, b) => compareNaturally(a.value.id, b.value.id))
      .map(({ value: { id, name }, cves }) => ({ cwe: id, name, cve: cves })),
    omitted:
      budget.omitted === 0
        ? null
        : `${budget.omitted.toLocaleString('en')} known issues, questions and ways around vulnerabilities`,
  };
}

interface SharedValue<Value> {
  readonly value: Value;
  readonly cves: string[];
}

/** Collects values that several vulnerabilities share, each once. */
class ValueCollector<Value> {
  readonly #shared = new Map<string, { readonly value: Value; readonly cves: string[] }>();
  readonly #toKey: (value: Value) => string;

  constructor(toKey: (value: Value) => string) {
    this.#toKey = toKey;
  }

  add(value: Value, cve: string): void {
    const key = this.#toKey(value);
    const shared = this.#shared.get(key);
    if (shared === undefined) this.#shared.set(key, { value, cves: [cve] });
    else if (shared.cves.at(-1) !== cve) shared.cves.push(cve);
  }

  sorted(order: (a: SharedValue<Value>, b: SharedValue<Value>) => number): SharedValue<Value>[] {
    return [...this.#shared.values()].toSorted(order);
  }
}

/** Sorts the most frequent questions first, with their answers together; answers without a question come last. */
function sortQuestions(faq: ValueCollector<FaqEntry>): SharedValue<FaqEntry>[] {
  const all = faq.sorted(() => 0);
  const counts = new Map<string | null, number>();
  for (const { value, cves } of all)
    counts.set(value.question, (counts.get(value.question) ?? 0) + cves.length);
  const getCount = ({ value: { question } }: SharedValue<FaqEntry>) =>
    question === null ? 0 : (counts.get(question) ?? 0);
  return all.toSorted(
    (a, b) =>
      getCount(b) - getCount(a) ||
      byText(a.value.question ?? '', b.value.question ?? '') ||
      b.cves.length - a.cves.length ||
      byText(a.value.answer ?? '', b.value.answer ?? ''),
  );
}

const byAdvice = (a: SharedValue<Advice>, b: SharedValue<Advice>) =>
  adviceKinds.indexOf(a.value.kind) - adviceKinds.indexOf(b.value.kind) ||
  b.cves.length - a.cves.length ||
  byText(a.value.text, b.value.text);

/** A stable order; comparing by locale is too slow for long paragraphs. */
const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

const byIssue = (a: KnownIssue, b: KnownIssue) =>
  compareNaturally(a.kb ?? '', b.kb ?? '') ||
  byText(a.text ?? '', b.text ?? '') ||
  byText(a.address ?? '', b.address ?? '');

/** Takes values until the length is used up, and counts the omitted ones. */
class SizeBudget {
  #left: number;
  omitted = 0;

  constructor(length: number) {
    this.#left = length;
  }

  take<Value>(values: readonly Value[], getLength: (value: Value) => number): Value[] {
    return values.filter((value) => {
      const fits = getLength(value) <= this.#left;
      if (fits) this.#left -= getLength(value);
      else this.omitted++;
      return fits;
    });
  }
}
