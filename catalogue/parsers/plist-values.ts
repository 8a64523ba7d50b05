/** Reads Apple's property lists in XML as plain values. The DOCTYPE is never loaded, and a binary list is refused. */
import { SaxesParser } from 'saxes';
import type { Document } from '../definition/feed.ts';
import { BrokenDocument, convertFaults } from './create-document.ts';

/** A date is a string as written; so is an integer that a double cannot represent exactly. */
export type PlistValue = string | number | boolean | Uint8Array | PlistValue[] | PlistDictionary;

export interface PlistDictionary {
  [key: string]: PlistValue;
}

type Readable = Pick<Document, 'url' | 'chunks'>;

/**
 * Yields the members of one dictionary inside of the outermost one (`Products` of a catalogue) one by one, so that a large list
 * is never completely in memory. Throws BrokenDocument when the list is not well formed, truncated, or without that dictionary.
 */
export async function* plistMembers(
  document: Readable,
  name: string,
): AsyncGenerator<readonly [key: string, value: PlistValue]> {
  const reader = new PlistReader(name);
  yield* convertFaults(document.url, NoPlist, readMembers(document, reader));
  if (!reader.found) throw new BrokenDocument(document.url, `it has no dictionary "${name}"`);
}

/** Returns the outermost dictionary of a small list. Throws BrokenDocument like `plistMembers`. */
export async function plistDictionary(document: Readable): Promise<PlistDictionary> {
  const reader = new PlistReader(null);
  for await (const _ of convertFaults(document.url, NoPlist, readMembers(document, reader)));
  return reader.outermost;
}

/** Returns a member of a dictionary; undefined if none exists. */
export function plistMember(value: PlistValue | undefined, key: string): PlistValue | undefined {
  return isDictionary(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function isDictionary(value: PlistValue | undefined): value is PlistDictionary {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array);
}

async function* readMembers(document: Readable, reader: PlistReader) {
  for await (const chunk of document.chunks()) {
    reader.write(chunk);
    yield* reader.members.splice(0);
  }
  reader.close();
  yield* reader.members.splice(0);
}

class NoPlist extends Error {
  override readonly name = 'NoPlist';
}

/** A dictionary or an array whose end is not read yet; `key` waits for its value. */
interface Open {
  readonly value: PlistDictionary | PlistValue[];
  key: string | null;
}

class PlistReader {
  /** Completed members of the wanted dictionary that are not yet yielded. */
  readonly members: (readonly [string, PlistValue])[] = [];
  readonly outermost: PlistDictionary = dictionary();
  found = false;
  readonly #wanted: string | null;
  readonly #parser = new SaxesParser({ xmlns: false });
  readonly #open: Open[] = [];
  #text = '';
  #begun = false;
  #rootMet = false;
  #outermostMet = false;

  constructor(wanted: string | null) {
    this.#wanted = wanted;
    this.#parser.on('error', (error) => {
      throw new NoPlist(
        `not well formed at line ${this.#parser.line}: ${error.message.replace(/^(.*?:)?\d+:\d+: /, '').replace(/\.$/, '')}`,
      );
    });
    this.#parser.on('opentag', ({ name }) => this.#opened(name));
    this.#parser.on('text', (text) => {
      this.#text += text;
    });
    this.#parser.on('cdata', (text) => {
      this.#text += text;
    });
    this.#parser.on('closetag', ({ name }) => this.#closed(name));
  }

  write(chunk: string): void {
    const start = this.#begun ? '<' : chunk.trimStart().slice(0, 6);
    if (start.startsWith('bplist'))
      throw new NoPlist('it is a binary property list, which is not supported');
    if (start !== '' && !start.startsWith('<')) throw new NoPlist('it is not XML');
    this.#begun ||= start !== '';
    this.#parser.write(chunk);
  }

  close(): void {
    this.#parser.close();
    if (!this.#outermostMet) throw new NoPlist('it has no outermost dictionary');
  }

  #opened(name: string): void {
    this.#text = '';
    if (!this.#rootMet) {
      this.#rootMet = true;
      if (name !== 'plist') throw new NoPlist(`its outermost element is <${name}>, not <plist>`);
    } else if (this.#open.length === 0) {
      if (name !== 'dict' || this.#outermostMet)
        throw new NoPlist(`<${name}> lies where its outermost dictionary belongs`);
      this.#outermostMet = true;
      this.#open.push({ value: this.outermost, key: null });
    } else if (name === 'dict' || name === 'array') {
      this.#found(name);
      this.#open.push({ value: name === 'dict' ? dictionary() : [], key: null });
    }
  }

  #found(name: string): void {
    if (this.#wanted === null || this.#open.length !== 1 || this.#open[0]?.key !== this.#wanted)
      return;
    if (name !== 'dict') throw new NoPlist(`"${this.#wanted}" is not a dictionary`);
    this.found = true;
  }

  #closed(name: string): void {
    if (name === 'plist') return;
    const container = this.#open.at(-1);
    if (name === 'key') {
      if (container !== undefined) container.key = this.#text;
    } else if (name === 'dict' || name === 'array') {
      this.#open.pop();
      if (container !== undefined && this.#open.length > 0) this.#add(container.value);
    } else {
      this.#add(scalar(name, this.#text));
    }
    this.#text = '';
  }

  #add(value: PlistValue): void {
    const container = this.#open.at(-1);
    if (container === undefined) return;
    if (Array.isArray(container.value)) {
      container.value.push(value);
      return;
    }
    const { key } = container;
    container.key = null;
    if (key === null) throw new NoPlist(`a value without a key at line ${this.#parser.line}`);
    // Members of a wanted dictionary are yielded at once; the other values of the outermost one are then not needed.
    if (this.#wanted === null || this.#open.length > 2) container.value[key] = value;
    else if (this.#open.length === 2 && this.#open[0]?.key === this.#wanted)
      this.members.push([key, value]);
  }
}

/** Has no prototype, because a vendor's key can be `__proto__`. */
function dictionary(): PlistDictionary {
  return Object.create(null) as PlistDictionary;
}

function scalar(name: string, text: string): PlistValue {
  switch (name) {
    case 'string':
      return text;
    case 'date':
      return text.trim();
    case 'true':
      return true;
    case 'false':
      return false;
    case 'integer': {
      const number = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
      return Number.isSafeInteger(number) ? number : text.trim();
    }
    case 'real':
      return Number.parseFloat(text);
    case 'data':
      return Buffer.from(text, 'base64');
    default:
      throw new NoPlist(`<${name}> is not a value of a property list`);
  }
}
