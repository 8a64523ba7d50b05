/** The calls about API keys. */
import {
  type ApiKey,
  apiKeysCall,
  createApiKeyCall,
  endApiKeyCall,
  endOwnApiKeyCall,
  mostApiKeys,
  ownApiKeysCall,
  scopesOfUserType,
} from '@patch/contract/api-key-calls.ts';
import { keyLifeProblem } from '@patch/contract/api-key-life.ts';
import { whoAsks } from '../auth/who-asks.ts';
import type { Database } from '../database/database.ts';
import type { Answer, Change } from '../http/answer.ts';
import { Refusal } from '../http/refusal.ts';
import { lockUser } from '../users/user-store.ts';
import { hashOfKey, newApiKey } from './api-key-door.ts';
import { addApiKey, apiKey, apiKeysOf, removeApiKey } from './api-key-store.ts';

export interface ApiKeyParts {
  readonly database: Database;
  readonly clock: () => number;
}

/** As much of a key as is shown later: enough to know it by, too little to guess the rest. */
const prefixLength = 'prk_'.length + 6;

export function apiKeyRoutes(answer: Answer, { database, clock }: ApiKeyParts): void {
  answer(ownApiKeysCall, (request) => list(whoAsks(request).id));
  answer(apiKeysCall, ({ query: { user } }) => list(user ?? null));

  answer(createApiKeyCall, async (request) => {
    const { name, scopes, expiresAt } = request.body;
    const { id: userId, userType } = whoAsks(request);
    const now = clock();
    const barred = scopes.find((scope) => !scopesOfUserType[userType].includes(scope));
    if (barred !== undefined)
      throw new Refusal(422, 'scope_not_allowed', `Your keys cannot have the scope ${barred}: it is for administrators.`);
    const problem = keyLifeProblem(expiresAt, now);
    if (problem !== null) throw new Refusal(422, problem.code, problem.words);
    const key = newApiKey();
    const kept = await database.transaction(async (session) => {
      // Locked, so that many made at once are counted one after the other.
      if (!(await lockUser(session, userId))) throw new Refusal(401, 'session_ended', 'The session has ended. Sign in again.');
      if ((await apiKeysOf(session, userId)).length >= mostApiKeys)
        throw new Refusal(409, 'too_many_keys', `You have ${mostApiKeys} API keys, the maximum. Revoke one first.`);
      const prefix = key.slice(0, prefixLength);
      const id = await addApiKey(session, {
        userId,
        name,
        keyHash: hashOfKey(key),
        prefix,
        scopes,
        createdTime: now,
        expiresTime: expiresAt,
      });
      if (id === null) throw new Refusal(409, 'name_taken', `You already have a key named '${name}'. Choose another name.`);
      return existing(await apiKey(session, id));
    });
    request.changed({ ...subjectOf(kept), after: { scopes, expiresAt } });
    return { ...kept, key };
  });

  answer(endOwnApiKeyCall, async (request) => {
    const key = await apiKey(database, request.params.id);
    return end(key?.ownerId === whoAsks(request).id ? key : null, request.changed);
  });

  answer(endApiKeyCall, async ({ params: { id }, changed }) => end(await apiKey(database, id), changed));

  async function list(userId: number | null) {
    const objList = [...(await apiKeysOf(database, userId))];
    return { objList, totalCount: objList.length };
  }

  async function end(found: ApiKey | null, changed: (change: Change) => void) {
    const key = existing(found);
    await removeApiKey(database, key.id);
    changed({ ...subjectOf(key), before: { scopes: key.scopes, expiresAt: key.expiresAt } });
    return { message: `The API key '${key.name}' has been ended.` };
  }
}

function existing(key: ApiKey | null): ApiKey {
  if (key === null) throw new Refusal(404, 'no_such_key', 'This API key no longer exists.');
  return key;
}

const subjectOf = ({ name, ownerName }: ApiKey) => ({ subject: `API key ${name} of ${ownerName}` });
