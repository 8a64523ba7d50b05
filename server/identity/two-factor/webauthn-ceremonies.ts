/** The WebAuthn ceremonies (level 3) by the library: options for the browser, and verification of its response. Stateless. */
import type { PasskeyAssertion } from '@patch/contract/accounts/passkey-assertion.ts';
import type { PasskeyRegistration } from '@patch/contract/accounts/passkey-endpoints.ts';
import type { StoredPasskey } from './passkey-store.ts';
import type { RelyingParty } from './relying-party.ts';

/** Loaded with the first ceremony: with its certificates and ASN.1 it is the largest of all packages. */
const loadLibrary = () => import('@simplewebauthn/server');

/** Time in which a challenge must be answered. */
export const challengeMs = 5 * 60_000;

/** COSE numbers of EdDSA, ES256 and RS256, the algorithms of common authenticators (WebAuthn level 3, 5.4). */
const algorithms = [-8, -7, -257];

/**
 * Returns options for `navigator.credentials.create`.
 * @param userID Opaque to authenticators.
 * @param known Passkeys that must not be created twice.
 */
export async function registrationOptions(
  party: RelyingParty,
  userName: string,
  userID: Uint8Array<ArrayBuffer>,
  known: readonly StoredPasskey[],
) {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: 'Patch Repository',
    rpID: party.id,
    userName,
    userDisplayName: userName,
    userID,
    timeout: challengeMs,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Options for `navigator.credentials.get` with one of the `usable` passkeys. */
export async function authenticationOptions(party: RelyingParty, usable: readonly StoredPasskey[]) {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: challengeMs,
    userVerification: 'discouraged',
    allowCredentials: usable.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
  });
}

/** Returns null when the browser's response is malformed; otherwise `verified` says whether the signature is valid. */
export async function verifyRegistration(
  registration: PasskeyRegistration,
  data: ClientData,
  party: RelyingParty,
) {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { clientDataJSON, attestationObject } = registration.response;
  return verifyRegistrationResponse({
    response: {
      ...registration,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: data.challenge,
    expectedOrigin: data.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null);
}

/** Returns null when the browser's response is malformed; otherwise `verified` says whether the signature is valid. */
export async function verifyAssertion(
  assertion: PasskeyAssertion,
  passkey: StoredPasskey,
  data: ClientData,
  party: RelyingParty,
) {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { clientDataJSON, authenticatorData, signature } = assertion.response;
  return verifyAuthenticationResponse({
    response: {
      ...assertion,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: data.challenge,
    expectedOrigin: data.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => null);
}

/** The browser's statement about a ceremony: the challenge that it answers and the origin of the page. */
export interface ClientData {
  readonly challenge: string;
  readonly origin: string;
}

/** Decodes base64url JSON; null when it has no challenge and origin. */
export function parseClientData(clientDataJSON: string): ClientData | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const { challenge, origin } = data as { challenge?: unknown; origin?: unknown };
    return typeof challenge === 'string' && typeof origin === 'string'
      ? { challenge, origin }
      : null;
  } catch {
    return null;
  }
}
