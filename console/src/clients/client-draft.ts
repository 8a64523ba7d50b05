/** The values of the client form. An expiry of 0 means that the licence has no end. */
import { vendorSourceKeys } from '@patch/catalogue/sources.ts';
import type { ClientEntry, LicensedClient } from '@patch/contract/licensed-client-endpoints.ts';

export type ClientDraft = Omit<ClientEntry, 'licenseExpiry' | 'reportsMachines'> & {
  readonly licenseExpiry: number;
  readonly reportsMachines: boolean;
};

const day = 86_400_000;

/** Returns the draft of a 30-day trial with all families. */
export const newDraft = (now: number): ClientDraft => ({
  clientName: '',
  licenseType: 'trial',
  licenseExpiry: now + 30 * day,
  deploymentMode: 'standalone',
  environment: 'production',
  technicianLicence: 'named',
  technicians: 1,
  itAssets: 0,
  nonItAssets: 0,
  endPoints: 0,
  families: [...vendorSourceKeys],
  contactEmail: '',
  notes: '',
  reportsMachines: false,
});

export function toClientDraft(client: LicensedClient): ClientDraft {
  const { clientName, licenseType, deploymentMode, environment, technicianLicence, technicians } =
    client;
  const {
    itAssets,
    nonItAssets,
    endPoints,
    families,
    contactEmail,
    notes,
    licenseExpiry,
    reportsMachines,
  } = client;
  return {
    clientName,
    licenseType,
    licenseExpiry: licenseExpiry ?? 0,
    deploymentMode,
    environment,
    technicianLicence,
    technicians,
    itAssets,
    nonItAssets,
    endPoints,
    families,
    contactEmail,
    notes,
    reportsMachines,
  };
}

export const toClientEntry = (draft: ClientDraft): ClientEntry => ({
  ...draft,
  clientName: draft.clientName.trim(),
  contactEmail: draft.contactEmail.trim(),
  licenseExpiry:
    draft.licenseType === 'perpetual' || draft.licenseExpiry === 0 ? null : draft.licenseExpiry,
});
