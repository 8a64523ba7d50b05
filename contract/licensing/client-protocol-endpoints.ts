/**
 * The protocol between a licensed client and the repository: the client activates once, then requests changes and sends
 * heartbeats. A client without access receives 403 with `unknown_client`, `client_revoked`, `licence_expired`,
 * `activated_already` or `family_not_licensed`.
 */
import { z } from 'zod';
import { instant, integerText, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { isPlainText, plainTextRule } from '../base/plain-text.ts';
import { readActivationCode } from './activation-code.ts';

const tag = 'Client protocol';
const version = plainLine(100);

/** Where a client fetches the published catalogue, and with which keys: see docs/catalogue-format.md. */
export const TreeAccess = z.object({
  address: z
    .string()
    .describe(
      'The base address of the tree. One that begins with / is below the repository’s address',
    ),
  root: z.string().describe('The newest root, as root/{version}.jsonl has it'),
  period: z.number().int().min(0).describe('The period of the keys'),
  keys: z
    .record(z.string(), z.string())
    .describe(
      'A key of 32 bytes in base64 for each licensed family, and for - (lists of no family)',
    ),
  nextHeartbeat: instant.describe(
    'When the client is to send its next heartbeat: once a day, at a moment of its own',
  ),
});
export type TreeAccess = z.infer<typeof TreeAccess>;

/** The client's current licence. */
export const ClientLicence = z.object({
  clientId: z.number().int(),
  clientName: z.string(),
  licenseType: z.string(),
  licenseExpiry: instant.nullable(),
  /** Any names, since a client may be of an earlier version than the repository. */
  families: z.array(z.string()),
  /** The lists of the families, by the names under which their changes are requested. */
  lists: z.array(z.string()),
  optionalLists: z
    .array(z.string())
    .default([])
    .describe(
      'Lists of no family, which every licensed client may fetch: `vulnerabilities`, what is known of CVEs',
    ),
});
export type ClientLicence = z.infer<typeof ClientLicence>;

export const activateEndpoint = defineEndpoint({
  name: 'activate_client',
  summary:
    'Exchange the activation code for a token. A code already in use is refused until an administrator allows another activation',
  tag,
  method: 'POST',
  path: '/client/activate',
  access: 'public',
  rateLimit: { perMinute: 30 },
  body: z.strictObject({
    activationCode: z
      .string()
      .max(100)
      .refine(
        (typed) => readActivationCode(typed) !== null,
        'is mistyped: a letter is wrong, missing or too many',
      ),
    applicationVersion: version,
    /** The machine's name for people; it is not verified. */
    hostName: z.string().trim().max(253).refine(isPlainText, plainTextRule).default(''),
  }),
  reply: ClientLicence.extend({
    /** Sent as `Authorization: Apikey <token>`. Returned only once, because only its hash is stored. */
    token: z.string(),
  }),
});

const clients = { tag, access: 'client' } as const;

export const heartbeatEndpoint = defineEndpoint({
  ...clients,
  name: 'client_heartbeat',
  summary: 'Report that the client is alive, its version, and when it was last up to date',
  method: 'POST',
  path: '/client/heartbeat',
  body: z.strictObject({
    applicationVersion: version,
    repoUpdatedOn: instant.optional(),
    positions: z
      .record(z.string().max(100), instant)
      .refine((positions) => Object.keys(positions).length <= 100, 'must be at most 100 lists')
      .optional()
      .describe('The revision of each list that the client fetched from the published tree'),
  }),
  reply: ClientLicence.extend({
    tree: TreeAccess.nullable()
      .default(null)
      .describe('Null: no tree is published, or the client is of a ring and asks for changes'),
  }),
});

/** A file with which a client that cannot reach the repository reads the published catalogue. */
export const CarriedKeys = z.object({
  server: z
    .string()
    .regex(/^https?:\/\/[^\s\p{Cc}]+$/u)
    .describe('The repository’s address'),
  licence: ClientLicence.extend({ tree: TreeAccess }),
});
export type CarriedKeys = z.infer<typeof CarriedKeys>;

export const maxChanges = 10_000;

/** The current state of a record. */
export const ClientChange = z.object({
  id: z.number().int(),
  /** The list's fields by name. */
  row: z.record(z.string(), z.unknown()),
  /** The facts and tables of the record beyond its row. */
  detail: z.record(z.string(), z.unknown()),
  firstSeenTime: instant,
  changedTime: instant,
  /** When the vendor stopped listing it, so that the client should delete its copy; null while it is listed. */
  withdrawnTime: instant.nullable(),
});
export type ClientChange = z.infer<typeof ClientChange>;

export const ClientChanges = z.object({
  rows: z.array(ClientChange),
  /** Cursor of the next request. The client stores it together with the rows. */
  nextCursor: z.string(),
  /** False when there are no further changes. */
  more: z.boolean(),
});
export type ClientChanges = z.infer<typeof ClientChanges>;

export const clientChangesEndpoint = defineEndpoint({
  ...clients,
  name: 'client_changes',
  summary:
    'Records of a list that were added, changed or withdrawn since a cursor; without a cursor, all listed records. A page ends at `size` records or a few megabytes. ETag and If-None-Match: 304 when nothing has changed. 409 `cursor_ended`: start again without a cursor. The list `vulnerabilities` returns a CVE again when its record at NVD or its entry in CISA’s catalogue changes; EPSS is that of the moment, and a new score alone is not a change. A client of a ring gets vendors’ lists as they were at the checkpoint of the ring; promoting the ring sends it the difference',
  method: 'GET',
  path: '/client/changes',
  query: z.strictObject({
    list: z.string().max(100),
    since: z.string().max(200).optional(),
    size: integerText.pipe(z.number().min(1).max(maxChanges)).default(maxChanges),
  }),
  reply: ClientChanges,
});
