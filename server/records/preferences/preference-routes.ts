/** Endpoints of the user's own preferences. They are read together, and saved for one list or the frame at a time. */
import { listSortFields } from '@patch/catalogue/definition/sort-fields.ts';
import {
  preferencesEndpoint,
  resetPreferenceEndpoint,
  saveFramePreferenceEndpoint,
  savePreferenceEndpoint,
} from '@patch/contract/operations/preference-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { assertKnownFields, getKnownList } from './known-list.ts';
import {
  frameModule,
  readPreferences,
  removePreference,
  setPreference,
} from './preference-store.ts';

export function preferenceRoutes(
  route: RouteRegistrar,
  { database }: { readonly database: Database },
): void {
  const readOwn = (userId: number) => readPreferences(database, userId);

  route(preferencesEndpoint, (request) => readOwn(requireUser(request).id));

  route(saveFramePreferenceEndpoint, async (request) => {
    const { id } = requireUser(request);
    await setPreference(database, id, frameModule, request.body);
    return readOwn(id);
  });

  route(savePreferenceEndpoint, async (request) => {
    const { moduleName, preference } = request.body;
    const list = getKnownList(moduleName);
    const { columns = [], widths = {}, sort } = preference;
    assertKnownFields(list, [
      ...columns,
      ...Object.keys(widths),
      ...(sort === undefined ? [] : listSortFields(list, sort)),
    ]);
    const { id } = requireUser(request);
    await setPreference(database, id, list.key, preference);
    return readOwn(id);
  });

  route(resetPreferenceEndpoint, async (request) => {
    const { id } = requireUser(request);
    await removePreference(database, id, getKnownList(request.params.moduleName).key);
    return readOwn(id);
  });
}
