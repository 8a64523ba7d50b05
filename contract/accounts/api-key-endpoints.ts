/** API keys for programs that act on a user's behalf. Each has scopes, and is valid until it expires or is revoked. */
import { z } from 'zod';
import { IdParams, Message, plainLine } from '../base/common-schemas.ts';
import { type ApiKeyScope, apiKeyScopes, defineEndpoint } from '../base/endpoint.ts';
import type { UserType } from '../base/user-types.ts';

/** Scopes that a key may have together. The key of machines has none of them: every machine of its group stores it. */
export const combinableScopes = apiKeyScopes.filter((scope) => scope !== 'report');

/** Scopes that a user may give to API keys; keys cannot make any other call. */
export const scopesOfUserType: Readonly<Record<UserType, readonly ApiKeyScope[]>> = {
  Admin: apiKeyScopes,
  Approver: ['read', 'clients', 'assess', 'formats', 'events'],
  Operator: ['read', 'clients', 'assess', 'formats', 'events'],
  Standard: ['read', 'assess', 'formats', 'events'],
};

export const maxApiKeys = 50;

export const ApiKey = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The beginning of the key, to distinguish it from others. */
  prefix: z.string(),
  scopes: z.array(z.enum(apiKeyScopes)),
  ownerId: z.number().int(),
  ownerName: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
  /** Precise to the minute; null when it was never used. */
  lastUsedAt: z.number().nullable(),
  enrolment: z
    .object({
      group: z.string(),
      reports: z.number().int(),
      machines: z.number().int().describe('Machines that reported with this key'),
    })
    .nullable()
    .describe('Of a key with the scope report'),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** The latest time that a Date can represent. */
const latestTime = 8.64e15;

export const NewApiKey = z
  .strictObject({
    name: plainLine(100, 'Size of Name must be less than 100.'),
    scopes: z
      .array(z.enum(apiKeyScopes))
      .min(1, 'must have at least one')
      .transform((chosen) => apiKeyScopes.filter((scope) => chosen.includes(scope))),
    /** Epoch milliseconds, at most a year ahead. */
    expiresAt: z.number().int().positive().max(latestTime, 'must be a valid time'),
    /** The group whose machines report with the key; created with its first key. */
    group: plainLine(100).optional(),
  })
  .refine(
    ({ scopes }) => scopes.length === 1 || !scopes.includes('report'),
    'The scope report allows no other scope beside it, because every machine of the group has the key',
  )
  .refine(
    ({ scopes, group }) => scopes.includes('report') === (group !== undefined),
    'A key with the scope report needs a group, and no other key has one',
  );

const ApiKeys = z.object({ objList: z.array(ApiKey), totalCount: z.number().int() });
const own = { tag: 'Own account', access: 'standard', machines: 'none' } as const;
/** API keys cannot make these calls, so that a leaked key cannot create an account. */
const admins = { tag: 'Users', access: 'admin' } as const;

export const ownApiKeysEndpoint = defineEndpoint({
  ...own,
  name: 'own_api_keys',
  summary: 'The current user’s API keys, newest first',
  method: 'GET',
  path: '/me/apikeys',
  reply: ApiKeys,
});

export const createApiKeyEndpoint = defineEndpoint({
  ...own,
  reauthenticates: true,
  name: 'create_api_key',
  summary: 'Create an API key; its token is returned only once',
  method: 'POST',
  path: '/me/apikeys',
  body: NewApiKey,
  reply: ApiKey.extend({ key: z.string().describe('Sent as `Authorization: Apikey prk_…`') }),
  status: 201,
});

export const endOwnApiKeyEndpoint = defineEndpoint({
  ...own,
  name: 'end_own_api_key',
  summary: 'Revoke one of the current user’s API keys',
  method: 'DELETE',
  path: '/me/apikeys/{id}',
  params: IdParams,
  reply: Message,
});

export const apiKeysEndpoint = defineEndpoint({
  ...admins,
  name: 'api_keys',
  summary: 'All API keys or those of one user, newest first',
  method: 'GET',
  path: '/apikeys',
  query: z.strictObject({ user: IdParams.shape.id.optional() }),
  reply: ApiKeys,
});

export const endApiKeyEndpoint = defineEndpoint({
  ...admins,
  name: 'end_api_key',
  summary: 'Revoke an API key of any user',
  method: 'DELETE',
  path: '/apikeys/{id}',
  params: IdParams,
  reply: Message,
});
