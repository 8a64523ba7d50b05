/** Passkeys as a second factor: creates and verifies challenges for people who have already given their password. */

import { createHmac } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { PasskeyAssertion } from '@patch/contract/accounts/passkey-assertion.ts';
import type { PasskeyRegistration } from '@patch/contract/accounts/passkey-endpoints.ts';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import {
  addChallenge,
  type Challenge,
  type NewPasskey,
  notePasskeyUse,
  readUserPasskeys,
  useChallenge,
} from './passkey-store.ts';
import { getRelyingParty, type NoRelyingParty, type RelyingParty } from './relying-party.ts';
import {
  authenticationOptions,
  type ClientData,
  challengeMs,
  parseClientData,
  registrationOptions,
  verifyAssertion,
  verifyRegistration,
} from './webauthn-ceremonies.ts';

type Person = Pick<SignedInUser, 'id' | 'name'>;

export interface PasskeyParts {
  readonly database: Database;
  readonly box: Pick<SecretBox, 'keyFor'>;
  readonly clock: () => number;
  /** Base URL of the console; null when unknown. */
  readonly baseUrl: () => string | null;
}

export class Passkeys {
  readonly #parts: PasskeyParts;

  constructor(parts: PasskeyParts) {
    this.#parts = parts;
  }

  /** Returns why passkeys cannot be used at this service's address; null when they can. */
  unavailable(): string | null {
    const party = this.#party();
    return party.kind === 'none' ? party.why : null;
  }

  /** @throws AppError `passkeys_unavailable` */
  async creationOptions({ id, name }: Person): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const party = this.#requireParty();
    const known = await readUserPasskeys(this.#parts.database, id);
    const options = await registrationOptions(party, name, this.#userHandle(id), known);
    await this.#storeChallenge(options.challenge, id, 'add');
    return options;
  }

  /**
   * Returns the passkey to store and uses the challenge up.
   * @throws AppError `passkey_not_made` unless the registration answers a challenge of this person, and `passkeys_unavailable`.
   */
  async verifyNewPasskey(
    { id }: Pick<Person, 'id'>,
    name: string,
    registration: PasskeyRegistration,
  ): Promise<NewPasskey> {
    const party = this.#requireParty();
    const data = await this.#answeredChallenge(registration, id, 'add', party);
    if (data === null) throw notMade('It does not match a request of this page, or came too late.');
    const checked = await verifyRegistration(registration, data, party);
    if (checked?.verified !== true) throw notMade("The browser's response could not be verified.");
    const { credential } = checked.registrationInfo;
    return {
      name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      relyingParty: party.id,
      counter: credential.counter,
      transports: registration.response.transports ?? [],
      createdTime: this.#parts.clock(),
    };
  }

  /** Returns null when the person has no passkey for this address. */
  async requestOptions(userId: number): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
    const party = this.#party();
    if (party.kind === 'none') return null;
    const usable = (await readUserPasskeys(this.#parts.database, userId)).filter(
      ({ relyingParty }) => relyingParty === party.id,
    );
    if (usable.length === 0) return null;
    const options = await authenticationOptions(party, usable);
    await this.#storeChallenge(options.challenge, userId, 'use');
    return options;
  }

  /** Returns whether a passkey of this person signed a challenge created for them. Uses the challenge up. */
  async accepts(userId: number, assertion: PasskeyAssertion): Promise<boolean> {
    const party = this.#party();
    if (party.kind === 'none') return false;
    const passkey = (await readUserPasskeys(this.#parts.database, userId)).find(
      ({ credentialId }) => credentialId === assertion.id,
    );
    if (passkey === undefined) return false;
    const data = await this.#answeredChallenge(assertion, userId, 'use', party);
    if (data === null) return false;
    const checked = await verifyAssertion(assertion, passkey, data, party);
    if (checked?.verified !== true) return false;
    const { newCounter } = checked.authenticationInfo;
    return notePasskeyUse(this.#parts.database, passkey, newCounter, this.#parts.clock());
  }

  #party(): RelyingParty | NoRelyingParty {
    return getRelyingParty(this.#parts.baseUrl());
  }

  #requireParty(): RelyingParty {
    const party = this.#party();
    if (party.kind === 'none') throw new AppError('passkeys_unavailable', party.why);
    return party;
  }

  /** Opaque and the same for all passkeys of a person, so that an authenticator stores one account. */
  #userHandle(userId: number): Uint8Array<ArrayBuffer> {
    const key = this.#parts.box.keyFor('passkey user handles');
    return new Uint8Array(createHmac('sha256', key).update(String(userId)).digest());
  }

  async #storeChallenge(
    challenge: string,
    userId: number,
    purpose: Challenge['purpose'],
  ): Promise<void> {
    const stored = { hash: sha256Hex(challenge), userId, purpose };
    await addChallenge(this.#parts.database, stored, this.#parts.clock() + challengeMs);
  }

  /**
   * Uses the challenge up. Returns null unless it was created for this person and purpose and answered at this service's origin
   * in time.
   */
  async #answeredChallenge(
    { response }: { readonly response: { readonly clientDataJSON: string } },
    userId: number,
    purpose: Challenge['purpose'],
    party: RelyingParty,
  ): Promise<ClientData | null> {
    const data = parseClientData(response.clientDataJSON);
    if (data === null || !party.isOrigin(data.origin)) return null;
    const challenge = { hash: sha256Hex(data.challenge), userId, purpose };
    return (await useChallenge(this.#parts.database, challenge, this.#parts.clock())) ? data : null;
  }
}

const notMade = (why: string) =>
  new AppError('passkey_not_made', `The passkey was not added. ${why} Try again.`);
