/**
 * How one vendor's publication becomes entries. A feed opens no socket, touches no disk and knows no lock: it says which
 * documents it is made of, the sync engine fetches and verifies them, and the feed reads them.
 */
import type { FeedRemark } from './feed-remark.ts';
import type { Fields } from './fields.ts';
import type { DetailTables, ListDefinition, NewDetail, NewRow } from './list-definition.ts';
import type { RiskFacts, RiskSourceKey } from './risk-facts.ts';

export interface Checksum {
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  /** Lower-case hexadecimal. */
  readonly value: string;
}

export interface OpenOptions {
  /** Of the bytes as served; another sum fails the document before anything is read from it. */
  readonly checksum?: Checksum;
  /** Of the decompressed bytes. */
  readonly openChecksum?: Checksum;
  /** Exact size of the decompressed bytes. */
  readonly openSize?: number;
  /** Largest size as served, in bytes. The fetcher's own limit applies when absent. */
  readonly maxBytes?: number;
  /** Hosts that a redirect may lead to, beside the mirror that is set; absent: any host. */
  readonly redirectHosts?: readonly string[];
  /** Largest size once decompressed, in bytes. The feed's own limit applies when absent. */
  readonly maxOpenBytes?: number;
  /** The vendor's own word for the state of this document. While it equals the one kept with the good copy, no request is made. */
  readonly version?: string;
  /** When the vendor cannot be reached or serves a broken document: read the last good copy, with a warning on the run. Off by default. */
  readonly lastGoodCopy?: boolean;
  /** Reads a new document to its end before it takes the place of a good copy: it can open well and still say nothing. Throws BrokenDocument. */
  readonly readThrough?: (document: Document) => Promise<void>;
}

/** A document that was fetched whole and verified; its bytes lie on disk and can be read more than once. */
export interface Document {
  readonly url: string;
  /** SHA-256 of the bytes as served, lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes as served. */
  readonly size: number;
  /** When the vendor says it was last modified, epoch milliseconds; null when it does not say. */
  readonly lastModified: number | null;
  /** Decompressed by its magic bytes. Throws on a broken archive, at its end at the latest. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Decompressed, as strict UTF-8 (a byte order mark is dropped) cut only between characters. Throws on a byte that is not UTF-8. */
  chunks(): AsyncIterable<string>;
  /** All of `chunks` in one string. Only for documents that are small; throws BrokenDocument on more than 64 MiB of characters. */
  text(): Promise<string>;
  /** The bytes as served, as a file: for archives whose reader jumps about in them. */
  file(): Promise<DocumentFile>;
}

/** A document as a file, alone in a new folder with room to unpack it. */
export interface DocumentFile {
  /** To be read or removed, never written to: it may be the engine's own copy. */
  readonly path: string;
  readonly folder: string;
  /** Bytes of the document that have been read since the last call: tells the run how far it is, and throws when it has been stopped. */
  taken(bytes: number): void;
  /** Removes the folder; the caller that asked for the file must call this when it is done. */
  remove(): Promise<void>;
}

