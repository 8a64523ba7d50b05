/**
 * A feed turns one vendor's publication into entries. It opens no socket, touches no disk and takes no lock: it states which
 * documents it consists of, the sync engine fetches and verifies them, and the feed reads them.
 */
import type { FeedRemark } from './feed-remark.ts';
import type { Fields } from './fields.ts';
import type { DetailTables, ListDefinition, NewDetail, NewRow } from './list-definition.ts';
import type { PackageStatus } from './package-status.ts';
import type { RiskFacts, RiskSourceKey } from './risk-facts.ts';

export interface Checksum {
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  /** Lower-case hexadecimal. */
  readonly value: string;
}

export interface OpenOptions {
  /** Checksum of the bytes as served. The document is refused before it is read when the sum differs. */
  readonly checksum?: Checksum;
  /** Checksum of the decompressed bytes. */
  readonly openChecksum?: Checksum;
  /** Exact size of the decompressed bytes. */
  readonly openSize?: number;
  /** Largest size as served, in bytes. The fetcher's own limit applies when absent. */
  readonly maxBytes?: number;
  /** Hosts that a redirect may lead to, beside a configured mirror; absent: any host. */
  readonly redirectHosts?: readonly string[];
  /** Largest size once decompressed, in bytes. The feed's own limit applies when absent. */
  readonly maxOpenBytes?: number;
  /** The vendor's own version of this document. No request is made while it equals the version of the last good copy. */
  readonly version?: string;
  /**
   * Reads the last good copy, with a warning on the run, when the vendor cannot be reached or serves a broken document. Off by
   * default.
   */
  readonly lastGoodCopy?: boolean;
  /**
   * Reads a new document to its end before it replaces a good copy, because a document can open well and have no usable content.
   * Throws BrokenDocument.
   */
  readonly readThrough?: (document: Document) => Promise<void>;
}

/** A document that was fetched completely and verified; its bytes lie on disk and can be read more than once. */
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
  /** All of `chunks` in one string, for small documents only. Throws BrokenDocument on more than 64 MiB of characters. */
  text(): Promise<string>;
  /** The bytes as served, as a file, for archives that need random access. */
  file(): Promise<DocumentFile>;
}

/** A document as a file, alone in a new folder with room to unpack it. */
export interface DocumentFile {
  /** A path to read or remove, never to write to: it may be the engine's own copy. */
  readonly path: string;
  readonly folder: string;
  /** Reports the bytes of the document that were read since the last call. Throws when the run has been stopped. */
  taken(bytes: number): void;
  /** Removes the folder. The caller of `file()` must call it when it is done. */
  remove(): Promise<void>;
}

