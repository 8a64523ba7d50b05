/** Publishes small trees for tests: in memory, to be served or written to a folder, and as wrong as a test wants. */
import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { earlierKey, noFamily, periodAt } from '@patch/contract/tree/family-keys.ts';
import { ListParts, linePart, PartChanges } from '@patch/contract/tree/list-digest.ts';
import { writeSegment } from '@patch/contract/tree/segment-file.ts';
import {
  type HeadList,
  type HeadToWrite,
  headPath,
  writeHead,
} from '@patch/contract/tree/tree-head.ts';
import {
  indexPath,
  type Segment,
  segmentPath,
  writeIndex,
} from '@patch/contract/tree/tree-index.ts';
import { rootPath, type TreeRoot, writeRoot } from '@patch/contract/tree/tree-root.ts';
import { keyId, type TreeSigner } from '@patch/contract/tree/tree-signatures.ts';

export interface TreeKey extends TreeSigner {
  readonly id: string;
}

export function createTreeKey(): TreeKey {
  const { publicKey: spki, privateKey } = generateKeyPairSync('ed25519');
  const publicKey = spki.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  return {
    publicKey,
    id: keyId(publicKey),
    sign: (bytes) => sign(null, bytes, privateKey).toString('base64'),
  };
}

export interface TreeKeys {
  readonly root: readonly TreeKey[];
  readonly catalogue: readonly TreeKey[];
  readonly timestamp: readonly TreeKey[];
}

export const createTreeKeys = (): TreeKeys => ({
  root: [createTreeKey(), createTreeKey()],
  catalogue: [createTreeKey()],
  timestamp: [createTreeKey()],
});

const dayMs = 86_400_000;

export const recordLine = (
  id: number,
  words: string,
  withdrawnTime: number | null = null,
): string =>
  JSON.stringify({
    id,
    row: { title: words },
    detail: {},
    firstSeenTime: 1,
    changedTime: 2,
    withdrawnTime,
  });

/** Lines by id; null withdraws a record. */
export type ListChanges = ReadonlyMap<number, string | null>;

interface Publication {
  readonly revision: number;
  readonly changes: ListChanges;
}

interface TreeList {
  readonly name: string;
  readonly family: string | null;
  /** Listed records: what a copy must be equal to. */
  readonly live: Map<number, string>;
  readonly publications: Publication[];
  revision: number;
  segments: Segment[];
  index: HeadList['index'];
}

export class PublishedTree {
  readonly files = new Map<string, Buffer>();
  readonly lists = new Map<string, TreeList>();
  keys = createTreeKeys();
  epoch = 'epoch-one';
  rootVersion = 0;
  headVersion = 0;
  catalogueVersion = 0;
  /** In which segments are sealed. */
  period = periodAt(Date.now());
  readonly lastPeriod = this.period + 40;
  readonly #lastKeys = new Map<string, Buffer>();

  constructor(families: Readonly<Record<string, string | null>>) {
    for (const [name, family] of Object.entries(families)) {
      const empty = { live: new Map<number, string>(), publications: [], segments: [] };
      this.lists.set(name, {
        name,
        family,
        revision: 0,
        index: { sha256: '', bytes: 0 },
        ...empty,
      });
      this.#lastKeys.set(family ?? noFamily, randomBytes(32));
    }
    this.addRoot();
  }

  get rootText(): string {
    return (this.files.get(rootPath(this.rootVersion)) ?? '').toString();
  }

  list(name: string): TreeList {
    const list = this.lists.get(name);
    if (list === undefined) throw new Error(`${name} is not in the tree.`);
    return list;
  }

  familyKey(family: string, period: number): Buffer {
    const key = this.#lastKeys.get(family);
    if (key === undefined) throw new Error(`${family} is not in the tree.`);
    return Buffer.from(earlierKey({ period: this.lastPeriod, key }, period) ?? []);
  }

