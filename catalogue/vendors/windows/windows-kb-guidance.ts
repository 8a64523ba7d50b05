/** What a KB's detail says of all its vulnerabilities together: the same words once, with the vulnerabilities that they are about. */

import { compareNaturally } from './compare-naturally.ts';
import {
  type Advice,
  adviceKinds,
  type FaqEntry,
  type Guidance,
  type Weakness,
} from './msrc-guidance.ts';
import type { KnownIssue } from './msrc-known-issues.ts';
import type { GuidanceDetail } from './windows-guidance-tables.ts';

/** Characters of questions, answers and advice that one record holds. The fullest of 2026 has some 30,000. */
export const maxGuidanceLength = 250_000;

export interface GuidanceOfKb extends GuidanceDetail {
  /** How much would have made the record too large, in words. */
  readonly omitted: string | null;
}

/** `guidance`: of each vulnerability, in the order of their ids. `products`: the ids that the documents have for the product. */
export function guidanceOfKb(
  guidance: ReadonlyMap<string, Guidance>,
  knownIssues: readonly KnownIssue[],
  products: ReadonlySet<string>,
): GuidanceOfKb {
  const faq = new Gathered<FaqEntry>(({ question, answer }) => [question, answer].join('\n'));
  const advice = new Gathered<Advice>(({ kind, text }) => [kind, text].join('\n'));
  const weaknesses = new Gathered<Weakness>(({ id }) => id);
  for (const [cve, of] of guidance) {
    for (const entry of of.faq) faq.add(entry, cve);
    for (const one of of.advice)
      if (one.products.length === 0 || one.products.some((id) => products.has(id)))
        advice.add(one, cve);
    for (const weakness of of.weaknesses) weaknesses.add(weakness, cve);
  }
  const room = new Room(maxGuidanceLength);
  const issues = room.fill(knownIssues.toSorted(byIssue), ({ text }) => text?.length ?? 0);
  const advised = room.fill(advice.sorted(byAdvice), ({ value: { text } }) => text.length);
  const asked = room.fill(
    byQuestion(faq),
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
    faq: asked.map(({ value: { question, answer }, cves }) => ({ question, answer, cve: cves })),
    weaknesses: weaknesses
      .sorted((a, b) => compareNaturally(a.value.id, b.value.id))
      .map(({ value: { id, name }, cves }) => ({ cwe: id, name, cve: cves })),
    omitted:
      room.omitted === 0
        ? null
        : `${room.omitted.toLocaleString('en')} known issues, questions and ways around vulnerabilities`,
  };
}

interface Told<Value> {
  readonly value: Value;
  readonly cves: string[];
}

/** Values that several vulnerabilities share, each once. */
class Gathered<Value> {
  readonly #told = new Map<string, { readonly value: Value; readonly cves: string[] }>();
  readonly #keyOf: (value: Value) => string;

  constructor(keyOf: (value: Value) => string) {
    this.#keyOf = keyOf;
  }

  add(value: Value, cve: string): void {
    const key = this.#keyOf(value);
    const told = this.#told.get(key);
    if (told === undefined) this.#told.set(key, { value, cves: [cve] });
    else if (told.cves.at(-1) !== cve) told.cves.push(cve);
  }

  sorted(order: (a: Told<Value>, b: Told<Value>) => number): Told<Value>[] {
    return [...this.#told.values()].toSorted(order);
  }
}

/** Questions that most vulnerabilities ask come first, the answers to one together; what answers no question comes last. */
function byQuestion(faq: Gathered<FaqEntry>): Told<FaqEntry>[] {
  const all = faq.sorted(() => 0);
  const counts = new Map<string | null, number>();
  for (const { value, cves } of all)
    counts.set(value.question, (counts.get(value.question) ?? 0) + cves.length);
  const countOf = ({ value: { question } }: Told<FaqEntry>) =>
    question === null ? 0 : (counts.get(question) ?? 0);
  return all.toSorted(
    (a, b) =>
      countOf(b) - countOf(a) ||
      byText(a.value.question ?? '', b.value.question ?? '') ||
      b.cves.length - a.cves.length ||
      byText(a.value.answer ?? '', b.value.answer ?? ''),
  );
}

const byAdvice = (a: Told<Advice>, b: Told<Advice>) =>
  adviceKinds.indexOf(a.value.kind) - adviceKinds.indexOf(b.value.kind) ||
  b.cves.length - a.cves.length ||
  byText(a.value.text, b.value.text);

/** For an order that is always the same; a reader's alphabet takes too long over whole paragraphs. */
const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

const byIssue = (a: KnownIssue, b: KnownIssue) =>
  compareNaturally(a.kb ?? '', b.kb ?? '') ||
  byText(a.text ?? '', b.text ?? '') ||
  byText(a.address ?? '', b.address ?? '');

/** Lets in what there is room for, and counts the rest. */
class Room {
  #left: number;
  omitted = 0;

  constructor(length: number) {
    this.#left = length;
  }

  fill<Value>(values: readonly Value[], lengthOf: (value: Value) => number): Value[] {
    return values.filter((value) => {
      const fits = lengthOf(value) <= this.#left;
      if (fits) this.#left -= lengthOf(value);
      else this.omitted++;
      return fits;
    });
  }
}
