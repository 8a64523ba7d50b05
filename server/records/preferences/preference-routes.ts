/** The own preferences: fetched when a person enters the console, kept one list, or the frame, at a time. */
import {
  preferencesEndpoint,
  resetPreferenceEndpoint,
  saveFramePreferenceEndpoint,
  savePreferenceEndpoint,
} from '@patch/contract/preference-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { assertKnownFields, knownList } from './known-list.ts';
import { frameModule, preferencesOf, removePreference, setPreference } from './preference-store.ts';

export function preferenceRoutes(
  route: RouteRegistrar,
  { database }: { readonly database: Database },
): void {
  const own = (userId: number) => preferencesOf(database, userId);

  route(preferencesEndpoint, (request) => own(requireUser(request).id));

  route(saveFramePreferenceEndpoint, async (request) => {
    const { id } = requireUser(request);
    await setPreference(database, id, frameModule, request.body);
    return own(id);
  });

  route(savePreferenceEndpoint, async (request) => {
    const { moduleName, preference } = request.body;
    const list = knownList(moduleName);
    const { columns = [], widths = {}, sort } = preference;
    assertKnownFields(list, [
      ...columns,
      ...Object.keys(widths),
      ...(sort === undefined ? [] : [sort.replace(/^-/, '')]),
    ]);
    const { id } = requireUser(request);
    await setPreference(database, id, list.key, preference);
    return own(id);
  });

  route(resetPreferenceEndpoint, async (request) => {
    const { id } = requireUser(request);
    await removePreference(database, id, knownList(request.params.moduleName).key);
    return own(id);
  });
}
