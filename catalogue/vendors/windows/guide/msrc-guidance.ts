/** Guidance of the security update guide about a vulnerability: questions, advice and weaknesses. */
import type { CvrfVulnerability } from '../../../parsers/cvrf-document.ts';
import { htmlToText } from '../../../schemas/html-to-text.ts';

export interface FaqEntry {
  /** One line; null for words that answer no question. */
  readonly question: string | null;
  readonly answer: string | null;
}

export const adviceKinds = ['Workaround', 'Mitigation'] as const;

export interface Advice {
  readonly kind: (typeof adviceKinds)[number];
  readonly text: string;
  /** Empty when the advice applies to all. */
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

/** Characters of an answer or advice. Microsoft's longest until 2026 has about 12,000. */
export const maxTextLength = 20_000;
const maxQuestionLength = 1000;
/** Characters of markup that are read; its text is shorter. */
const maxMarkupLength = 200_000;

/** Reads equal notes once: a third of a month's vulnerabilities share theirs. */
export class GuidanceReader {
  readonly #faqs = new Map<string, readonly FaqEntry[]>();
  readonly #texts = new Map<string, string>();
  readonly #intern: (text: string) => string;

  /** @param intern interns a text, so that equal texts share memory */
  constructor(intern: (text: string) => string) {
    this.#intern = intern;
  }

  read({ notes, remediations, weaknesses }: CvrfVulnerability): Guidance {
    return {
      faq: notes.flatMap(({ type, text }) =>
        type === 'FAQ' && text !== null ? this.#readFaq(text) : [],
      ),
      advice: remediations.flatMap(({ type, description, products }) => {
        const kind = adviceKinds.find((known) => known === type);
        const text = description === null || kind === undefined ? '' : this.#readText(description);
        return kind === undefined || text === ''
          ? []
          : { kind, text, products: products.map((id) => this.#intern(id)) };
      }),
      weaknesses: weaknesses.flatMap(({ id, name }) => {
        const cwe = parseCweId(id);
        return cwe === null
          ? []
          : { id: this.#intern(cwe), name: name === null ? null : this.#intern(name) };
      }),
    };
  }

  #readFaq(html: string): readonly FaqEntry[] {
    const known = this.#faqs.get(html);
    if (known !== undefined) return known;
    const entries = parseFaq(html).map(({ question, answer }) => ({
      question: question === null ? null : this.#intern(question),
      answer: answer === null ? null : this.#intern(answer),
    }));
    this.#faqs.set(this.#intern(html), entries);
    return entries;
  }

  #readText(html: string): string {
    const known = this.#texts.get(html);
    if (known !== undefined) return known;
    const text = this.#intern(
      shortenText(htmlToText(html.slice(0, maxMarkupLength)), maxTextLength),
    );
    this.#texts.set(this.#intern(html), text);
    return text;
  }
}

/** Matches a paragraph that begins in bold: its bold words without nested paragraphs or bold text, and whether it ends there. */
const boldStart = /<p\b[^<>]*>\s*<(strong|b)>((?:(?!<\/?(?:strong|b|p)\b)[^])*)<\/\1>(\s*<\/p>)?/gi;

/** Questions are bold at the start of a paragraph; text before the first one answers none. */
export function parseFaq(html: string): FaqEntry[] {
  const markup = html.slice(0, maxMarkupLength);
  const entries: FaqEntry[] = [];
  let question: string | null = null;
  let from = 0;
  const add = (until: number) => {
    const answer = shortenText(htmlToText(markup.slice(from, until)), maxTextLength) || null;
    if (question !== null || answer !== null) entries.push({ question, answer });
  };
  for (const found of markup.matchAll(boldStart)) {
    const words = shortenText(
      htmlToText(found[2] ?? '').replaceAll(/\s+/g, ' '),
      maxQuestionLength,
    );
    // 'Note:' in bold begins an answer.
    if (words === '' || (found[3] === undefined && !words.endsWith('?'))) continue;
    add(found.index);
    question = words;
    from = found.index + found[0].length;
  }
  add(markup.length);
  return entries;
}

/**
 * Shortens between words, with an ellipsis.
 * @param maxLength characters
 */
export function shortenText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1).toWellFormed();
  const space = cut.search(/\s\S*$/);
  return `${cut.slice(0, space > maxLength / 2 ? space : cut.length).trimEnd()}…`;
}

/** Returns 'CWE-416' for any spelling; null for other words. */
export function parseCweId(written: string | null): string | null {
  const number = /^\s*(?:CWE[-\s]?)?(\d{1,6})\b/i.exec(written ?? '')?.[1];
  return number === undefined ? null : `CWE-${Number(number)}`;
}
