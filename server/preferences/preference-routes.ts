/** The own preferences: fetched when a person enters the console, kept one list, or the frame, at a time. */
import { preferencesCall, resetPreferenceCall, saveFramePreferenceCall, savePreferenceCall } from '@patch/contract/preference-calls.ts';
import { whoAsks } from '../auth/who-asks.ts';
import type { Database } from '../database/database.ts';
import type { Answer } from '../http/answer.ts';
import { knownList, refuseUnknownFields } from './known-list.ts';
import { frameModule, preferencesOf, removePreference, setPreference } from './preference-store.ts';

export function preferenceRoutes(answer: Answer, { database }: { readonly database: Database }): void {
  const own = (userId: number) => preferencesOf(database, userId);

  answer(preferencesCall, (request) => own(whoAsks(request).id));

  answer(saveFramePreferenceCall, async (request) => {
    const { id } = whoAsks(request);
    await setPreference(database, id, frameModule, request.body);
    return own(id);
  });

  answer(savePreferenceCall, async (request) => {
    const { moduleName, preference } = request.body;
    const list = knownList(moduleName);
    const { columns = [], widths = {}, sort } = preference;
    refuseUnknownFields(list, [...columns, ...Object.keys(widths), ...(sort === undefined ? [] : [sort.replace(/^-/, '')])]);
    const { id } = whoAsks(request);
    await setPreference(database, id, list.key, preference);
    return own(id);
  });

  answer(resetPreferenceCall, async (request) => {
    const { id } = whoAsks(request);
    await removePreference(database, id, knownList(request.params.moduleName).key);
    return own(id);
  });
}
