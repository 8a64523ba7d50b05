/** Makes roots of the published tree: the first one with new root keys, and the next ones with those. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  readNextRoot,
  readRoot,
  rootPath,
  type TreeRoot,
  treeFormat,
  writeRoot,
} from '@patch/contract/tree/tree-root.ts';
import { keyId, type TreeSigner } from '@patch/contract/tree/tree-signatures.ts';
import { StartupError } from '../../platform/errors/startup-error.ts';
import { readNewestRoot } from './publish-tree.ts';
import type { TreeFolder } from './tree-folder.ts';
import { findGeneration, treeSigner } from './tree-keys.ts';

export interface RootToMake {
  readonly folder: TreeFolder;
  /** The folder of the root keys, to be kept away from the service. */
  readonly keysFolder: string;
  readonly secret: Uint8Array;
  readonly epoch: string;
  readonly expires: number;
}

export interface MadeRoot {
  readonly version: number;
  readonly signedBy: readonly string[];
}

/** @throws StartupError when there is a root already. */
export async function createRoot(
  { folder, keysFolder, secret, epoch, expires }: RootToMake,
  { count, threshold }: { readonly count: number; readonly threshold: number },
): Promise<MadeRoot> {
  if ((await readNewestRoot(folder)) !== null)
    throw new StartupError('The tree has a root. Make the next one with renew.');
  const signers = addKeys(keysFolder, count);
  const root = {
    ...rootContent({ secret, epoch, expires, generations: { catalogue: 1, timestamp: 1 } }),
    version: 1,
    root: { keys: signers.map(({ publicKey }) => keyId(publicKey)), threshold },
  };
  return publishRoot(folder, root, signers, readRoot);
}

/**
 * Makes the root after the newest one: with the service's present keys and epoch.
 * @param newKeys - The service's keys may be known to others: it gets new ones.
 * @throws StartupError when there is no root, or too few of its keys are in the folder.
 */
export async function renewRoot(
  { folder, keysFolder, secret, epoch, expires }: RootToMake,
  { newKeys }: { readonly newKeys: boolean },
): Promise<MadeRoot> {
  const newest = await readNewestRoot(folder);
  if (newest === null) throw new StartupError('The tree has no root yet. Make it with create.');
  const { root: before } = newest;
  const signers = readKeys(keysFolder).filter(({ publicKey }) =>
    before.root.keys.includes(keyId(publicKey)),
  );
  if (signers.length < before.root.threshold)
    throw new StartupError(
      `Root ${before.version} asks for ${before.root.threshold} of its root keys, and ${keysFolder} has ${signers.length} of them.`,
    );
  const generationOf = (role: 'catalogue' | 'timestamp') => {
    const current = findGeneration(secret, role, before);
    return current === null ? 1 : current + (newKeys ? 1 : 0);
  };
  const generations = {
    catalogue: generationOf('catalogue'),
    timestamp: generationOf('timestamp'),
  };
  const content = rootContent({ secret, epoch, expires, generations });
  const root = {
    ...content,
    keys: { ...content.keys, ...pick(before.keys, before.root.keys) },
    version: before.version + 1,
    root: before.root,
  };
  return publishRoot(folder, root, signers, (bytes) => readNextRoot(bytes, newest));
}

const pick = (keys: TreeRoot['keys'], ids: readonly string[]) =>
  Object.fromEntries(Object.entries(keys).filter(([id]) => ids.includes(id)));

function rootContent({
  secret,
  epoch,
  expires,
  generations,
}: Pick<RootToMake, 'secret' | 'epoch' | 'expires'> & {
  readonly generations: { readonly catalogue: number; readonly timestamp: number };
}) {
  const catalogue = treeSigner(secret, 'catalogue', generations.catalogue).publicKey;
  const timestamp = treeSigner(secret, 'timestamp', generations.timestamp).publicKey;
  return {
    role: 'root' as const,
    format: treeFormat as TreeRoot['format'],
    expires,
    epoch,
    keys: { [keyId(catalogue)]: catalogue, [keyId(timestamp)]: timestamp },
    catalogue: { keys: [keyId(catalogue)], threshold: 1 },
    timestamp: { keys: [keyId(timestamp)], threshold: 1 },
  };
}

/** Checks the root as readers do before it is published. */
async function publishRoot(
  folder: TreeFolder,
  content: TreeRoot,
  signers: readonly TreeSigner[],
  check: (bytes: Uint8Array) => unknown,
): Promise<MadeRoot> {
  const keys = Object.fromEntries(signers.map(({ publicKey }) => [keyId(publicKey), publicKey]));
  const root = { ...content, keys: { ...keys, ...content.keys } };
  const bytes = writeRoot(root, signers);
  check(bytes);
  await folder.writePublished(rootPath(root.version), bytes);
  return { version: root.version, signedBy: Object.keys(keys) };
}

const suffix = '.root-key.pem';

/** Writes new private keys, which only their owner may read. */
function addKeys(keysFolder: string, count: number): readonly TreeSigner[] {
  mkdirSync(keysFolder, { recursive: true, mode: 0o700 });
  return Array.from({ length: count }, () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const signer = pemSigner(pem);
    writeFileSync(join(keysFolder, `${keyId(signer.publicKey)}${suffix}`), pem, {
      mode: 0o600,
      flag: 'wx',
    });
    return signer;
  });
}

function readKeys(keysFolder: string): readonly TreeSigner[] {
  return readdirSync(keysFolder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => pemSigner(readFileSync(join(keysFolder, name), 'utf8')));
}

function pemSigner(pem: string): TreeSigner {
  const key = createPrivateKey(pem);
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('base64');
  return { publicKey, sign: (bytes) => sign(null, bytes, key).toString('base64') };
}
