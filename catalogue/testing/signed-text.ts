/** Signs texts like an archive does, for tests. */
import { createCleartextMessage, generateKey, sign } from 'openpgp';

export interface Signer {
  readonly publicKey: string;
  readonly sign: (text: string) => Promise<string>;
}

/** Creates a new key at each call. */
export async function createSigner(): Promise<Signer> {
  const { privateKey, publicKey } = await generateKey({
    userIDs: { name: 'Archive' },
    type: 'curve25519',
    format: 'object',
  });
  return {
    publicKey: publicKey.armor(),
    // The library writes CRLF, archives publish LF; the signature covers the same canonical text either way.
    sign: async (text) =>
      (
        await sign({ message: await createCleartextMessage({ text }), signingKeys: privateKey })
      ).replaceAll('\r\n', '\n'),
  };
}
