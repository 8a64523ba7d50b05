/**
 * Reads stanzas of fields, as Debian's archives write them (Packages, Sources, Release): `Name: value` lines, values folded over
 * lines that begin with a space, and blank lines between stanzas.
 * @see https://manpages.debian.org/deb822
 */
import type { Document } from '../definition/feed.ts';
import { BrokenDocument } from './create-document.ts';

/**
 * Values by requested name; undefined for absent fields. The lines of a folded value are joined by line breaks; a lone dot is an
 * empty line.
 */
export type Stanza<Name extends string> = { readonly [Key in Name]?: string };

/** Yields a batch for each piece of the document: an index has tens of thousands of stanzas, too many to await one by one. */
export async function* stanzaBatches<Name extends string>(
  document: Pick<Document, 'url' | 'chunks'>,
  names: readonly Name[],
): AsyncGenerator<Stanza<Name>[]> {
  const reader = new StanzaReader(document.url, names);
  let rest = '';
  for await (const chunk of document.chunks()) {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (rest.length > maxStanzaLength)
      throw new BrokenDocument(
        document.url,
        `a line is longer than ${maxStanzaLength.toLocaleString('en')} characters`,
      );
    const stanzas = reader.take(text.slice(0, end));
    if (stanzas.length > 0) yield stanzas;
  }
  const last = reader.end(rest);
  if (last.length > 0) yield last;
}

/** Reads the stanzas of a text in memory. */
export function parseStanzas<Name extends string>(
  text: string,
  names: readonly Name[],
  url: string,
): Stanza<Name>[] {
  const reader = new StanzaReader(url, names);
  const complete = text.endsWith('\n') ? text : `${text}\n`;
  return [...reader.take(complete), ...reader.end('')];
}

/** Limit of characters of one line, and of the requested fields of one stanza; far above any archive's. */
const maxStanzaLength = 16 * 1024 ** 2;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tab = 0x09;
const hash = 0x23;

class StanzaReader<Name extends string> {
  readonly #url: string;
  /** Requested names, also in lower case: field names are case-insensitive. */
  readonly #names: ReadonlyMap<string, Name>;
  #stanza: { [Key in Name]?: string } = {};
  /** True once the stanza has a field, requested or not. */
  #begun = false;
  #open: Name | null = null;
  #line = 0;
  /** Characters stored of the stanza. */
  #length = 0;

  constructor(url: string, names: readonly Name[]) {
    this.#url = url;
    // Most files use the usual case, so only unusual names need a second lookup.
    this.#names = new Map(
      names.flatMap((name) => [[name, name] as const, [name.toLowerCase(), name] as const]),
    );
  }

  /** @param text complete lines. */
  take(text: string): Stanza<Name>[] {
    const stanzas: Stanza<Name>[] = [];
    let at = 0;
    while (at < text.length) {
      let end = text.indexOf('\n', at);
      if (end === -1) end = text.length;
      this.#line += 1;
      const first = text.charCodeAt(at);
      if (first === lineFeed || end === at) this.#close(stanzas);
      else if (first === space || first === tab || first === carriageReturn)
        this.#folded(text.slice(at, end).trimEnd(), stanzas);
      else if (first !== hash) this.#field(text, at, end);
      at = end + 1;
    }
    return stanzas;
  }

  /** @param rest a last line without a line end. */
  end(rest: string): Stanza<Name>[] {
    const stanzas = rest === '' ? [] : this.take(rest);
    this.#close(stanzas);
    return stanzas;
  }

  #field(text: string, at: number, end: number): void {
    const colon = text.indexOf(':', at);
    if (colon === -1 || colon > end || colon === at) {
      throw new BrokenDocument(
        this.#url,
        `line ${this.#line} is not a field: ${text.slice(at, Math.min(end, at + 80))}`,
      );
    }
    const name = text.slice(at, colon);
    const wanted = this.#names.get(name) ?? this.#names.get(name.toLowerCase()) ?? null;
    this.#begun = true;
    this.#open = wanted;
    if (wanted === null) return;
    this.#grow(end - colon);
    this.#stanza[wanted] = text.slice(colon + 1, end).trim();
  }

  /** A line of spaces separates stanzas like an empty line. */
  #folded(line: string, stanzas: Stanza<Name>[]): void {
    if (line === '') return this.#close(stanzas);
    if (!this.#begun)
      throw new BrokenDocument(
        this.#url,
        `line ${this.#line} goes on with a field where none began`,
      );
    if (this.#open === null) return;
    this.#grow(line.length);
    this.#stanza[this.#open] += `\n${line === ' .' ? '' : line.slice(1)}`;
  }

  #grow(by: number): void {
    this.#length += by;
    if (this.#length > maxStanzaLength)
      throw new BrokenDocument(
        this.#url,
        `the stanza at line ${this.#line} is longer than ${maxStanzaLength.toLocaleString('en')} characters`,
      );
  }

  #close(stanzas: Stanza<Name>[]): void {
    this.#length = 0;
    if (this.#begun) stanzas.push(this.#stanza);
    this.#stanza = {};
    this.#begun = false;
    this.#open = null;
  }
}
