/** Routes of the registry of licensed clients, for administrators. */
import {
  allowReactivationEndpoint,
  changeClientEndpoint,
  createClientEndpoint,
  type LicensedClient,
  licensedClientEndpoint,
  newActivationCodeEndpoint,
  renewClientEndpoint,
  restoreClientEndpoint,
  revokeClientEndpoint,
} from '@patch/contract/licensed-client-endpoints.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { AuditedChange, RouteRegistrar } from '../../platform/http/route.ts';
import { auditedChange, auditedCreation } from './client-audit.ts';
import type { RegistryContext } from './client-context.ts';
import {
  type ClientRevision,
  changeClientRecord,
  createClientRecord,
  permitReactivation,
  readClientRecord,
  replaceActivationCode,
} from './client-records.ts';
import { changedEntry, renewal, restoration, revocation } from './licence-changes.ts';

export function licensedClientRoutes(route: RouteRegistrar, context: RegistryContext): void {
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
