/** Checks that a dump is unchanged since a trusted installation wrote it. Runs before anything is restored. */
import { createHash } from 'node:crypto';
import { isSignedBy, toFingerprint } from '../../platform/secrets/service-signer.ts';
import { dumpHeading, dumpSignatureMark, signedText } from './database-dump.ts';
import { BrokenDump, readDumpLines } from './dump-lines.ts';

/** The dump is not restored; the message says why and what to do. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}

export interface DumpTrust {
  /** Base64 keys of the trusted installations: this one's own, and those given by the administrator. */
  readonly publicKeys: readonly string[];
  /** The administrator accepts a dump that is unsigned, or signed with an unknown key. */
  readonly acceptUnsigned: boolean;
}

export interface VerifiedDump {
  /** SHA-512 of all lines before the signature, in hexadecimal. */
  readonly digest: string;
  /** Fingerprint of the verified key; null if the signature was not verified. */
  readonly signedBy: string | null;
}

/** @throws RestoreRefused or BrokenDump. A dump that was changed after a trusted key signed it is always refused. */
export async function verifyDump(
  path: string,
  { publicKeys, acceptUnsigned }: DumpTrust,
): Promise<VerifiedDump> {
  const { digest, last } = await hashDump(path);
  if (!last.startsWith(dumpSignatureMark)) {
    if (acceptUnsigned) return { digest, signedBy: null };
    throw new RestoreRefused(
      'The dump is not signed, so it is unknown whether it was changed. ' +
        'If you trust where the file comes from, restore it with --accept-unsigned.',
    );
  }
  const [fingerprint = '', signature = ''] = last.slice(dumpSignatureMark.length).split(' ');
  const known = publicKeys.find((key) => toFingerprint(key) === fingerprint);
  if (known !== undefined) {
    if (isSignedBy(known, signedText(digest), signature)) return { digest, signedBy: fingerprint };
    throw new BrokenDump(
      'The dump is damaged, or was changed after it was signed. Restore another one.',
    );
  }
  if (acceptUnsigned) return { digest, signedBy: null };
  const shown = /^[\da-f]{16}$/.test(fingerprint) ? `the key ${fingerprint}` : 'an unknown key';
  const ours =
    publicKeys.length === 0
      ? 'no key is known here'
      : `known here: ${publicKeys.map(toFingerprint).join(', ')}`;
  throw new RestoreRefused(
    `The dump is signed with ${shown}, and ${ours}. Set the SECRET_KEY of the installation that made it, or give its public key with ` +
      '--key, as "npm run backup -- --public-key" prints it there. If you trust where the file comes from, restore it with --accept-unsigned.',
  );
}

async function hashDump(path: string): Promise<{ readonly digest: string; readonly last: string }> {
  const hash = createHash('sha512');
  let last: string | null = null;
  for await (const line of readDumpLines(path)) {
    if (last === null && line !== dumpHeading)
      throw new BrokenDump('This is not a dump of Patch Repository.');
    if (last !== null) hash.update(`${last}\n`);
    last = line;
  }
  if (last === null) throw new BrokenDump('The file is empty.');
  // A row may begin with the same words: only the last line is the signature.
  if (!last.startsWith(dumpSignatureMark)) hash.update(`${last}\n`);
  return { digest: hash.digest('hex'), last };
}
