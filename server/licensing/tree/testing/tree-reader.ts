/** A reader of the published tree that trusts nothing, and holds its copy in memory. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeAccess } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { earlierKey, noFamily } from '@patch/contract/tree/family-keys.ts';
import { readSegment } from '@patch/contract/tree/segment-file.ts';
import {
  type HeadList,
  headPath,
  readHead,
  type SeenHead,
} from '@patch/contract/tree/tree-head.ts';
import {
  chooseSegments,
  indexPath,
  readIndex,
  type Segment,
  segmentPath,
} from '@patch/contract/tree/tree-index.ts';
import { readRoot, rootPath } from '@patch/contract/tree/tree-root.ts';

export type HandedKeys = Pick<TreeAccess, 'period' | 'keys'>;

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** Reads a file and checks length and hash. */
async function readExact(
  folder: string,
  path: string,
  { sha256: wanted, bytes: length }: { readonly sha256: string; readonly bytes: number },
): Promise<Buffer> {
  const bytes = await readFile(join(folder, path));
  if (bytes.length !== length || sha256(bytes) !== wanted) throw new Error(`${path} is damaged`);
  return bytes;
}

export async function readTreeHead(
  folder: string,
  seen: SeenHead | null,
  now: number,
  version = 1,
) {
  const { root } = readRoot(await readFile(join(folder, rootPath(version))));
  return readHead(await readFile(join(folder, headPath)), { root, seen, now });
}

export class TreeReader {
  readonly #folder: string;
  readonly #list: string;
  readonly #root: number;
  readonly #rows = new Map<number, string>();
  #seen: SeenHead | null = null;
  #position = 0;
  /** Files and bytes that the last call fetched. */
  fetched: readonly Segment[] = [];

  /** @param root - The version of the root that it trusts. */
  constructor(folder: string, list: string, root = 1) {
    this.#folder = folder;
    this.#root = root;
    this.#list = list;
  }

  get rows(): readonly string[] {
    return [...this.#rows.values()].toSorted();
  }

  /** Follows the list to the head, and checks number and digest of its rows. */
  async follow(keys: HandedKeys, now: number): Promise<readonly string[]> {
    const head = await readTreeHead(this.#folder, this.#seen, now, this.#root);
    this.#seen = head.seen;
    const list = head.lists.find((one) => one.list === this.#list);
    if (list === undefined) throw new Error(`The head has no ${this.#list}`);
    const { epoch } = head.catalogue;
    this.fetched = await this.#choose(epoch, list);
    for (const segment of this.fetched) await this.#apply(epoch, list, segment, keys);
    this.#position = list.revision;
    if (list.rows !== this.#rows.size || list.digest !== digestOf(this.#rows.values()))
      throw new Error(`The copy of ${this.#list} has another digest than the head`);
    return this.rows;
  }

  async #choose(epoch: string, { list, revision, index }: HeadList): Promise<readonly Segment[]> {
    const path = indexPath({ epoch, list }, revision, index.sha256);
    const segments = readIndex(await readExact(this.#folder, path, index));
    const chosen = chooseSegments(segments, this.#position, revision);
    if (chosen === null) throw new Error(`No way from ${this.#position} to ${revision}`);
    return chosen;
  }

  async #apply(
    epoch: string,
    { list, family }: HeadList,
    segment: Segment,
    { period, keys }: HandedKeys,
  ): Promise<void> {
    const bytes = await readExact(this.#folder, segmentPath({ epoch, list }, segment), segment);
    const handed = Buffer.from(keys[family ?? noFamily] ?? '', 'base64');
    const key = earlierKey({ period, key: handed }, segment.period);
    if (key === null) throw new Error(`No key of period ${segment.period}`);
    if (segment.from === 0) this.#rows.clear();
    async function* file() {
      yield bytes;
    }
    for await (const lines of readSegment(file(), key, segment))
      for (const line of lines) {
        const { id, withdrawnTime } = JSON.parse(line) as { id: number; withdrawnTime: unknown };
        if (withdrawnTime === null) this.#rows.set(id, line);
        else this.#rows.delete(id);
      }
  }
}

/** As docs/catalogue-format.md says, and apart from the publisher's own code. */
function digestOf(lines: Iterable<string>): string {
  let sum = 0n;
  for (const line of lines) sum += BigInt(`0x${sha256(line).slice(0, 32)}`);
  return (sum % 2n ** 128n).toString(16).padStart(32, '0');
}
