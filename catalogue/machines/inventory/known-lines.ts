/**
 * Caches the packages of lines for callers that read many inventories, because machines of one image print the same lines. A line
 * of rpm or dpkg has the same meaning anywhere, unless it could be a table's heading or a block's first line; such lines are not
 * cached.
 */
import type { InstalledPackage, InventoryFormat } from '../machine.ts';
import { isSharedArchitecture } from './architectures.ts';

export interface KnownLine {
  readonly format: InventoryFormat;
  readonly found: InstalledPackage;
}

/** Each line takes some hundred bytes. */
const maxLines = 100_000;
/** Package lines are short. */
const maxLength = 300;

export class KnownLines {
  readonly #lines = new Map<string, CachedLine>();
  readonly #intern: (found: InstalledPackage) => InstalledPackage;
  #last: CachedLine | null = null;

  /** @param intern Returns the object that represents equal packages; it must not keep strings of a text. */
  constructor(intern: (found: InstalledPackage) => InstalledPackage = detach) {
    this.#intern = intern;
  }

  get(text: string): KnownLine | undefined {
    // Lines usually follow each other as before, and one comparison is faster than a lookup.
    const guess = this.#last?.next;
    const found = guess?.text === text ? guess : this.#lines.get(text);
    if (found === undefined) return undefined;
    if (this.#last !== null) this.#last.next = found;
    this.#last = found;
    return found.known;
  }

  /** Clears the cache when it is full: common lines return soon. */
  add(text: string, known: KnownLine): void {
    if (text.length > maxLength || dependsOnText(text, known.found)) return;
    if (this.#lines.size >= maxLines) {
      this.#lines.clear();
      this.#last = null;
    }
    const line = detach(text);
    const own = { format: known.format, found: this.#intern(known.found) };
    this.#lines.set(line, { text: line, known: own, next: null });
  }
}

interface CachedLine {
  readonly text: string;
  readonly known: KnownLine;
  /** The line that followed it last. */
  next: CachedLine | null;
}

/** Copies plain data for caching: a string sliced from a text would keep the complete text in memory. */
export const detach = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/**
 * Returns whether the line has this meaning in some texts only. Without its architecture it is a package only where others are of
 * rpm, and with one that dpkg has too it is of either. Headings of following lines are `Label: value` of systeminfo, words without a number above the rows of dnf, and words that
 * end with dots or with `[done]` above those of apt and zypper.
 */
const dependsOnText = (text: string, { format, architecture }: InstalledPackage) =>
  (format === 'rpm' && architecture === null) ||
  (architecture !== null && isSharedArchitecture(architecture)) ||
  /[:：](?:\s|$)|(?:\.\.\.|…)|\]$|^\D*$/.test(text);

/** Returns whether a line changes the meaning of the line above: the ruler of a table, or the rest of a row that dnf wrapped. */
export const changesLineAbove = (text: string | undefined): boolean =>
  text !== undefined && (text.startsWith('-') || isDnfContinuation(text));

/** Most lines begin with a printable character of ASCII, which is faster to see than to match. */
function beginsVisibly(text: string): boolean {
  const first = text.charCodeAt(0);
  return first > 0x20 && first < 0x7f;
}

/** Matches the version and the repository of a row of `dnf list installed`, or one of them. */
export function isDnfContinuation(text: string): boolean {
  if (beginsVisibly(text)) return false;
  const [, first = '', second = ''] = /^\s+(\S{1,200})(?:\s+(\S{1,200}))?$/.exec(text) ?? [];
  const isVersion = first.includes('-') && /\d/.test(first);
  return second === '' ? isVersion || isRepository(first) : isVersion && isRepository(second);
}

const isRepository = (word: string) => word.startsWith('@') || word === 'installed';
