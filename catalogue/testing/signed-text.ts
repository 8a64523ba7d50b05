/** Signs texts like an archive does, for tests. */
import { createCleartextMessage, generateKey, type PrivateKey, sign } from 'openpgp';

export interface Signer {
  readonly key: PrivateKey;
  readonly publicKey: string;
  readonly sign: (text: string) => Promise<string>;
}

/** Signs a text by each of the keys. */
export async function signText(text: string, ...signingKeys: PrivateKey[]): Promise<string> {
  const message = await createCleartextMessage({ text });
  // The library writes CRLF, archives publish LF; the signature covers the same canonical text either way.
  return (await sign({ message, signingKeys })).replaceAll('\r\n', '\n');
}

/** Creates a new key at each call. */
export async function createSigner(): Promise<Signer> {
  const { privateKey, publicKey } = await generateKey({
    userIDs: { name: 'Archive' },
    type: 'curve25519',
    format: 'object',
  });
  return {
    key: privateKey,
    publicKey: publicKey.armor(),
    sign: (text) => signText(text, privateKey),
  };
}
