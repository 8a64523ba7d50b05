/**
 * A software authenticator for tests: creates and uses one passkey in the form that browsers return (WebAuthn level 3; ES256,
 * attestation `none`).
 */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

interface ChallengeOptions {
  readonly challenge: string;
}

export class SoftwareAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly credentialId = randomBytes(32);
  /** The page that the browser shows, and the host that the passkey is bound to. */
  origin = 'https://patch.example.org';
  host = 'patch.example.org';
  counter = 0;

  register({ challenge }: ChallengeOptions) {
    const id = this.credentialId.toString('base64url');
    const clientDataJSON = this.#clientData('webauthn.create', challenge).toString('base64url');
    const attestationObject = cborMap([
      ['fmt', cborText('none')],
      ['attStmt', cborMap([])],
      ['authData', cborBytes(this.#authenticatorData(this.#attestedCredential()))],
    ]).toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key' as const,
      response: { clientDataJSON, attestationObject, transports: ['internal'] },
      clientExtensionResults: {},
    };
  }

  sign({ challenge }: ChallengeOptions) {
    const id = this.credentialId.toString('base64url');
    const clientData = this.#clientData('webauthn.get', challenge);
    const data = this.#authenticatorData(null);
    const signature = createSign('sha256')
      .update(data)
      .update(sha256(clientData))
      .sign(this.#keys.privateKey);
    return {
      id,
      rawId: id,
      type: 'public-key' as const,
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      },
      clientExtensionResults: {},
    };
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }),
    );
  }

  /** WebAuthn level 3, 6.1. */
  #authenticatorData(attested: Buffer | null): Buffer {
    const userPresent = 0x01;
    const hasAttested = 0x40;
    const flagsAndCounter = Buffer.alloc(5);
    flagsAndCounter.writeUInt8(userPresent | (attested === null ? 0 : hasAttested));
    flagsAndCounter.writeUInt32BE(this.counter, 1);
    return Buffer.concat([
      sha256(Buffer.from(this.host)),
      flagsAndCounter,
      attested ?? Buffer.alloc(0),
    ]);
  }

  /** WebAuthn level 3, 6.5.1: AAGUID, credential id, and the public key as in RFC 9053. */
  #attestedCredential(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const key = cborMap([
      [1, cborInteger(2)],
      [3, cborInteger(-7)],
      [-1, cborInteger(1)],
      [-2, cborBytes(Buffer.from(x, 'base64url'))],
      [-3, cborBytes(Buffer.from(y, 'base64url'))],
    ]);
    return Buffer.concat([Buffer.alloc(16), length, this.credentialId, key]);
  }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

/** RFC 8949, 3: the major type in the upper three bits, then the number, here below 65,536. */
function cborHead(majorType: number, value: number): Buffer {
  const type = majorType << 5;
  if (value < 24) return Buffer.from([type | value]);
  return value < 256
    ? Buffer.from([type | 24, value])
    : Buffer.from([type | 25, value >> 8, value & 0xff]);
}

const cborInteger = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) =>
  Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);

function cborMap(entries: readonly (readonly [string | number, Buffer])[]): Buffer {
  const parts = entries.flatMap(([key, value]) => [
    typeof key === 'string' ? cborText(key) : cborInteger(key),
    value,
  ]);
  return Buffer.concat([cborHead(5, entries.length), ...parts]);
}
