/** The roots and heads of a published tree that this client has accepted: `tree.json` in its folder. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@patch/contract/base/error-code.ts';
import {
  type Head,
  headPath,
  largestHead,
  readHead,
  SeenHead,
} from '@patch/contract/tree/tree-head.ts';
import {
  largestRoot,
  readNextRoot,
  readRoot,
  rootPath,
  type SignedRoot,
  startsAnew,
} from '@patch/contract/tree/tree-root.ts';
import { z } from 'zod';
import { ClientFailure } from './client-failure.ts';
import { replaceFile } from './client-folder.ts';
import { missingFile, readSmallFile, type TreeSource } from './tree-source.ts';

const StoredTrust = z.object({
  /** The repository whose tree it is. */
  server: z.string(),
  /** The newest accepted root, as its file has it. */
  root: z.string(),
  /** Null: no head was accepted since the root's keys began to sign. */
  seen: SeenHead.nullable(),
  /** When all lists were last up to date; null: never. */
  updatedOn: z.number().nullable(),
});
type StoredTrust = z.infer<typeof StoredTrust>;

export const trustPath = (folder: string): string => join(folder, 'tree.json');

export const hasTrust = (folder: string): boolean => existsSync(trustPath(folder));

/**
 * Returns null when no root of the repository was accepted yet.
 * @param server - Null: whatever repository it is.
 */
async function readTrust(folder: string, server: string | null): Promise<StoredTrust | null> {
  const path = trustPath(folder);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const stored = StoredTrust.parse(JSON.parse(text));
    return server === null || stored.server === server ? stored : null;
  } catch (error) {
    // Without it anybody's older catalogue would be accepted, so that a person has to decide.
    throw new ClientFailure(
      'folder',
      `${path} is damaged. Delete it: the next run trusts the root that --root or the repository gives.`,
      { cause: error },
    );
  }
}

/** Returns when the lists were last up to date; null: never, or not known. */
export const readUpdatedOn = async (folder: string, server: string): Promise<number | null> =>
  (await readTrust(folder, server))?.updatedOn ?? null;

export interface FirstRoot {
  readonly folder: string;
  readonly server: string;
  /** A file that a person trusts. It replaces the stored root if it is newer. */
  readonly rootFile: string | null;
  /** The root that the repository or the file with keys gives. It counts only if there is no other. */
  readonly given: string;
  /** Keys were brought: whoever writes the medium names the server, so that its name must not replace stored roots. */
  readonly isCarried: boolean;
  readonly say: (line: string) => void;
}

export class TreeTrust {
  readonly #folder: string;
  #stored: StoredTrust;
  #root: SignedRoot;

  private constructor(folder: string, stored: StoredTrust) {
    this.#folder = folder;
    this.#stored = stored;
    this.#root = readRoot(Buffer.from(stored.root));
  }

  static async open(options: FirstRoot): Promise<TreeTrust> {
    const { folder, server, rootFile, given, isCarried, say } = options;
    const stored = await readTrust(folder, isCarried ? null : server);
    const trust = stored === null ? null : new TreeTrust(folder, stored);
    const trusted = rootFile === null ? null : await readRootFile(rootFile);
    if (trust !== null) {
      if (trusted !== null && trusted.root.version > trust.#root.root.version)
        await trust.#accept(trusted);
      if (stored?.server !== server)
        say(
          `The keys are of ${server}, and ${folder} follows ${stored?.server}: its roots stay. Use another folder for another repository.`,
        );
      return trust;
    }
    const { root, bytes } = trusted ?? readRoot(Buffer.from(given));
    say(
      `Trusts root ${root.version} of ${rootFile ?? (isCarried ? '--keys' : 'the repository')}: ${root.root.threshold} of the keys ${root.root.keys.join(', ')}.`,
    );
    const first = { server, root: Buffer.from(bytes).toString(), seen: null, updatedOn: null };
    const begun = new TreeTrust(folder, first);
    await begun.#save(first);
    return begun;
  }

  /** The version of the newest root. */
  get version(): number {
    return this.#root.root.version;
  }

  /** Accepts the roots that follow, one after the other. */
  async followRoots(source: TreeSource): Promise<void> {
    for (;;) {
      const path = rootPath(this.#root.root.version + 1);
      const bytes = await readSmallFile(source, path, largestRoot);
      if (bytes === null) return;
      await this.#accept(readNextRoot(bytes, this.#root));
    }
  }

  /** @throws TreeRefusal when the head must not be used; then nothing is stored. */
  async acceptHead(source: TreeSource): Promise<Head> {
    const bytes = await readSmallFile(source, headPath, largestHead);
    if (bytes === null) throw missingFile(source, headPath);
    const { root } = this.#root;
    const { seen } = this.#stored;
    const head = readHead(bytes, { root, seen, now: Date.now(), isCopy: source.isCopy });
    if (head.seen.version !== seen?.version || head.seen.sha256 !== seen.sha256)
      await this.#save({ ...this.#stored, seen: head.seen });
    return head;
  }

  async storeUpdate(updatedOn: number): Promise<void> {
    await this.#save({ ...this.#stored, updatedOn });
  }

  async #accept(next: SignedRoot): Promise<void> {
    const seen = startsAnew(this.#root, next) ? null : this.#stored.seen;
    await this.#save({ ...this.#stored, root: Buffer.from(next.bytes).toString(), seen });
    this.#root = next;
  }

  async #save(stored: StoredTrust): Promise<void> {
    await replaceFile(trustPath(this.#folder), `${JSON.stringify(stored)}\n`);
    this.#stored = stored;
  }
}

async function readRootFile(path: string): Promise<SignedRoot> {
  try {
    return readRoot(await readFile(path));
  } catch (error) {
    throw new ClientFailure('usage', `--root cannot be read: ${String(error)}`, { cause: error });
  }
}
