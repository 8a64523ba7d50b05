/** The last answer to a heartbeat: `access.json` in the client's folder, readable only by its owner, since it has keys. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  heartbeatEndpoint,
  type TreeAccess,
} from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { earlierKey, noFamily } from '@patch/contract/tree/family-keys.ts';
import { TreeRefusal } from '@patch/contract/tree/tree-refusal.ts';
import { z } from 'zod';
import { replaceFile } from './client-folder.ts';

export type GrantedLicence = z.infer<typeof heartbeatEndpoint.reply>;

/** The licence of a client that follows a published tree. */
export type TreeLicence = GrantedLicence & { readonly tree: TreeAccess };

export const followsTree = (licence: GrantedLicence): licence is TreeLicence =>
  licence.tree !== null;

const StoredAccess = z.object({ server: z.string(), licence: heartbeatEndpoint.reply });

const accessPath = (folder: string) => join(folder, 'access.json');

/** Returns null when the repository has given no access to a tree, or the file cannot be read: then a heartbeat is sent. */
export async function readAccess(folder: string, server: string): Promise<TreeLicence | null> {
  const text = await readFile(accessPath(folder), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const stored = StoredAccess.parse(JSON.parse(text));
    return stored.server === server && followsTree(stored.licence) ? stored.licence : null;
  } catch {
    return null;
  }
}

export async function writeAccess(
  folder: string,
  server: string,
  licence: GrantedLicence,
): Promise<void> {
  const path = accessPath(folder);
  if (followsTree(licence))
    await replaceFile(path, `${JSON.stringify({ server, licence })}\n`, 0o600);
  else await rm(path, { force: true });
}

/** Keys of the client's families. */
export class FamilyKeys {
  #access: TreeAccess;
  #renew: (() => Promise<TreeAccess | null>) | null;

  /** @param renew - Asks for newer keys, at most once; null when that was done just now. */
  constructor(access: TreeAccess, renew: (() => Promise<TreeAccess | null>) | null) {
    this.#access = access;
    this.#renew = renew;
  }

  /** @throws TreeRefusal `no_key`. */
  async find(family: string | null, wanted: number): Promise<Uint8Array> {
    const name = family ?? noFamily;
    const key = this.#compute(name, wanted);
    if (key !== null) return key;
    await this.renew();
    const newer = this.#compute(name, wanted);
    if (newer !== null) return newer;
    throw new TreeRefusal(
      'no_key',
      `The repository has given no key of ${family === null ? 'lists without a family' : `the family ${family}`} for period ${wanted}.`,
    );
  }

  async renew(): Promise<void> {
    const renewed = await this.#renew?.();
    this.#renew = null;
    if (renewed !== undefined && renewed !== null) this.#access = renewed;
  }

  #compute(name: string, wanted: number): Uint8Array | null {
    const { period, keys } = this.#access;
    const key = keys[name];
    return key === undefined
      ? null
      : earlierKey({ period, key: Buffer.from(key, 'base64') }, wanted);
  }
}
