/** Where the records and values of a JSON text lie: records are the elements of arrays, and the members of an object that are objects alike. */
import type { RecordGroup, Span, TextOutline, ValueSpan } from './outline-spans.ts';

/** Null when it is no JSON. */
export function jsonOutline(text: string): TextOutline | null {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
  const reader = new JsonSpans(text);
  reader.read('', 0);
  return { groups: reader.groups, values: reader.values };
}

type Shape = ReadonlySet<string>;

/** Two or more objects, half of which have a member in common. */
function areAlike(shapes: readonly (Shape | null)[]): boolean {
  const counts = new Map<string, number>();
  for (const shape of shapes)
    for (const name of shape ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (
    shapes.length > 1 &&
    !shapes.includes(null) &&
    Math.max(0, ...counts.values()) * 2 >= shapes.length
  );
}

/** Reads what is known to be well formed. */
class JsonSpans {
  readonly groups: RecordGroup[] = [];
  readonly values: ValueSpan[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Answers the names of an object's members, '[]' for an array, null for all else. */
  read(name: string, depth: number): Shape | null {
    this.#skip();
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') return this.#readChildren(first, name, depth);
    const { start, end } = first === '"' ? this.#string() : this.#word();
    this.values.push({ name, start, end });
    return null;
  }

  #readChildren(open: '{' | '[', name: string, depth: number): Shape {
    const start = ++this.#at;
    const children: Span[] = [];
    const shapes: (Shape | null)[] = [];
    const own = new Set<string>(open === '[' ? ['[]'] : []);
    for (this.#skip(); !/[}\]]/.test(this.#text[this.#at] ?? '}'); this.#skip()) {
      const from = this.#at;
      let member = name;
      if (open === '{') {
        const key = this.#string();
        member = this.#text.slice(key.start, key.end);
        own.add(member);
        this.#skip();
        this.#at++;
      }
      shapes.push(this.read(member, depth + 1));
      children.push({ start: from, end: this.#at });
      this.#skip();
      if (this.#text[this.#at] === ',') this.#at++;
    }
    const room = { start, end: this.#at };
    this.#at++;
    if (children.length > 0 && (open === '[' || areAlike(shapes)))
      this.groups.push({ records: children, separator: ',', room, name, depth });
    return own;
  }

  /** Without its quotation marks. */
  #string(): Span {
    const start = this.#at + 1;
    let end = start;
    while (this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1;
    this.#at = end + 1;
    return { start, end };
  }

  #word(): Span {
    const start = this.#at;
    while (/[^\s,}\]]/.test(this.#text[this.#at] ?? ',')) this.#at++;
    return { start, end: this.#at };
  }

  #skip(): void {
    while (/[\s\uFEFF]/.test(this.#text[this.#at] ?? 'x')) this.#at++;
  }
}
