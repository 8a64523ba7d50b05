/**
 * Audit entries about licensed clients. Restricted values are masked: more people and programs read
 * the log than the registry.
 */
import { restrictedMask } from '@patch/catalogue/definition/restricted-fields.ts';
import type { CarriedKeys } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import type { LicensedClient } from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { endOfPeriod, noFamily } from '@patch/contract/tree/family-keys.ts';
import type { AuditedChange } from '../../platform/http/route.ts';
import { hashCode } from './licensed-client-store.ts';

export const auditSubject = ({ clientName }: Pick<LicensedClient, 'clientName'>) =>
  `licensed client ${clientName}`;

export function auditedCreation(created: LicensedClient): AuditedChange {
  return { subject: auditSubject(created), after: auditRecord(created) };
}

export function auditedChange(before: LicensedClient, after: LicensedClient): AuditedChange {
  return {
    subject: auditSubject(after),
    before: auditRecord(before),
    after: { ...auditRecord(after), ...restrictedChanges(before, after) },
  };
}

/** The log has no key: it says how far the keys reach. */
export function auditedKeys({ licence: { clientName, tree } }: CarriedKeys): AuditedChange {
  return {
    subject: auditSubject({ clientName }),
    after: {
      families: Object.keys(tree.keys).filter((family) => family !== noFamily),
      opensUntil: endOfPeriod(tree.period),
    },
  };
}

/** `codeId`, the first eight hex digits of the code's SHA-256, distinguishes codes without revealing them. */
function auditRecord({ activationCode, contactEmail, notes, hostName, ...others }: LicensedClient) {
  return {
    ...others,
    contactEmail: masked(contactEmail),
    notes: masked(notes),
    hostName: masked(hostName),
    codeId: hashCode(activationCode).slice(0, 8),
  };
}

/** Lists the names of the restricted values that differ, since the log does not contain the values. */
function restrictedChanges(before: LicensedClient, after: LicensedClient) {
  const names = (['contactEmail', 'notes', 'hostName'] as const).filter(
    (name) => before[name] !== after[name],
  );
  return names.length === 0 ? {} : { changedFields: names };
}

const masked = (text: string) => (text === '' ? '' : restrictedMask);
