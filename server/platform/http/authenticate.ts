/** Authenticates a request by its `Authorization: Apikey <token>` header, and checks the caller's permission. */

import {
  addPasskeyEndpoint,
  beginPasskeyEndpoint,
  passkeysEndpoint,
} from '@patch/contract/accounts/passkey-endpoints.ts';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import {
  changePasswordEndpoint,
  meEndpoint,
  passwordPolicyEndpoint,
  proveIdentityEndpoint,
  reauthenticationRequired,
  signOutEndpoint,
} from '@patch/contract/accounts/sign-in-endpoints.ts';
import {
  beginTwoFactorEndpoint,
  enableTwoFactorEndpoint,
  twoFactorEndpoint,
} from '@patch/contract/accounts/two-factor-endpoints.ts';
import type { ApiKeyScope, Endpoint } from '@patch/contract/base/endpoint.ts';
import { may, type UserAccess } from '@patch/contract/base/user-types.ts';
import { AppError } from '../errors/app-error.ts';
import type { Sight } from './sight.ts';

export interface SignedIn {
  readonly user: SignedInUser;
  /** SHA-256 of the session's token. */
  readonly session: string;
  /** True if the session was started through an identity provider. */
  readonly byProvider: boolean;
  /** True if the person has confirmed their identity within the last minutes. */
  readonly proven: boolean;
}

export interface KeyOwner {
  readonly user: SignedInUser;
  readonly keyId: number;
  readonly keyName: string;
  readonly scopes: readonly ApiKeyScope[];
}

/** A calling licensed repository client. */
export interface CallingClient {
  readonly id: number;
  readonly clientName: string;
}

/** Authenticators by form of the credential: a session's token, an API key (`prk_…`), a client's token (`prc_…`). */
export interface Authenticators {
  /** Returns null for an unknown or ended session. */
  readonly findSession: SessionAuthenticator;
  /** Returns null for an unknown or invalid key. */
  readonly findApiKey?: (key: string) => Promise<KeyOwner | null>;
  /** Returns the user as they are now; null when there is none. */
  readonly findUser?: (id: number) => Promise<SignedInUser | null>;
  /** @throws AppError with the reason why the client may not call. */
  readonly findClient?: (token: string, address: string) => Promise<CallingClient>;
}

export type SessionAuthenticator = (token: string) => Promise<SignedIn | null>;

/** The authenticated caller. */
export interface Principal {
  /** Null on public calls and for clients. */
  readonly user: SignedInUser | null;
  /** SHA-256 of the session's token; null unless a user is signed in. */
  readonly session: string | null;
  /** Null without an API key. */
  readonly keyId: number | null;
  /** The name of the API key; null without one. */
  readonly keyName: string | null;
  readonly byProvider: boolean;
  readonly proven: boolean;
  /** The API key's scopes; null without one. */
  readonly keyScopes: readonly ApiKeyScope[] | null;
  readonly client: CallingClient | null;
}

/** Returns true for a user who sees the machines of some groups alone. */
export const isLimited = ({ machineGroups = null }: SignedInUser): boolean =>
  machineGroups !== null;

export const sightOf = (caller: Pick<Principal, 'user' | 'keyScopes'>): Sight => ({
  restricted: canReadRestricted(caller),
  groups: caller.user?.machineGroups ?? null,
});

/** Returns true if the caller may read restricted fields of lists, such as activation codes. */
function canReadRestricted({ user, keyScopes }: Pick<Principal, 'user' | 'keyScopes'>): boolean {
  return user?.userType === 'Admin' && (keyScopes === null || keyScopes.includes('clients'));
}

const beforePasswordChange: ReadonlySet<string> = new Set(
  [meEndpoint, passwordPolicyEndpoint, changePasswordEndpoint, signOutEndpoint].map(
    (call) => call.name,
  ),
);

const beforeSecondFactor: ReadonlySet<string> = new Set([
  ...beforePasswordChange,
  ...[
    twoFactorEndpoint,
    beginTwoFactorEndpoint,
    enableTwoFactorEndpoint,
    passkeysEndpoint,
    beginPasskeyEndpoint,
    addPasskeyEndpoint,
    proveIdentityEndpoint,
  ].map((call) => call.name),
]);

/** Who may make calls with an access, in a sentence. */
const callers: Readonly<Record<UserAccess, string>> = {
  admin: 'an administrator',
  approver: 'an approver or an administrator',
  operator: 'an operator, an approver or an administrator',
  standard: 'a user',
};

const nobody: Principal = {
  user: null,
  session: null,
  keyId: null,
  keyName: null,
  keyScopes: null,
  byProvider: false,
  proven: false,
  client: null,
};

/** @throws AppError unless the caller may make the call. */
export async function authenticate(
  call: Endpoint,
  authorization: string | undefined,
  address: string,
  authenticators: Authenticators,
): Promise<Principal> {
  if (call.access === 'public') return nobody;
  const credential = readCredential(call, authorization ?? '');
  if (call.access === 'client')
    return { ...nobody, client: await findCallingClient(credential, address, authenticators) };
  // The console sends a credential: without one, a browser would ask for a password in a window of its own.
  if (authorization === undefined && call.scope === 'formats')
    throw new AppError(
      'no_formats_key',
      'Send an API key with the scope formats as the password of any user name.',
    );
  if (credential === undefined) throw new AppError('not_signed_in', 'Sign in first.');
  const caller = credential.startsWith('prk_')
    ? await findKeyOwner(call, credential, authenticators)
    : await findSignedIn(credential, authenticators);
  const refusal = findRefusal(call, call.access, caller.user);
  if (refusal !== null) throw refusal;
  const admitted = { ...nobody, ...caller };
  if (call.reauthenticates === true) requireProof(admitted);
  return admitted;
}

