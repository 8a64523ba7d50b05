/** The head of a published tree: which revision of each list is published, signed by two roles. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { largestIndex, Segment } from './tree-index.ts';
import { TreeRefusal } from './tree-refusal.ts';
import { type TreeRoot, treeFormat, treeName } from './tree-root.ts';
import {
  isValidFor,
  parseTreeLine,
  signatureLine,
  splitLines,
  type TreeSigner,
} from './tree-signatures.ts';

export const headPath = 'head.jsonl';
export const largestHead = 262_144;

const count = z.number().int().min(0);
const digest = z.string().regex(/^[\da-f]{64}$/);

const Timestamp = z.object({
  role: z.literal('timestamp'),
  format: z.literal(treeFormat),
  version: count,
  expires: count,
  catalogue: z.object({ version: count, sha256: digest, bytes: count }),
});

export const Catalogue = z.object({
  role: z.literal('catalogue'),
  format: z.literal(treeFormat),
  version: count,
  epoch: treeName,
  /** The newest version of the root. */
  root: count,
  time: count,
  expires: count,
});
export type Catalogue = z.infer<typeof Catalogue>;

/** The published state of a list. */
export const HeadList = z.object({
  list: treeName,
  /** Null: the list belongs to no family. */
  family: treeName.nullable(),
  revision: count,
  /** Listed records. */
  rows: count,
  digest: z.string().regex(/^[\da-f]{32}$/),
  /** The last segment: all that a reader needs who has the revision before it. */
  newest: Segment,
  index: z.object({ sha256: digest, bytes: count.max(largestIndex) }),
});
export type HeadList = z.infer<typeof HeadList>;

/** Versions of the last head that was accepted. */
export const SeenHead = z.object({ version: count, catalogue: count, sha256: digest });
export type SeenHead = z.infer<typeof SeenHead>;

export interface Head {
  readonly expires: number;
  readonly catalogue: Catalogue;
  readonly lists: readonly HeadList[];
  /** To be stored, and given with the next head. */
  readonly seen: SeenHead;
}

export interface HeadToWrite {
  readonly timestamp: { readonly version: number; readonly expires: number };
  readonly catalogue: Omit<Catalogue, 'role' | 'format'>;
  readonly lists: readonly HeadList[];
  readonly signers: { readonly timestamp: TreeSigner; readonly catalogue: TreeSigner };
}

export function writeHead({ timestamp, catalogue, lists, signers }: HeadToWrite): Buffer {
  const described = [{ role: 'catalogue', format: treeFormat, ...catalogue }, ...lists];
  const body = Buffer.from(described.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const first = Buffer.from(
    `${JSON.stringify({
      role: 'timestamp',
      format: treeFormat,
      ...timestamp,
      catalogue: {
        version: catalogue.version,
        sha256: hash('sha256', body),
        bytes: body.length,
      },
    })}\n`,
  );
  return Buffer.concat([
    first,
    Buffer.from(signatureLine(first, [signers.timestamp])),
    body,
    Buffer.from(signatureLine(body, [signers.catalogue])),
  ]);
}

export interface HeadChecks {
  /** The newest root that was accepted. */
  readonly root: TreeRoot;
  /** Null when no head was accepted yet, or the root has made the versions begin anew. */
  readonly seen: SeenHead | null;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The tree is a copy on a medium, whose timestamp nobody can renew. */
  readonly isCopy?: boolean;
}

interface ParsedHead {
  readonly timestamp: z.infer<typeof Timestamp>;
  readonly catalogue: Catalogue;
  readonly lists: readonly HeadList[];
  /** The signed lines of each role, and the line of their signatures. */
  readonly signed: Readonly<Record<'timestamp' | 'catalogue', readonly [Buffer, string]>>;
}

/**
 * Reads a head without any check of its signatures and age: for the publisher's own.
 * @throws TreeRefusal `too_long`, `malformed`.
 */
export function parseHead(bytes: Uint8Array): ParsedHead {
  if (bytes.length > largestHead)
    throw new TreeRefusal('too_long', `The head of the tree is longer than ${largestHead} bytes.`);
  const lines = splitLines(bytes, 'the head');
  const [first, firstSignatures, described] = lines;
  const lastSignatures = lines.at(-1);
  if (
    first === undefined ||
    firstSignatures === undefined ||
    described === undefined ||
    lastSignatures === undefined ||
    lines.length < 4
  )
    throw new TreeRefusal('malformed', 'The tree is malformed: the head has too few lines.');
  const body = lines.slice(2, -1).map((line) => `${line}\n`);
  return {
    timestamp: parseTreeLine(first, Timestamp, 'the timestamp'),
    catalogue: parseTreeLine(described, Catalogue, 'the catalogue'),
    lists: lines.slice(3, -1).map((line) => parseTreeLine(line, HeadList, 'a list')),
    signed: {
      timestamp: [Buffer.from(`${first}\n`), firstSignatures],
      catalogue: [Buffer.from(body.join('')), lastSignatures],
    },
  };
}

/**
 * Returns a head that may be used.
 * @throws TreeRefusal with the names of docs/catalogue-format.md.
 */
export function readHead(bytes: Uint8Array, checks: HeadChecks): Head {
  const { timestamp, catalogue, lists, signed } = parseHead(bytes);
  const { root } = checks;
  for (const role of ['timestamp', 'catalogue'] as const)
    if (!isValidFor(...signed[role], root[role], root.keys))
      throw new TreeRefusal('bad_signature', `The ${role} of the tree is not signed by its key.`);
  const { sha256, bytes: length, version } = timestamp.catalogue;
  const head: Head = {
    expires: Math.min(timestamp.expires, catalogue.expires),
    catalogue,
    lists,
    seen: { version: timestamp.version, catalogue: version, sha256 },
  };
  checkAge(head, timestamp.expires, checks);
  const [body] = signed.catalogue;
  if (sha256 !== hash('sha256', body) || length !== body.length || version !== catalogue.version)
    throw new TreeRefusal('mixed', 'The catalogue of the tree is not the one of its timestamp.');
  if (catalogue.epoch !== root.epoch)
    throw new TreeRefusal(
      'foreign_epoch',
      'The repository was restored or replaced, and its root does not say so yet.',
    );
  if (catalogue.root > root.version)
    throw new TreeRefusal('older_root', `Root ${catalogue.root} of the tree is withheld.`);
  return head;
}

function checkAge({ catalogue, seen: now }: Head, timestampEnd: number, checks: HeadChecks): void {
  const { seen, root, isCopy = false } = checks;
  if (
    seen !== null &&
    (now.version < seen.version ||
      now.catalogue < seen.catalogue ||
      (now.catalogue === seen.catalogue && now.sha256 !== seen.sha256))
  )
    throw new TreeRefusal('older_head', 'The head of the tree is older than one seen before.');
  const ends = [
    ['root', root.expires],
    ['catalogue', catalogue.expires],
    ...(isCopy ? [] : ([['timestamp', timestampEnd]] as const)),
  ] as const;
  for (const [name, end] of ends)
    if (end <= checks.now)
      throw new TreeRefusal(
        'expired',
        `The ${name} of the tree expired on ${new Date(end).toISOString()}. Nobody publishes here any more, or somebody withholds what is new.`,
      );
}
