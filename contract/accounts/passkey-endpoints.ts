/** The current user's passkeys, which are a second factor: adding, listing and removing them. */
import { z } from 'zod';
import { IdParams, Message, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { base64url, CredentialId } from './passkey-assertion.ts';
import { BackupCodes } from './two-factor-endpoints.ts';

/** Limit per user. */
export const maxPasskeys = 10;
export const passkeyNameLength = 50;

/** The browser's answer to `PasskeyCreationOptions` (WebAuthn level 3, 5.1: `RegistrationResponseJSON`). */
export const PasskeyRegistration = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(16_384),
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
});
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>;

/** The input of `navigator.credentials.create` (WebAuthn level 3, 5.4: `PublicKeyCredentialCreationOptionsJSON`). */
export const PasskeyCreationOptions = z.looseObject({
  challenge: z.string(),
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number().int(), type: z.literal('public-key') })),
});

export const Passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The host that it is bound to; it works for no other host. */
  host: z.string(),
  /** Epoch milliseconds. */
  createdAt: z.number(),
  /** Null when it was never used. */
  lastUsedAt: z.number().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

const path = '/user/twofactor/passkeys';
const own = { tag: 'Two-factor', access: 'standard', machines: 'none' } as const;

export const passkeysEndpoint = defineEndpoint({
  ...own,
  name: 'passkeys',
  summary: 'The current user’s passkeys, oldest first',
  method: 'GET',
  path,
  reply: z.object({
    objList: z.array(Passkey),
    totalCount: z.number().int(),
    /** Why browsers refuse passkeys for this service's address; null when they accept them. */
    unavailable: z.string().nullable(),
  }),
});

export const beginPasskeyEndpoint = defineEndpoint({
  ...own,
  name: 'begin_passkey',
  summary: 'What the browser needs to create a passkey; valid for five minutes',
  method: 'POST',
  path: `${path}/options`,
  reauthenticates: true,
  reply: z.object({ options: PasskeyCreationOptions }),
});

export const addPasskeyEndpoint = defineEndpoint({
  ...own,
  name: 'add_passkey',
  summary:
    'Add the passkey that the browser created; the first second factor comes with backup codes',
  method: 'POST',
  path,
  reauthenticates: true,
  status: 201,
  body: z.strictObject({
    name: plainLine(passkeyNameLength),
    registration: PasskeyRegistration,
  }),
  reply: z.object({
    passkey: Passkey,
    /** Null when there are backup codes already. */
    backupCodes: BackupCodes.shape.backupCodes.nullable(),
  }),
});

export const removePasskeyEndpoint = defineEndpoint({
  ...own,
  name: 'remove_passkey',
  summary:
    'Remove one of the current user’s passkeys; removing the last second factor also removes the backup codes',
  method: 'DELETE',
  path: `${path}/{id}`,
  reauthenticates: true,
  params: IdParams,
  reply: Message,
});