/** Returns why the user may not make the call; null when they may. */
function findRefusal(call: Endpoint, access: UserAccess, user: SignedInUser): AppError | null {
  if (!may(user.userType, access))
    return new AppError(
      'not_allowed',
      `Only ${callers[access]} may do this. Ask one, or sign in as one.`,
    );
  if (call.machines === undefined && isLimited(user))
    return new AppError(
      'limited_to_groups',
      'Only users who see all machines may do this. You see those of some groups.',
    );
  if (user.mustChangePassword && !beforePasswordChange.has(call.name))
    return new AppError(
      'must_change_password',
      'Change your password first; until then all other requests are refused.',
    );
  if (user.mustSetUpSecondFactor === true && !beforeSecondFactor.has(call.name))
    return new AppError(
      'must_set_up_second_factor',
      'Set up a second factor first; until then all other requests are refused.',
    );
  return null;
}

/** Returns what the user sees now who made a ticket with the call; null when they may no longer make the call. */
export async function findSight(
  call: Endpoint,
  userId: number,
  { findUser }: Authenticators,
): Promise<Sight | null> {
  const user = (await findUser?.(userId)) ?? null;
  if (user === null || call.access === 'public' || call.access === 'client') return null;
  return findRefusal(call, call.access, user) === null ? sightOf({ user, keyScopes: null }) : null;
}

/**
 * Requires a recent confirmation of identity, so that a stolen session cannot create accounts or keys that outlive it. An API key passes
 * only with `scope`, if given.
 * @throws AppError `reauthentication_required`, `scope_missing` or `not_with_api_key`.
 */
export function requireProof(
  {
    session,
    proven,
    byProvider,
    keyName,
    keyScopes,
  }: Pick<Principal, 'session' | 'proven' | 'byProvider' | 'keyName' | 'keyScopes'>,
  scope?: ApiKeyScope,
): void {
  if (session === null) {
    if (scope === undefined || keyName === null || keyScopes === null) throw keyNotAccepted();
    return assertScope({ keyName, scopes: keyScopes }, scope);
  }
  if (proven) return;
  const advice = byProvider
    ? 'Sign in with the identity provider again.'
    : 'Enter your password again.';
  throw new AppError(reauthenticationRequired, `Confirm your identity first. ${advice}`);
}

function assertScope(
  { keyName, scopes }: Pick<KeyOwner, 'keyName' | 'scopes'>,
  scope: ApiKeyScope,
): void {
  if (!scopes.includes(scope))
    throw new AppError(
      'scope_missing',
      `The API key "${keyName}" lacks the scope ${scope}. It has: ${scopes.join(', ')}.`,
    );
}

/** Reads the credential. Programs without API keys (dnf, zypper, feed readers) send the key for open formats as the password of basic authentication. */
function readCredential({ scope }: Endpoint, authorization: string): string | undefined {
  const [, scheme, value = ''] = /^(apikey|bearer|basic) +(\S{1,400})$/i.exec(authorization) ?? [];
  switch (scheme?.toLowerCase()) {
    case 'apikey':
      return value.length <= maxCredentialLength ? value : undefined;
    case 'bearer':
      return scope === 'formats' ? findKey(value) : undefined;
    case 'basic':
      return scope === 'formats'
        ? findKey(
            Buffer.from(value, 'base64')
              .toString()
              .replace(/^[^:]*:/, ''),
          )
        : undefined;
    default:
      return undefined;
  }
}

const maxCredentialLength = 200;

const findKey = (text: string) => /^prk_\S{1,196}$/.exec(text)?.[0];

const keyNotAccepted = () =>
  new AppError(
    'not_with_api_key',
    'This call does not accept API keys: sign in with user name and password.',
  );

async function findSignedIn(token: string, { findSession }: Authenticators): Promise<SignedIn> {
  const found = await findSession(token);
  if (found === null)
    throw new AppError('unknown_session', 'The session has ended. Sign in again.');
  return found;
}

async function findKeyOwner(
  call: Endpoint,
  key: string,
  { findApiKey }: Authenticators,
): Promise<Pick<Principal, 'keyId' | 'keyName' | 'keyScopes'> & { readonly user: SignedInUser }> {
  const found = (await findApiKey?.(key)) ?? null;
  if (found === null)
    throw new AppError(
      'unknown_api_key',
      'This API key is unknown, revoked or expired. Create a new one.',
    );
  if (call.scope === undefined) throw keyNotAccepted();
  assertScope(found, call.scope);
  return { user: found.user, keyId: found.keyId, keyName: found.keyName, keyScopes: found.scopes };
}

async function findCallingClient(
  token: string | undefined,
  address: string,
  { findClient }: Authenticators,
): Promise<CallingClient> {
  if (token === undefined || findClient === undefined)
    throw new AppError(
      'no_client_token',
      'Activate first, and send the token: Authorization: Apikey prc_…',
    );
  return findClient(token, address);
}
