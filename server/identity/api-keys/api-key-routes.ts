/** Routes for API keys. */
import {
  type ApiKey,
  apiKeysEndpoint,
  createApiKeyEndpoint,
  endApiKeyEndpoint,
  endOwnApiKeyEndpoint,
  maxApiKeys,
  ownApiKeysEndpoint,
  scopesOfUserType,
} from '@patch/contract/accounts/api-key-endpoints.ts';
import { keyLifeProblem } from '@patch/contract/accounts/api-key-life.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { AuditedChange, RouteRegistrar } from '../../platform/http/route.ts';
import type { PlatformContext } from '../../platform/platform-context.ts';
import { lockUser, sessionEnded } from '../accounts/user-store.ts';
import { addApiKey, readApiKey, readApiKeys, removeApiKey } from './api-key-store.ts';
import { hashKey, newApiKey } from './api-keys.ts';

/** The part of a key that is shown later: enough to recognize it, too little to guess the rest. */
const prefixLength = 'prk_'.length + 6;

export function apiKeyRoutes(
  route: RouteRegistrar,
  { database, clock }: Pick<PlatformContext, 'database' | 'clock'>,
): void {
  route(ownApiKeysEndpoint, (request) => list(requireUser(request).id));
  route(apiKeysEndpoint, ({ query: { user } }) => list(user ?? null));

  route(createApiKeyEndpoint, async (request) => {
    const { name, scopes, expiresAt, group } = request.body;
    const { id: userId, userType } = requireUser(request);
    const now = clock();
    const barred = scopes.find((scope) => !scopesOfUserType[userType].includes(scope));
    if (barred !== undefined)
      throw new AppError(
        'scope_not_allowed',
        `Your keys cannot have the scope ${barred}. They can have: ${scopesOfUserType[userType].join(', ')}.`,
      );
    const problem = keyLifeProblem(expiresAt, now);
    if (problem !== null) throw new AppError(problem.code, problem.words);
    const key = newApiKey();
    const stored = await database.transaction(async (session) => {
      // The lock makes concurrent requests respect the maximum.
      if (!(await lockUser(session, userId))) throw sessionEnded();
      if ((await readApiKeys(session, userId)).length >= maxApiKeys)
        throw new AppError(
          'too_many_keys',
          `You have ${maxApiKeys} API keys, the maximum. Revoke one first.`,
        );
      const prefix = key.slice(0, prefixLength);
      const id = await addApiKey(session, {
        userId,
        name,
        keyHash: hashKey(key),
        prefix,
        scopes,
        createdTime: now,
        expiresTime: expiresAt,
        group,
      });
      if (id === null)
        throw new AppError(
          'name_taken',
          `You already have a key named '${name}'. Choose another name.`,
        );
      return requireKey(await readApiKey(session, id));
    });
    request.changed({ ...keySubject(stored), after: { scopes, expiresAt, group } });
    return { ...stored, key };
  });

  route(endOwnApiKeyEndpoint, async (request) => {
    const key = await readApiKey(database, request.params.id);
    return end(key?.ownerId === requireUser(request).id ? key : null, request.changed);
  });

  route(endApiKeyEndpoint, async ({ params: { id }, changed }) =>
    end(await readApiKey(database, id), changed),
  );

  async function list(userId: number | null) {
    const objList = [...(await readApiKeys(database, userId))];
    return { objList, totalCount: objList.length };
  }

  async function end(found: ApiKey | null, changed: (change: AuditedChange) => void) {
    const key = requireKey(found);
    await removeApiKey(database, key.id);
    changed({ ...keySubject(key), before: { scopes: key.scopes, expiresAt: key.expiresAt } });
    return { message: `The API key '${key.name}' has been ended.` };
  }
}

function requireKey(key: ApiKey | null): ApiKey {
  if (key === null) throw new AppError('no_such_key', 'This API key no longer exists.');
  return key;
}

const keySubject = ({ name, ownerName }: ApiKey) => ({
  subject: `API key ${name} of ${ownerName}`,
});
