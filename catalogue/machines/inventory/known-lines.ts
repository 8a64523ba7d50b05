/**
 * Lines of packages that were read before, for who reads many inventories: machines of one image print the same lines. A line of rpm or
 * dpkg says the same wherever it stands, unless it could be the heading of a table or the first line of a block; those are not kept.
 */
import type { InstalledPackage, InventoryFormat } from '../machine.ts';

export interface KnownLine {
  readonly format: InventoryFormat;
  readonly found: InstalledPackage;
}

/** Each takes some hundred bytes. */
const maxLines = 100_000;
/** The lines of other tools are short too. */
const maxLength = 300;

export class KnownLines {
  readonly #lines = new Map<string, KeptLine>();
  #last: KeptLine | null = null;

  get(text: string): KnownLine | undefined {
    // Comparing with the line that came next before is sooner done than finding it among all.
    const guess = this.#last?.next;
    const found = guess?.text === text ? guess : this.#lines.get(text);
    if (found === undefined) return undefined;
    if (this.#last !== null) this.#last.next = found;
    this.#last = found;
    return found.known;
  }

  /** Forgets all lines when there are too many: those that are common come back soon. */
  keep(text: string, known: KnownLine): void {
    if (text.length > maxLength || isLabelled(text)) return;
    if (this.#lines.size >= maxLines) {
      this.#lines.clear();
      this.#last = null;
    }
    const [line, own] = ofItsOwn([text, known] as const);
    this.#lines.set(line, { text: line, known: own, next: null });
  }
}

interface KeptLine {
  readonly text: string;
  readonly known: KnownLine;
  /** The known line that followed it last. */
  next: KeptLine | null;
}

/** A copy of plain data to be kept: a string that was cut out of a text holds the whole text in memory. */
export const ofItsOwn = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** `Label: value`: systeminfo looks at the lines that follow. */
const isLabelled = (text: string) => /[:：](?:\s|$)/.test(text);

/** Whether a line changes the meaning of the line above: the ruler of winget's table, or the rest of a row that dnf wrapped. */
export const changesLineAbove = (text: string | undefined): boolean =>
  text !== undefined && (text.startsWith('-----') || isDnfContinuation(text));

/** Version and repository of a row of `dnf list installed`, or one of them. */
export function isDnfContinuation(text: string): boolean {
  const [, first = '', second = ''] = /^\s+(\S{1,200})(?:\s+(\S{1,200}))?$/.exec(text) ?? [];
  const isVersion = first.includes('-') && /\d/.test(first);
  return second === '' ? isVersion || isRepository(first) : isVersion && isRepository(second);
}

const isRepository = (word: string) => word.startsWith('@') || word === 'installed';
