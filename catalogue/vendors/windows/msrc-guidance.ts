/** What the security update guide tells people about a vulnerability beside its rating: questions, ways around it, its weaknesses. */
import type { CvrfVulnerability } from '../../parsers/cvrf-document.ts';
import { htmlToText } from '../../schemas/html-to-text.ts';

export interface FaqEntry {
  /** One line; null for words that answer no question. */
  readonly question: string | null;
  readonly answer: string | null;
}

export const adviceKinds = ['Workaround', 'Mitigation'] as const;

export interface Advice {
  readonly kind: (typeof adviceKinds)[number];
  readonly text: string;
  /** None: for all. */
  readonly products: readonly string[];
}

export interface Weakness {
  /** CWE-416 */
  readonly id: string;
  readonly name: string | null;
}

export interface Guidance {
  readonly faq: readonly FaqEntry[];
  readonly advice: readonly Advice[];
  readonly weaknesses: readonly Weakness[];
}

/** Characters of one answer or advice. The longest that Microsoft wrote until 2026 has some 12,000. */
export const maxTextLength = 20_000;
const maxQuestionLength = 1000;
/** Of markup; its text is shorter. What is beyond is not looked at. */
const maxMarkupLength = 200_000;

/** Reads the same note once: a third of the vulnerabilities of a month share theirs. */
export class GuidanceReader {
  readonly #faqs = new Map<string, readonly FaqEntry[]>();
  readonly #texts = new Map<string, string>();
  readonly #keep: (text: string) => string;

  /** `keep` gives the same text back, in memory once. */
  constructor(keep: (text: string) => string) {
    this.#keep = keep;
  }

  read({ notes, remediations, weaknesses }: CvrfVulnerability): Guidance {
    return {
      faq: notes.flatMap(({ type, text }) =>
        type === 'FAQ' && text !== null ? this.#faqOf(text) : [],
      ),
      advice: remediations.flatMap(({ type, description, products }) => {
        const kind = adviceKinds.find((known) => known === type);
        const text = description === null || kind === undefined ? '' : this.#textOf(description);
        return kind === undefined || text === ''
          ? []
          : { kind, text, products: products.map((id) => this.#keep(id)) };
      }),
      weaknesses: weaknesses.flatMap(({ id, name }) => {
        const cwe = cweIdOf(id);
        return cwe === null
          ? []
          : { id: this.#keep(cwe), name: name === null ? null : this.#keep(name) };
      }),
    };
  }

  #faqOf(html: string): readonly FaqEntry[] {
    const known = this.#faqs.get(html);
    if (known !== undefined) return known;
    const entries = faqEntries(html).map(({ question, answer }) => ({
      question: question === null ? null : this.#keep(question),
      answer: answer === null ? null : this.#keep(answer),
    }));
    this.#faqs.set(this.#keep(html), entries);
    return entries;
  }

  #textOf(html: string): string {
    const known = this.#texts.get(html);
    if (known !== undefined) return known;
    const text = this.#keep(boundedText(htmlToText(html.slice(0, maxMarkupLength)), maxTextLength));
    this.#texts.set(this.#keep(html), text);
    return text;
  }
}

/** A paragraph that begins in bold: its bold words, and whether it has no other words. The bold words hold no other paragraph and no other bold ones. */
const boldStart = /<p\b[^<>]*>\s*<(strong|b)>((?:(?!<\/?(?:strong|b|p)\b)[^])*)<\/\1>(\s*<\/p>)?/gi;

/** Questions stand in bold at the start of a paragraph; what comes before the first answers none. */
export function faqEntries(html: string): FaqEntry[] {
  const markup = html.slice(0, maxMarkupLength);
  const entries: FaqEntry[] = [];
  let question: string | null = null;
  let from = 0;
  const add = (until: number) => {
    const answer = boundedText(htmlToText(markup.slice(from, until)), maxTextLength) || null;
    if (question !== null || answer !== null) entries.push({ question, answer });
  };
  for (const found of markup.matchAll(boldStart)) {
    const words = boundedText(
      htmlToText(found[2] ?? '').replaceAll(/\s+/g, ' '),
      maxQuestionLength,
    );
    // 'Note:' in bold is the beginning of an answer.
    if (words === '' || (found[3] === undefined && !words.endsWith('?'))) continue;
    add(found.index);
    question = words;
    from = found.index + found[0].length;
  }
  add(markup.length);
  return entries;
}

/** Cut between words, with a sign that it is. */
export function boundedText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1).toWellFormed();
  const space = cut.search(/\s\S*$/);
  return `${cut.slice(0, space > most / 2 ? space : cut.length).trimEnd()}…`;
}

/** 'CWE-416' however it is spelled; null for what is none. */
export function cweIdOf(written: string | null): string | null {
  const number = /^\s*(?:CWE[-\s]?)?(\d{1,6})\b/i.exec(written ?? '')?.[1];
  return number === undefined ? null : `CWE-${Number(number)}`;
}
