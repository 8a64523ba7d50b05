/** Signs as an archive does, for tests. */
import { createCleartextMessage, generateKey, sign } from 'openpgp';

export interface Signer {
  readonly publicKey: string;
  readonly sign: (text: string) => Promise<string>;
}

/** Has a new key each time. */
export async function signer(): Promise<Signer> {
  const { privateKey, publicKey } = await generateKey({
    userIDs: { name: 'Archive' },
    type: 'curve25519',
    format: 'object',
  });
  return {
    publicKey: publicKey.armor(),
    // The library writes CRLF. Archives publish LF, and the signature covers the same canonical text either way.
    sign: async (text) =>
      (
        await sign({ message: await createCleartextMessage({ text }), signingKeys: privateKey })
      ).replaceAll('\r\n', '\n'),
  };
}
