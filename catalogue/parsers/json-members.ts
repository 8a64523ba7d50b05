/**
 * Reads the members of one large JSON object (`{"name": value, …}`) one by one, so that the complete document is never in memory.
 * Strict like jsonRecords: a broken or truncated document, trailing text, or anything but an object throws BrokenDocument.
 */
import type { Document } from '../definition/feed.ts';
import { BrokenDocument } from './create-document.ts';
import { isJsonSpace, JsonPiece, maxJsonDepth } from './json-piece.ts';

export interface JsonMember {
  readonly key: string;
  readonly value: unknown;
}

/** A repeated key is yielded each time. */
export async function* jsonMembers(
  document: Pick<Document, 'url' | 'chunks'>,
): AsyncGenerator<JsonMember> {
  const splitter = new MemberSplitter(document.url);
  for await (const chunk of document.chunks()) yield* splitter.take(chunk);
  splitter.end();
}

/** Far above any vendor's member; a document whose brackets never close must not fill the memory. */
const maxPieceLength = 64 * 1024 * 1024;

type Expected =
  | 'document'
  | 'first key'
  | 'key'
  | 'colon'
  | 'value'
  | 'next member'
  | 'nothing more';

/** The expectation after each structural character. */
const structure: Record<Expected, Readonly<Record<string, Expected>>> = {
  document: { '{': 'first key' },
  'first key': { '}': 'nothing more' },
  key: {},
  colon: { ':': 'value' },
  value: {},
  'next member': { ',': 'key', '}': 'nothing more' },
  'nothing more': {},
};

const startsKey: readonly Expected[] = ['first key', 'key'];

class MemberSplitter {
  readonly #url: string;
  readonly #piece = new JsonPiece();
  #expected: Expected = 'document';
  #key = '';
  /** Characters in the chunks before this one. */
  #before = 0;
  #at = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Yields the members that end in this chunk. */
  *take(chunk: string): Generator<JsonMember> {
    this.#at = 0;
    while (this.#at < chunk.length) {
      if (
        !this.#piece.underWay &&
        (isJsonSpace(chunk.charCodeAt(this.#at)) || this.#structure(chunk.charAt(this.#at)))
      ) {
        this.#at += 1;
        continue;
      }
      this.#at = this.#piece.take(chunk, this.#at);
      if (this.#piece.length > maxPieceLength)
        throw this.#broken(
          `a value is longer than ${maxPieceLength.toLocaleString('en')} characters`,
        );
      if (this.#piece.tooDeep)
        throw this.#broken(`a value is nested more than ${maxJsonDepth} deep`);
      const text = this.#piece.finished();
      if (text === null) continue;
      const value = this.#parse(text);
      if (this.#expected === 'value') {
        this.#expected = 'next member';
        yield { key: this.#key, value };
      } else {
        this.#expected = 'colon';
        this.#key = String(value);
      }
    }
    this.#before += chunk.length;
    this.#at = 0;
  }

  end(): void {
    if (this.#expected !== 'nothing more') throw this.#broken('it ends too early');
  }

  /** Returns true when the character belongs to the structure around keys and values. */
  #structure(character: string): boolean {
    const next = structure[this.#expected][character];
    if (next !== undefined) {
      this.#expected = next;
      return true;
    }
    if (
      startsKey.includes(this.#expected)
        ? character === '"'
        : this.#expected === 'value' && !',:]}'.includes(character)
    )
      return false;
    throw this.#broken(`${JSON.stringify(character)} is out of place`);
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#broken((error as Error).message);
    }
  }

  #broken(reason: string): BrokenDocument {
    return new BrokenDocument(
      this.#url,
      `it is not valid JSON near character ${this.#before + this.#at}: ${reason}`,
    );
  }
}