  familyKeys(period: number): Readonly<Record<string, string>> {
    const families = [...this.#lastKeys.keys()];
    return Object.fromEntries(
      families.map((name) => [name, this.familyKey(name, period).toString('base64')]),
    );
  }

  /** Returns a root that the present keys describe; `more` makes it wrong. */
  describeRoot(more: Partial<TreeRoot> = {}): TreeRoot {
    const { root, catalogue, timestamp } = this.keys;
    const all = [...root, ...catalogue, ...timestamp];
    const role = (keys: readonly TreeKey[]) => ({
      keys: keys.map(({ id }) => id),
      threshold: keys.length,
    });
    return {
      role: 'root',
      format: 1,
      version: this.rootVersion + 1,
      expires: Date.now() + 365 * dayMs,
      epoch: this.epoch,
      keys: Object.fromEntries(all.map(({ id, publicKey }) => [id, publicKey])),
      root: role(root),
      catalogue: role(catalogue),
      timestamp: role(timestamp),
      ...more,
    };
  }

  /** @param signers - Of the new root and of the one before. */
  addRoot(signers: readonly TreeSigner[] = this.keys.root, more: Partial<TreeRoot> = {}): void {
    const root = this.describeRoot(more);
    this.rootVersion += 1;
    this.files.set(rootPath(this.rootVersion), writeRoot(root, signers));
  }

  /** Other keys sign from now on, as a new root says. */
  replaceKeys(keys: Partial<TreeKeys>): void {
    const before = this.keys;
    this.keys = { ...before, ...keys };
    this.addRoot([...new Set([...before.root, ...this.keys.root])]);
  }

  /** Adds changes of a list with a segment of them; the head does not announce them yet. */
  async change(name: string, changes: ListChanges): Promise<void> {
    const list = this.list(name);
    for (const [id, line] of changes) {
      if (line === null) list.live.delete(id);
      else list.live.set(id, line);
    }
    const before = list.revision;
    list.revision += changes.size;
    list.publications.push({ revision: list.revision, changes });
    await this.addSegment(name, before);
  }

  /** @param lines - Other ones than the true ones. */
  async addSegment(
    name: string,
    from: number,
    lines: readonly string[] = this.#linesSince(this.list(name), from),
    announced: Partial<Segment> = {},
  ): Promise<Segment> {
    const list = this.list(name);
    const pieces: Buffer[] = [];
    const file = new Writable({
      write(piece: Buffer, _encoding, done) {
        pieces.push(piece);
        done();
      },
    });
    const { period } = this;
    const key = this.familyKey(list.family ?? noFamily, period);
    async function* batches() {
      yield lines;
    }
    const written = await writeSegment(batches(), file, key);
    const segment = { from, to: list.revision, time: Date.now(), period, ...written, ...announced };
    list.segments = [
      ...list.segments.filter((one) => one.from !== from || one.to !== segment.to),
      segment,
    ];
    const path = segmentPath({ epoch: this.epoch, list: name }, segment);
    this.files.set(path, Buffer.concat(pieces));
    return segment;
  }

  #linesSince({ live, publications }: TreeList, from: number): readonly string[] {
    if (from === 0) return [...live].toSorted(([a], [b]) => a - b).map(([, line]) => line);
    const ids = new Set<number>();
    for (const { revision, changes } of publications)
      if (revision > from) for (const id of changes.keys()) ids.add(id);
    return [...ids]
      .toSorted((a, b) => a - b)
      .map((id) => live.get(id) ?? recordLine(id, 'gone', 3));
  }

  /** Announces all lists as they are now. */
  publish(wrong: WrongHead = {}): void {
    this.headVersion += 1;
    this.catalogueVersion += 1;
    const lists = [...this.lists.values()].filter(({ revision }) => revision > 0);
    this.writeHead(
      lists.map((list) => this.#describe(list)),
      wrong,
    );
  }

  writeHead(lists: readonly HeadList[], wrong: WrongHead = {}): void {
    const [catalogueKey, timestampKey] = [this.keys.catalogue[0], this.keys.timestamp[0]];
    if (catalogueKey === undefined || timestampKey === undefined)
      throw new Error('There are no keys.');
    const expires = Date.now() + dayMs;
    const head = writeHead({
      timestamp: { version: this.headVersion, expires, ...wrong.timestamp },
      catalogue: {
        version: this.catalogueVersion,
        epoch: this.epoch,
        root: this.rootVersion,
        time: Date.now(),
        expires,
        ...wrong.catalogue,
      },
      lists: wrong.lists?.(lists) ?? lists,
      signers: { timestamp: timestampKey, catalogue: catalogueKey, ...wrong.signers },
    });
    this.files.set(headPath, head);
  }

  #describe(list: TreeList): HeadList {
    const { name, family, revision, live, segments } = list;
    const index = writeIndex(segments);
    const sha256 = hash('sha256', index);
    const path = indexPath({ epoch: this.epoch, list: name }, revision, sha256);
    this.files.set(path, index);
    const newest = segments.findLast(({ to }) => to === revision);
    if (newest === undefined) throw new Error(`${name} has no segment to its revision.`);
    const changes = new PartChanges();
    for (const [id, line] of [...live].toSorted(([a], [b]) => a - b))
      changes.add(id, linePart(line));
    const { rows, digest } = ListParts.empty.change(changes);
    return {
      list: name,
      family,
      revision,
      rows,
      digest,
      newest,
      index: { sha256, bytes: index.length },
    };
  }

  writeTo(folder: string): void {
    for (const [path, bytes] of this.files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
  }
}

export interface WrongHead {
  readonly timestamp?: Partial<HeadToWrite['timestamp']>;
  readonly catalogue?: Partial<HeadToWrite['catalogue']>;
  readonly lists?: (lists: readonly HeadList[]) => readonly HeadList[];
  readonly signers?: Partial<HeadToWrite['signers']>;
}
