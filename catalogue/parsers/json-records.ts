/**
 * Reads the elements of one large JSON array, or the members of one large object, one by one, so that the complete document is never in
 * memory.
 *
 * The array is the document itself (`[…]`), or a member of an outermost object with one of the given names (`{"schema_version":
 * …, "data": […]}`). Strict: every character is checked, and a broken or truncated document, trailing text, or a missing array
 * throws BrokenDocument.
 */
import type { Document } from '../definition/feed.ts';
import { BrokenDocument } from './create-document.ts';
import { isJsonSpace, JsonPiece, maxJsonDepth, type OmittedMembers } from './json-piece.ts';

export interface JsonRecord {
  /** As the vendor wrote it, except for omitted members. */
  readonly text: string;
  /** Parsed; an integer that a double cannot represent exactly is a string of its digits. */
  readonly value: unknown;
}

/** @param omitted members whose values may become null and are not validated: only for documents with a verified checksum, or with a complete second reading. */
export async function* jsonRecords(
  document: Pick<Document, 'url' | 'chunks'>,
  name: string | readonly string[],
  omitted?: OmittedMembers,
): AsyncGenerator<JsonRecord> {
  const splitter = new RecordSplitter(document.url, [name].flat(), omitted);
  for await (const chunk of document.chunks()) {
    for (const text of splitter.take(chunk)) yield { text, value: splitter.parse(text) };
  }
  splitter.end();
}

export interface JsonMember {
  readonly key: string;
  readonly value: unknown;
}

/** Yields the members of the outermost object (`{"name": value, …}`); a repeated key each time. */
export async function* jsonMembers(
  document: Pick<Document, 'url' | 'chunks'>,
): AsyncGenerator<JsonMember> {
  const splitter = new RecordSplitter(document.url, null);
  for await (const chunk of document.chunks()) {
    for (const text of splitter.take(chunk))
      yield { key: splitter.key, value: splitter.parse(text) };
  }
  splitter.end();
}

/** Far above any vendor's record; a document whose brackets never close must not fill the memory. */
const maxPieceLength = 64 * 1024 * 1024;

type Expected =
  | 'document'
  | 'first key'
  | 'key'
  | 'colon'
  | 'member'
  | 'next member'
  | 'first element'
  | 'element'
  | 'next element'
  | 'nothing more';

/** Walks the outermost level of a document; every value on it is a piece for JSON.parse. */
class RecordSplitter {
  readonly #url: string;
  readonly #names: readonly string[] | null;
  readonly #piece: JsonPiece;
  #expected: Expected = 'document';
  /** Of the member that ended last. */
  key = '';
  #inEnvelope = false;
  #found = false;
  /** Characters in the chunks before this one. */
  #before = 0;
  #at = 0;

  /** @param names of the array; null for the members of an object, which are then the records */
  constructor(url: string, names: readonly string[] | null, omitted?: OmittedMembers) {
    this.#url = url;
    this.#names = names;
    this.#piece = new JsonPiece(omitted);
  }

  get #array(): string {
    return (this.#names ?? []).map((name) => `"${name}"`).join(' or ');
  }

  /** Yields the records that end in this chunk. */
  *take(chunk: string): Generator<string> {
    this.#at = 0;
    while (this.#at < chunk.length) {
      if (!this.#piece.underWay) {
        if (isJsonSpace(chunk.charCodeAt(this.#at)) || this.#structure(chunk.charAt(this.#at))) {
          this.#at += 1;
          continue;
        }
      }
      this.#at = this.#piece.take(chunk, this.#at);
      if (this.#piece.length > maxPieceLength)
        throw this.#broken(
          `a value is longer than ${maxPieceLength.toLocaleString('en')} characters`,
        );
      if (this.#piece.tooDeep)
        throw this.#broken(`a value is nested more than ${maxJsonDepth} deep`);
      const text = this.#piece.finished();
      if (text !== null && this.#advance(text)) yield text;
    }
    this.#before += chunk.length;
    this.#at = 0;
  }

  end(): void {
    if (this.#expected !== 'nothing more') throw this.#broken('it ends too early');
    if (!this.#found && this.#names !== null)
      throw new BrokenDocument(this.#url, `it has no array ${this.#array}`);
  }

  parse(text: string): unknown {
    try {
      const isExact = this.#names !== null && unsafeNumber.test(text);
      return isExact ? parseWithSource(text, exactly) : JSON.parse(text);
    } catch (error) {
      throw this.#broken((error as Error).message);
    }
  }

  /** Returns true when the character belongs to the structure around the pieces. */
  #structure(character: string): boolean {
    const next = (this.#names === null ? objectStructure : structure)[this.#expected][character];
    if (next === undefined) {
      if (startsPiece[this.#expected](character)) return false;
      throw this.#broken(`${JSON.stringify(character)} is out of place`);
    }
    if (character === '{') this.#inEnvelope = true;
    if (character === '[') {
      if (this.#expected === 'member' && this.#names?.includes(this.key) !== true) return false;
      if (this.#found) throw this.#broken(`there is a second array ${this.#array}`);
      this.#found = true;
    }
    this.#expected = character === ']' && this.#inEnvelope ? 'next member' : next;
    return true;
  }

  /** Advances the expectation behind the piece; returns true when it is a record. */
  #advance(text: string): boolean {
    if (this.#expected === 'first element' || this.#expected === 'element') {
      this.#expected = 'next element';
      return true;
    }
    if (this.#expected === 'member') {
      this.#expected = 'next member';
      if (this.#names === null) return true;
      this.parse(text);
    } else {
      this.key = String(this.parse(text));
      this.#expected = 'colon';
    }
    return false;
  }

  #broken(reason: string): BrokenDocument {
    return new BrokenDocument(
      this.#url,
      `it is not valid JSON near character ${this.#before + this.#at}: ${reason}`,
    );
  }
}

/** The expectation after each structural character. */
const structure: Record<Expected, Readonly<Record<string, Expected>>> = {
  document: { '{': 'first key', '[': 'first element' },
  'first key': { '}': 'nothing more' },
  key: {},
  colon: { ':': 'member' },
  member: { '[': 'first element' },
  'next member': { ',': 'key', '}': 'nothing more' },
  'first element': { ']': 'nothing more' },
  element: {},
  'next element': { ',': 'element', ']': 'nothing more' },
  'nothing more': {},
};

/** Of a document whose members are the records: a list is a value like any other. */
const objectStructure: typeof structure = {
  ...structure,
  document: { '{': 'first key' },
  member: {},
};

const never = (): boolean => false;
const quote = (character: string): boolean => character === '"';
const anyValue = (character: string): boolean => !',:]}'.includes(character);
const startsPiece: Record<Expected, (character: string) => boolean> = {
  document: never,
  'first key': quote,
  key: quote,
  colon: never,
  member: anyValue,
  'next member': never,
  'first element': anyValue,
  element: anyValue,
  'next element': never,
  'nothing more': never,
};

/** An integer of sixteen digits can exceed 2^53. In a string it only causes the slower parsing. */
const unsafeNumber = /(?:^|[\s:,[-])\d{16,}(?:[\s,\]}]|$)/;

/** ES2026 has the third argument; the compiler's library does not have it yet. */
type ParseWithSource = (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;
const parseWithSource = JSON.parse as ParseWithSource;

function exactly(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  const exact =
    typeof value !== 'number' ||
    Number.isSafeInteger(value) ||
    !/^-?\d+$/.test(context.source ?? '');
  return exact ? value : context.source;
}