/** What the engine gives a feed to find its documents with. */
export interface Publication {
  /** Fetches by condition and verifies. Throws NotPublished on 404 and 410, FetchFailed on anything else that does not heal by retrying. */
  open(url: string, options?: OpenOptions): Promise<Document>;
  /**
   * The listed rows of another list of the same source as a document at `list:<key>`; read it with `readListDocument`. Its SHA-256
   * is over the rows' keys and contents: a part whose contents name it is read again exactly when that list has changed.
   */
  openList(list: ListDefinition): Promise<Document>;
  /** Which of these natural keys the list already has (rows that are not withdrawn). */
  known(list: ListDefinition, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The good copies of what this part was last read from, without asking the vendor; empty before the first reading. For a
   * vendor that loses documents at times: what it does not name any more can still be read.
   */
  readLast(): Promise<readonly Document[]>;
  /**
   * What the contents of this part asked to be remembered when it was last read: of the part, not of an address, so that it holds when
   * the vendor moves. Absent when nothing was.
   */
  readonly remembered?: Facts;
  /** For a part that goes on without a document that it opened and could not read: its copy is not believed the next time. */
  distrust?(url: string): Promise<void>;
  /** Armored OpenPGP public keys that an administrator trusts for this source beside those its feed pins: those of a mirror that signs with its own key. */
  readonly trustedKeys?: readonly string[];
  /** When this part was last read whole, epoch milliseconds; null when never. */
  readonly readWholeAt: number | null;
  /** What another part of this feed remembered when it was last read; null when nothing or never. */
  partRemembered?(part: string): Promise<Facts | null>;
  /** The engine's clock, epoch milliseconds. */
  now(): number;
}

/** The documents a part is made of now. When none differs from what was read last, the part is not read again. */
export interface PartManifest {
  readonly documents: readonly Document[];
  /** True: these are all that the vendor publishes for the part, so that rows not met any more are withdrawn. */
  readonly whole: boolean;
  /** Another publication stands in for the one that the part is made of: why. Reported on every run, even when nothing has changed. */
  readonly standIn?: readonly FeedRemark[];
  /**
   * Remarks about the part as it is published now that its documents alone do not show. Reported on every run, even when
   * nothing has changed; `read` need not repeat them.
   */
  readonly remarks?: readonly (Remark | Rejection)[];
  /**
   * Facts by name for the next time the part's contents are asked for: see `Publication.remembered`. They take the place of those
   * remembered before when the part counts as read.
   */
  readonly remember?: Facts;
}

export type Facts = Readonly<Record<string, string>>;

/** A repository, a release, a whole feed: what is read, verified and written apart. One that fails leaves the others standing. */
export interface PartOf<Item> {
  /** Stable: what was written from a part is known by it. */
  readonly key: string;
  readonly label: string;
  readonly contents: (publication: Publication) => Promise<PartManifest>;
  /**
   * Is given what `contents` gave. Yields in any order, each natural key once. Throws when a document cannot be read to its end:
   * nothing of the part is then written.
   */
  readonly read: (contents: PartManifest) => AsyncIterable<Item | Rejection | Remark>;
}

/** A part whose entries become rows of lists. */
export type Part = PartOf<Entry | Conclusion | UnfixedVulnerability>;

export interface Feed {
  readonly fills: readonly ListDefinition[];
  /** The publication's home page, for people. */
  readonly homepage: string;
  /** Five-field cron, UTC. */
  readonly schedule: string;
  /** Largest size that a document of this source may open to, in bytes; 1 GiB when absent, 4 GiB at most. */
  readonly maxOpenBytes?: number;
  /** Raised when the reader maps differently, so that unchanged documents are read once more. */
  readonly version: number;
  readonly parts: readonly Part[];
  /** Parts beyond those that an administrator can name: a release that appeared after this version of the product. */
  readonly otherParts?: OtherParts;
}

/** A feed that fills no list: it says what it knows of CVEs. */
export interface RiskFeed extends Omit<Feed, 'fills' | 'parts' | 'otherParts'> {
  readonly risk: RiskSourceKey;
  readonly fills: readonly never[];
  readonly parts: readonly PartOf<RiskItem>[];
  readonly otherParts?: undefined;
}

export type AnyFeed = Feed | RiskFeed;

export type AnyPart = Part | PartOf<RiskItem>;

export const isRiskFeed = (feed: AnyFeed): feed is RiskFeed => Object.hasOwn(feed, 'risk');

export interface OtherParts {
  /** What a key may be, with an example: 'a major release, such as 11'. */
  readonly words: string;
  /** Null: no key of such a part. */
  readonly partOf: (key: string) => Part | null;
}

export interface Entry {
  readonly kind: 'entry';
  readonly list: ListDefinition;
  /** Natural key: the same record has it in every sync, no other record of the list has it. */
  readonly key: string;
  /**
   * Natural keys by which earlier versions, or other states of the documents, knew this record. Where the list has no row with the
   * key, a row with one of these takes it and keeps its id, unless another entry of the reading has that key.
   */
  readonly formerKeys?: readonly string[];
  readonly row: NewRow<Fields>;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The vendor's words that the reader has no mapping for. The engine reports each once per part, with a count and an example. */
  readonly unknownWords?: readonly UnknownWord[];
}

/** A word of a vendor's vocabulary that this version does not know: a severity `urgent`. The detail keeps the word as it was written. */
export interface UnknownWord {
  /** What the word is: 'severity', 'category', 'priority'. */
  readonly vocabulary: string;
  readonly word: string;
  /** What the list shows in its place; null when it shows the word itself. */
  readonly shownAs: string | null;
}

/** A vendor's record that is kept out, with the reason an administrator can understand. */
export interface Rejection {
  readonly kind: 'rejection';
  /** What names the record: its id, or its place in the document. */
  readonly rejected: string;
  /** The natural keys that its rows would have: the vendor still lists them, so rows known by them are not withdrawn. `rejected` itself when absent. */
  readonly keys?: readonly string[];
  readonly reason: string;
  readonly url: string;
}

/** Something an administrator should know of, that keeps no record out. Every run reports it until a reading no longer yields it. */
export interface Remark {
  readonly kind: 'remark';
  readonly remark: string;
  /** Natural keys of the records that it is about; absent where it is about the part. */
  readonly keys?: readonly string[];
  /** Addresses of the documents whose last copy was read, where the remark says so. */
  readonly copies?: readonly string[];
  /** When it ends by itself, epoch milliseconds. */
  readonly until?: number;
}

/** What the vendor knows of a release and has not fixed there. All of a part take the place of those of its last reading. */
export interface UnfixedVulnerability {
  readonly kind: 'unfixed';
  /** As the vendor's list writes it: Debian 11. */
  readonly release: string;
  /** The source package. */
  readonly package: string;
  readonly cve: string;
}

/**
 * A record of another part, seen with everything that the parts publish together: its values take the place of that part's own in
 * fields and facts that the list declares as `concluded`. They stay when the other part writes the record again.
 */
export interface Conclusion {
  readonly kind: 'conclusion';
  readonly list: ListDefinition;
  /** Natural key of the record. One that is not listed is passed over. */
  readonly key: string;
  /** By the names of fields and facts. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** What a risk source says about one CVE. */
export interface RiskItem {
  readonly kind: 'risk';
  readonly facts: RiskFacts;
}

export type FeedItem = Entry | Conclusion | Rejection | Remark | UnfixedVulnerability;

export function entry<
  F extends Fields,
  Key extends string,
  DF extends Fields,
  DT extends DetailTables,
>(
  list: ListDefinition<F, Key, DF, DT>,
  key: string,
  row: NewRow<F>,
  detail: NewDetail<DF, DT>,
  unknownWords: readonly UnknownWord[] = [],
): Entry {
  return {
    kind: 'entry',
    list,
    key,
    row,
    detail,
    ...(unknownWords.length > 0 && { unknownWords }),
  };
}