/** The engine's interface with which a feed finds its documents. */
export interface Publication {
  /**
   * Fetches conditionally and verifies. Throws NotPublished on 404 and 410, and FetchFailed on any other failure that retries do
   * not heal.
   */
  open(url: string, options?: OpenOptions): Promise<Document>;
  /**
   * Opens the listed rows of another list of the same source as a document at `list:<key>`; read it with `readListDocument`. Its
   * SHA-256 covers the rows' keys and contents, so a part that includes it is read again exactly when that list has changed.
   */
  openList(list: ListDefinition): Promise<Document>;
  /** Returns which of these natural keys the list already has (rows that are not withdrawn). */
  known(list: ListDefinition, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Returns the good copies that this part was last read from, without a request to the vendor; empty before the first reading.
   * With them a feed can still read documents that a vendor temporarily no longer lists.
   */
  readLast(): Promise<readonly Document[]>;
  /**
   * The facts that the part's `contents` asked to remember at its last reading; absent when there are none. They belong to the
   * part, not to an address, so they remain valid when the vendor moves.
   */
  readonly remembered?: Facts;
  /** Marks the copy of a document that was opened but could not be read, so that it is not reused the next time. */
  distrust?(url: string): Promise<void>;
  /**
   * Armored OpenPGP public keys that an administrator trusts for this source beside those that its feed pins, for mirrors that
   * sign with their own key.
   */
  readonly trustedKeys?: readonly string[];
  /** When this part was last read completely, epoch milliseconds; null when never. */
  readonly lastCompleteReadAt: number | null;
  /** Returns the facts that another part of this feed remembered at its last reading; null when there are none. */
  partRemembered?(part: string): Promise<Facts | null>;
  /** The engine's clock, epoch milliseconds. */
  now(): number;
}

/** The documents that a part consists of now. The part is not read again while none of them differs from the last reading. */
export interface PartManifest {
  readonly documents: readonly Document[];
  /** True when these are all documents that the vendor publishes for the part, so that rows no longer found in them are withdrawn. */
  readonly isComplete: boolean;
  /** Why another publication stands in for the part's usual one. Reported on every run, even when nothing has changed. */
  readonly standIn?: readonly FeedRemark[];
  /**
   * Remarks about the part's current publication that its documents alone do not show. Reported on every run, even when nothing
   * has changed; `read` need not repeat them.
   */
  readonly remarks?: readonly (Remark | Rejection)[];
  /**
   * Facts by name for the next call of `contents`: see `Publication.remembered`. They replace the facts remembered before once
   * the part counts as read.
   */
  readonly remember?: Facts;
}

export type Facts = Readonly<Record<string, string>>;

/**
 * A repository, a release or a complete feed: the unit that is read, verified and written separately. A failing part does not
 * affect the others.
 */
export interface FeedPart<Item> {
  /** Identifies the part in every version; the database stores it with what was written from the part. */
  readonly key: string;
  readonly label: string;
  readonly contents: (publication: Publication) => Promise<PartManifest>;
  /**
   * Reads what `contents` returned. Yields in any order, each natural key once. Throws when a document cannot be read to its end;
   * then nothing of the part is written.
   */
  readonly read: (contents: PartManifest) => AsyncIterable<Item | Rejection | Remark>;
}

/** A part whose entries become rows of lists. */
export type Part = FeedPart<Entry | Conclusion | PackageStatus>;

export interface Feed {
  readonly fills: readonly ListDefinition[];
  /** The publication's home page, for people. */
  readonly homepage: string;
  /** Five-field cron, UTC. */
  readonly schedule: string;
  /** Largest size that a document of this source may open to, in bytes; 1 GiB when absent, 4 GiB at most. */
  readonly maxOpenBytes?: number;
  /** Incremented when the reader's mapping changes, so that unchanged documents are read once more. */
  readonly version: number;
  readonly parts: readonly Part[];
  /** Parts beyond those that the product lists: a release that appeared after this version of the product. */
  readonly otherParts?: OtherParts;
}

/** A feed that fills no list: it yields facts about CVEs. */
export interface RiskFeed extends Omit<Feed, 'fills' | 'parts' | 'otherParts'> {
  readonly risk: RiskSourceKey;
  readonly fills: readonly never[];
  readonly parts: readonly FeedPart<RiskItem>[];
  readonly otherParts?: undefined;
}

export type AnyFeed = Feed | RiskFeed;

export type AnyPart = Part | FeedPart<RiskItem>;

export const isRiskFeed = (feed: AnyFeed): feed is RiskFeed => Object.hasOwn(feed, 'risk');

export interface OtherParts {
  /** Describes the allowed keys, with an example: 'a major release, such as 11'. */
  readonly words: string;
  /** Returns null when no such part can have the key. */
  readonly toPart: (key: string) => Part | null;
}

export interface Entry {
  readonly kind: 'entry';
  readonly list: ListDefinition;
  /** Natural key: identifies the record in every sync, unique within the list. */
  readonly key: string;
  /**
   * Natural keys that earlier versions, or other states of the documents, gave this record. Where the list has no row with the
   * key, a row with one of these takes it and keeps its id, unless another entry of the reading has that key.
   */
  readonly formerKeys?: readonly string[];
  readonly row: NewRow<Fields>;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The vendor's words that the reader cannot map. The engine reports each once per part, with a count and an example. */
  readonly unknownWords?: readonly UnknownWord[];
}

/** A word of a vendor's vocabulary that this version does not know, such as a severity `urgent`. The detail stores it as written. */
export interface UnknownWord {
  /** The vocabulary that the word belongs to: 'severity', 'category', 'priority'. */
  readonly vocabulary: string;
  readonly word: string;
  /** The word that the list shows instead; null when it shows the word itself. */
  readonly shownAs: string | null;
}

/** A vendor's record that cannot be imported, with a reason for administrators. */
export interface Rejection {
  readonly kind: 'rejection';
  /** Identifies the record: its id, or its position in the document. */
  readonly rejected: string;
  /**
   * The natural keys that the record's rows would have; `rejected` itself when absent. The vendor still lists them, so their rows
   * are not withdrawn.
   */
  readonly keys?: readonly string[];
  readonly reason: string;
  readonly url: string;
}

/** A message for administrators that rejects no record. Every run reports it until a reading no longer yields it. */
export interface Remark {
  readonly kind: 'remark';
  readonly remark: string;
  /** Natural keys of the records that the remark is about; absent when it is about the part. */
  readonly keys?: readonly string[];
  /** Addresses of the documents whose last copy was read, where that is what the remark reports. */
  readonly copies?: readonly string[];
  /** When the remark ends by itself, epoch milliseconds. */
  readonly until?: number;
}

/**
 * Values for a record of another part, computed from everything that the parts publish together. They override that part's own
 * values in fields and facts that the list declares as `concluded`, and remain when the other part writes the record again.
 */
export interface Conclusion {
  readonly kind: 'conclusion';
  readonly list: ListDefinition;
  /** Natural key of the record. A key that the list does not have is ignored. */
  readonly key: string;
  /** Values by field and fact name. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A risk source's facts about one CVE. */
export interface RiskItem {
  readonly kind: 'risk';
  readonly facts: RiskFacts;
}

export type FeedItem = Entry | Conclusion | Rejection | Remark | PackageStatus;

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

export const createRemark = (remark: string): Remark => ({ kind: 'remark', remark });

/** @param keys see `Rejection.keys` */
export function createRejection(
  rejected: string,
  reason: string,
  url: string,
  keys?: readonly string[],
): Rejection {
  return { kind: 'rejection', rejected, ...(keys !== undefined && { keys }), reason, url };
}
