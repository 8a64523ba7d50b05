/** Routes for administrators: the registry of licensed clients, and the updates that clients have not fetched. */
import {
  allowReactivationEndpoint,
  carriedKeysEndpoint,
  changeClientEndpoint,
  clientExposureEndpoint,
  createClientEndpoint,
  type LicensedClient,
  licensedClientEndpoint,
  newActivationCodeEndpoint,
  notYetFetchedEndpoint,
  recordNotFetchedEndpoint,
  renewClientEndpoint,
  restoreClientEndpoint,
  revokeClientEndpoint,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { AuditedChange, RouteRegistrar } from '../../platform/http/route.ts';
import { getSearchCaller, type SearchService } from '../../records/search/search-service.ts';
import { giveCarriedKeys, type KeysContext } from './carried-keys.ts';
import { auditedChange, auditedCreation, auditedKeys } from './client-audit.ts';
import type { ClientContext, RegistryContext } from './client-context.ts';
import { countClientExposure } from './client-exposure.ts';
import {
  type ClientRevision,
  changeClientRecord,
  changedEntry,
  createClientRecord,
  permitReactivation,
  readClientRecord,
  renewal,
  replaceActivationCode,
  restoration,
  revocation,
} from './client-records.ts';
import { countClientsBehindByList, findClientsBehindOnRecord } from './clients-behind.ts';

export function licensedClientRoutes(
  route: RouteRegistrar,
  context: RegistryContext & KeysContext,
): void {
  const { clock } = context;

  route(licensedClientEndpoint, ({ params: { id } }) => readClientRecord(context, id));

  route(createClientEndpoint, async ({ body, changed }) => {
    const created = await createClientRecord(context, body);
    changed(auditedCreation(created));
    return created;
  });

  route(changeClientEndpoint, ({ params: { id }, body, changed }) =>
    audited(
      changed,
      changeClientRecord(context, id, (client) => changedEntry(client, body)),
    ),
  );

  route(renewClientEndpoint, ({ params: { id }, body: { licenseExpiry }, changed }) =>
    audited(
      changed,
      changeClientRecord(context, id, (client) => renewal(client, licenseExpiry, clock())),
    ),
  );

  route(revokeClientEndpoint, ({ params: { id }, changed, ...request }) =>
    audited(
      changed,
      changeClientRecord(context, id, (client) =>
        revocation(client, requireUser(request).name, clock()),
      ),
    ),
  );

  route(restoreClientEndpoint, ({ params: { id }, changed }) =>
    audited(changed, changeClientRecord(context, id, restoration)),
  );

  route(newActivationCodeEndpoint, ({ params: { id }, changed }) =>
    audited(changed, replaceActivationCode(context, id)),
  );

  route(allowReactivationEndpoint, ({ params: { id }, changed }) =>
    audited(changed, permitReactivation(context, id)),
  );

  route(carriedKeysEndpoint, async ({ params: { id }, changed }) => {
    const keys = await giveCarriedKeys(context, id);
    changed(auditedKeys(keys));
    return keys;
  });
}

/** Reports a change to the audit log and returns the changed client. */
async function audited(
  changed: (change: AuditedChange) => void,
  change: Promise<ClientRevision>,
): Promise<LicensedClient> {
  const { before, after } = await change;
  changed(auditedChange(before, after));
  return after;
}

export function exposureRoutes(
  route: RouteRegistrar,
  { database, clock, searchService }: ClientContext & { readonly searchService: SearchService },
): void {
  route(clientExposureEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () =>
      countClientExposure({ database, clock, counts: searchService.counts }, request.params.id),
    ),
  );

  route(notYetFetchedEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () => countClientsBehindByList(database, clock())),
  );

  route(recordNotFetchedEndpoint, ({ params }) =>
    findClientsBehindOnRecord(database, clock(), params),
  );
}
