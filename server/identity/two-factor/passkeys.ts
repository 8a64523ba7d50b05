/** Making passkeys and checking what they sign (WebAuthn level 3), as a second factor: who signs has given the password before. */

import { createHmac } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { PasskeyAssertion } from '@patch/contract/passkey-assertion.ts';
import type { PasskeyRegistration } from '@patch/contract/passkey-endpoints.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import {
  addChallenge,
  type Challenge,
  type NewPasskey,
  notePasskeyUse,
  passkeysOfUser,
  type StoredPasskey,
  useChallenge,
} from './passkey-store.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';

const challengeMs = 5 * 60_000;

/** EdDSA, ES256 and RS256, as COSE numbers them: what authenticators make (WebAuthn level 3, 5.4). */
const algorithms = [-8, -7, -257];

type Person = Pick<SignedInUser, 'id' | 'name'>;

export interface Passkeys {
  /** Why no passkey can be used at this service's address; null when they can. */
  unavailable(): string | null;
  /** Throws an AppError where none can be used. */
  creationOptions(user: Person): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** What is to be stored. Throws an AppError when the answer is not one to a challenge of this person. */
  verified(user: Person, name: string, registration: PasskeyRegistration): Promise<NewPasskey>;
  /** Null when the person has no passkey for this address. */
  requestOptions(userId: number): Promise<PublicKeyCredentialRequestOptionsJSON | null>;
  /** Whether a passkey of this person signed a challenge that was made for them. Uses the challenge up. */
  accepts(userId: number, assertion: PasskeyAssertion): Promise<boolean>;
}

interface PasskeyParts {
  readonly database: Database;
  readonly box: Pick<SecretBox, 'keyFor'>;
  readonly clock: () => number;
  /** Where the console is, if it is known. */
  readonly baseUrl: () => string | null;
}

export function passkeysOf({ database, box, clock, baseUrl }: PasskeyParts): Passkeys {
  function relyingParty(): RelyingParty {
    const party = relyingPartyOf(baseUrl());
    if (party.kind === 'none') throw new AppError('passkeys_unavailable', party.why);
    return party;
  }

  /** Opaque, and the same for all passkeys of a person, so that an authenticator keeps one. */
  const userHandle = (userId: number) =>
    new Uint8Array(
      createHmac('sha256', box.keyFor('passkey user handles')).update(String(userId)).digest(),
    );

  async function keep(
    challenge: string,
    userId: number,
    purpose: Challenge['purpose'],
  ): Promise<void> {
    await addChallenge(
      database,
      { hash: sha256Hex(challenge), userId, purpose },
      clock() + challengeMs,
    );
  }

  /** What was signed, when it is of this service and answers a challenge of this person; null otherwise. */
  async function answered(
    clientDataJSON: string,
    userId: number,
    purpose: Challenge['purpose'],
    party: RelyingParty,
  ) {
    const data = clientDataOf(clientDataJSON);
    if (data === null || !party.isOrigin(data.origin)) return null;
    return (await useChallenge(
      database,
      { hash: sha256Hex(data.challenge), userId, purpose },
      clock(),
    ))
      ? data
      : null;
  }

  return {
    unavailable() {
      const party = relyingPartyOf(baseUrl());
      return party.kind === 'none' ? party.why : null;
    },

    async creationOptions({ id, name }) {
      const party = relyingParty();
      const known = await passkeysOfUser(database, id);
      const options = await registrationOptions(party, name, userHandle(id), known);
      await keep(options.challenge, id, 'add');
      return options;
    },

    async verified({ id }, name, registration) {
      const party = relyingParty();
      const data = await answered(registration.response.clientDataJSON, id, 'add', party);
      if (data === null)
        throw notMade('It does not match a request of this page, or came too late.');
      const checked = await verifyRegistration(registration, data, party);
      if (checked?.verified !== true)
        throw notMade("The browser's response could not be verified.");
      const { credential } = checked.registrationInfo;
      return {
        name,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        relyingParty: party.id,
        counter: credential.counter,
        transports: registration.response.transports ?? [],
        createdTime: clock(),
      };
    },

    async requestOptions(userId) {
      const party = relyingPartyOf(baseUrl());
      if (party.kind === 'none') return null;
      const usable = (await passkeysOfUser(database, userId)).filter(
        ({ relyingParty: boundTo }) => boundTo === party.id,
      );
      if (usable.length === 0) return null;
      const options = await authenticationOptions(party, usable);
      await keep(options.challenge, userId, 'use');
      return options;
    },

    async accepts(userId, assertion) {
      const party = relyingPartyOf(baseUrl());
      if (party.kind === 'none') return false;
      const passkey = (await passkeysOfUser(database, userId)).find(
        ({ credentialId }) => credentialId === assertion.id,
      );
      if (passkey === undefined) return false;
      const data = await answered(assertion.response.clientDataJSON, userId, 'use', party);
      if (data === null) return false;
      const checked = await verifyAssertion(assertion, passkey, data, party);
      if (checked?.verified !== true) return false;
      return notePasskeyUse(database, passkey, checked.authenticationInfo.newCounter, clock());
    },
  };
}

function registrationOptions(
  party: RelyingParty,
  userName: string,
  userID: Uint8Array<ArrayBuffer>,
  known: readonly StoredPasskey[],
) {
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

function authenticationOptions(party: RelyingParty, usable: readonly StoredPasskey[]) {
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

/** Null when the browser's response is malformed. */
async function verifyRegistration(
  registration: PasskeyRegistration,
  data: ClientData,
  party: RelyingParty,
) {
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

/** Null when the browser's response is malformed. */
async function verifyAssertion(
  assertion: PasskeyAssertion,
  passkey: StoredPasskey,
  data: ClientData,
  party: RelyingParty,
) {
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

interface ClientData {
  readonly challenge: string;
  readonly origin: string;
}

/** Challenge and origin as the browser wrote them; null when they cannot be read. */
function clientDataOf(clientDataJSON: string): ClientData | null {
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

const notMade = (why: string) =>
  new AppError('passkey_not_made', `The passkey was not added. ${why} Try again.`);
