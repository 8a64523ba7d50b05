/** The registry of licensed clients: what each may fetch and until when, and what it has not fetched yet. */
import {
  deploymentLabels,
  environmentLabels,
  licenceLabels,
  technicianLabels,
} from '@patch/catalogue/clients/licence-labels.ts';
import { vendorSourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { IdParams, instant, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { noParams } from '../base/no-input.ts';
import { isPlainLines, plainLinesRule } from '../base/plain-text.ts';
import { heldBackReasons } from '../fleet/machine-endpoints.ts';
import { isEmail } from '../form-rules/text-rules.ts';
import { Figure } from '../reports/dashboard-endpoint.ts';
import { CarriedKeys } from './client-protocol-endpoints.ts';

const toEnum = <Name extends string>(words: Readonly<Record<Name, string>>) =>
  z.enum(Object.keys(words) as [Name, ...Name[]]);

const maxOfAnything = 100_000_000;
const count = z
  .number()
  .int('must be a whole number')
  .min(0, 'must be 0 or more')
  .max(maxOfAnything, 'must be 100000000 or less');

const isEachOnce = (names: readonly string[]) => new Set(names).size === names.length;

const shape = {
  clientName: plainLine(100, 'Size of Client must be less than 100.'),
  licenseType: toEnum(licenceLabels),
  /** Null for a perpetual licence, and only for that. */
  licenseExpiry: instant.nullable(),
  deploymentMode: toEnum(deploymentLabels),
  environment: toEnum(environmentLabels),
  technicianLicence: toEnum(technicianLabels),
  technicians: count,
  itAssets: count,
  nonItAssets: count,
  endPoints: count,
  /** The sources whose lists the client may fetch. */
  families: z
    .array(z.enum(vendorSourceKeys))
    .min(1, 'must name at least one family')
    .refine(isEachOnce, 'must name each family once'),
  /** Receives a warning before the licence ends; when empty, only the administrators do. */
  contactEmail: z.union([
    z.literal(''),
    z.string().max(254).refine(isEmail, 'must be a valid email'),
  ]),
  notes: z
    .string()
    .max(4000, 'Size of Notes must be less than 4000.')
    .refine(isPlainLines, plainLinesRule),
  /** False when absent. */
  reportsMachines: z
    .boolean()
    .optional()
    .describe(
      'Whether the client may report machines with their inventories. When it is switched off, they are deleted',
    ),
};

/** The fields that an administrator enters. */
export const ClientEntry = z
  .strictObject(shape)
  .refine(
    ({ licenseType, licenseExpiry }) => (licenseType === 'perpetual') === (licenseExpiry === null),
    {
      path: ['licenseExpiry'],
      message:
        'is required for a trial or a subscription, and must be absent for a perpetual licence',
    },
  );
export type ClientEntry = z.infer<typeof ClientEntry>;

/** Changed fields are validated together with unchanged ones: a licence becomes perpetual by losing its expiry. */
const ChangedEntry = z.strictObject(shape).partial();
export type ChangedEntry = z.infer<typeof ChangedEntry>;

/**
 * `waiting` means that the code was never used. When two states apply, the later one counts: an expired client that is revoked is
 * `revoked`.
 */
export const clientStates = ['waiting', 'active', 'expired', 'revoked'] as const;
export type ClientState = (typeof clientStates)[number];

export const LicensedClient = z.object({
  id: z.number().int(),
  ...shape,
  reportsMachines: z.boolean(),
  state: z.enum(clientStates),
  /** Five groups of five letters, to be typed at the client; empty when it was encrypted with a different key than the service's. */
  activationCode: z.string(),
  /** The time and machine of the last activation; null and empty before. */
  registeredOn: instant.nullable(),
  hostName: z.string(),
  applicationVersion: z.string(),
  /** When it last requested changes. */
  latestKbRequestOn: instant.nullable(),
  /** When it last had everything, according to its own report. */
  repoUpdatedOn: instant.nullable(),
  /** Until when the code may be used once more although a client uses it; null when it may not. */
  reactivationUntil: instant.nullable(),
  revokedOn: instant.nullable(),
  revokedBy: z.string(),
  createdOn: instant,
});
export type LicensedClient = z.infer<typeof LicensedClient>;

const tag = 'Licensed clients';
const ofOne = {
  tag,
  access: 'admin',
  scope: 'clients',
  params: IdParams,
  reply: LicensedClient,
} as const;

/** `GET /windows/user/{id}` returns it as a record of its list. */
export const licensedClientEndpoint = defineEndpoint({
  ...ofOne,
  name: 'licensed_client',
  summary: 'A client as registered, with its state',
  method: 'GET',
  path: '/windows/user/{id}/licence',
});

export const createClientEndpoint = defineEndpoint({
  ...ofOne,
  name: 'create_licensed_client',
  summary: 'Register a client; returns its activation code',
  method: 'POST',
  path: '/windows/user',
  params: noParams,
  body: ClientEntry,
  status: 201,
});

export const changeClientEndpoint = defineEndpoint({
  ...ofOne,
  name: 'change_licensed_client',
  summary: 'Change a client; omitted fields, its code, its token and its fetched records stay',
  method: 'PUT',
  path: '/windows/user/{id}/licence',
  body: ChangedEntry,
});

export const renewClientEndpoint = defineEndpoint({
  ...ofOne,
  name: 'renew_licensed_client',
  summary: 'Set a new end of a licence; 409 for a perpetual one, 422 when it is in the past',
  method: 'POST',
  path: '/windows/user/{id}/renew',
  body: z.strictObject({ licenseExpiry: instant }),
});

export const revokeClientEndpoint = defineEndpoint({
  ...ofOne,
  name: 'revoke_licensed_client',
  summary: 'Revoke a client: its requests are refused; 409 when it is already revoked',
  method: 'POST',
  path: '/windows/user/{id}/revoke',
});

export const restoreClientEndpoint = defineEndpoint({
  ...ofOne,
  name: 'restore_licensed_client',
  summary: 'Restore a revoked client with its existing token; 409 when it is not revoked',
  method: 'POST',
  path: '/windows/user/{id}/restore',
});

export const newActivationCodeEndpoint = defineEndpoint({
  ...ofOne,
  name: 'new_activation_code',
  summary:
    'Create a new activation code: the old code and its token stop working, and any machine may activate',
  method: 'POST',
  path: '/windows/user/{id}/activation-code',
});

export const allowReactivationEndpoint = defineEndpoint({
  ...ofOne,
  name: 'allow_client_reactivation',
  summary:
    'Allow one more activation with the same code within 24 hours; the current token works until then. 409 unless the code is in use',
  method: 'POST',
  path: '/windows/user/{id}/reactivation',
});

export const carriedKeysEndpoint = defineEndpoint({
  ...ofOne,
  name: 'carried_client_keys',
  summary:
    'The keys of a client that cannot reach the repository, as a file for its option --keys: they open what is published within the next 20 to 24 hours, and all before. 409 when nothing is published for the client',
  method: 'POST',
  path: '/windows/user/{id}/carried-keys',
  reply: CarriedKeys,
});

/** Records of a list that a client has not fetched. A search with each figure's criteria finds these records. */
export const ListExposure = z.object({
  list: z.string(),
  label: z.string(),
  /** When the client last requested the list's changes; null when never, so that everything is missing. */
  fetchedOn: instant.nullable(),
  /** Listed records that the client's ring declines, so that the client does not get them. */
  declined: z.number().int(),
  /** Records published or changed since the client last fetched the list. */
  all: Figure,
  /** Null when the vendor's list has no severities. */
  critical: Figure.nullable(),
  important: Figure.nullable(),
});
export type ListExposure = z.infer<typeof ListExposure>;

export const ClientExposure = z.object({
  clientId: z.number().int(),
  clientName: z.string(),
  /** Updates of all lists, each counted once. */
  critical: z.number().int(),
  important: z.number().int(),
  /** The lists of its families. */
  lists: z.array(ListExposure),
});
export type ClientExposure = z.infer<typeof ClientExposure>;

const admins = { tag, access: 'admin', scope: 'clients' } as const;

export const clientExposureEndpoint = defineEndpoint({
  ...admins,
  name: 'client_exposure',
  summary:
    'What a client has not fetched yet, by list, with the numbers of critical and important records',
  method: 'GET',
  path: '/windows/user/{id}/exposure',
  params: IdParams,
  reply: ClientExposure,
});

/** A client that lacks updates of a list, with their number. */
export const BehindClient = z.object({
  id: z.number().int(),
  clientName: z.string(),
  fetchedOn: instant.nullable(),
  all: z.number().int(),
  critical: z.number().int(),
  important: z.number().int(),
  /** Listed records that the client's ring declines; they are in no other number if they were published before the last fetch. */
  declined: z.number().int(),
});
export type BehindClient = z.infer<typeof BehindClient>;

/** Clients per list in a reply, those that lack most first. */
export const maxClientsPerList = 100;

export const notYetFetchedEndpoint = defineEndpoint({
  ...admins,
  name: 'not_yet_fetched',
  summary:
    'By list, the clients that have not fetched everything yet; revoked and expired clients do not count',
  method: 'GET',
  path: '/windows/user/exposure',
  reply: z.object({
    objList: z.array(
      z.object({
        list: z.string(),
        label: z.string(),
        /** False when the vendor's list has no severities, so that critical and important are 0. */
        hasSeverity: z.boolean(),
        /** Clients whose licence covers the list, and those among them that lack any, a critical or an important record. */
        clients: z.number().int(),
        behind: z.number().int(),
        lackCritical: z.number().int(),
        lackImportant: z.number().int(),
        notYetFetchedBy: z.array(BehindClient),
      }),
    ),
    totalCount: z.number().int(),
  }),
});

export const recordNotFetchedEndpoint = defineEndpoint({
  ...admins,
  name: 'record_not_fetched',
  summary: 'The clients that have not fetched the current version of a record',
  method: 'GET',
  path: '/windows/user/not-fetched/{list}/{id}',
  params: z.object({ list: z.string().max(100), ...IdParams.shape }),
  reply: z.object({
    objList: z.array(
      BehindClient.pick({ id: true, clientName: true, fetchedOn: true }).extend({
        /** `newer`: than the checkpoint of the client's ring; `declined`: for the ring, also before the client has heard of it; null: the client has only to fetch it. */
        heldBack: z.enum(heldBackReasons).nullable(),
      }),
    ),
    totalCount: z.number().int(),
    /** Clients whose licence covers the record's list. */
    clients: z.number().int(),
  }),
});
