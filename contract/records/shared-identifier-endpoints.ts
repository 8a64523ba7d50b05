/** Records of several lists that mention the same CVE or KB, which link the lists. */
import { z } from 'zod';
import { integerText, SearchText } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';

export const SharingRecord = z.object({
  id: z.number().int(),
  /** The record's identifier for people; its title follows when it has one. */
  identity: z.string(),
  title: z.string().nullable(),
  severity: z.string().nullable(),
  releaseDate: z.number().nullable().describe('Epoch milliseconds'),
  own: z
    .boolean()
    .describe('The record has the identifier as its own name; otherwise it mentions it'),
  /** At most five of the requested identifiers that the record mentions. */
  shares: z.array(z.string()),
});
export type SharingRecord = z.infer<typeof SharingRecord>;

export const SharingList = z.object({
  list: z.string(),
  totalCount: z.number().int(),
  /** The newest, at most ten. */
  records: z.array(SharingRecord),
});
export type SharingList = z.infer<typeof SharingList>;

export const WithdrawnRecord = SharingRecord.pick({ id: true, identity: true, title: true }).extend(
  {
    list: z.string(),
    withdrawnTime: z
      .number()
      .describe('Epoch milliseconds; when the vendor was first seen not to list it'),
  },
);
export type WithdrawnRecord = z.infer<typeof WithdrawnRecord>;

const Indexing = z
  .array(z.string())
  .optional()
  .describe(
    'Keys of lists whose records are still being indexed, after an upgrade: more of their records may have the name. Absent: all are indexed',
  );

const users = { tag: 'Catalogue', access: 'standard', machines: 'none', scope: 'read' } as const;

export const identifierRecordsEndpoint = defineEndpoint({
  ...users,
  name: 'identifier_records',
  summary:
    'Every record that mentions a CVE or KB, or has this name itself (bulletin, notice, uuid)',
  method: 'GET',
  path: '/identifier/{identifier}',
  params: z.object({ identifier: SearchText.min(1).max(255) }),
  reply: z.object({
    identifier: z.string(),
    lists: z.array(SharingList),
    withdrawn: z
      .array(WithdrawnRecord)
      .optional()
      .describe(
        'For an identifier that no record of a list has any more: at most ten withdrawn records that had it, the last withdrawn first',
      ),
    indexing: Indexing,
  }),
});

export const nearestIdentifiersEndpoint = defineEndpoint({
  ...users,
  name: 'nearest_identifiers',
  summary:
    'For an identifier that no record mentions: the lists that are looked through, and identifiers of the same form with the nearest numbers',
  method: 'GET',
  path: '/identifier/{identifier}/nearest',
  params: z.object({ identifier: SearchText.min(1).max(255) }),
  reply: z.object({
    /** Keys of the searched lists. */
    lists: z.array(z.string()),
    /** Nearest first, at most six; empty when the identifier has no number. */
    nearest: z.array(z.object({ identifier: z.string(), list: z.string() })),
    indexing: Indexing,
  }),
});

export const sharingRecordsEndpoint = defineEndpoint({
  ...users,
  name: 'sharing_records',
  summary: 'Records of other lists that mention a CVE or KB of this one',
  method: 'GET',
  path: '/sharing/{list}/{id}',
  params: z.object({
    list: z.string().max(100),
    id: integerText,
  }),
  reply: z.object({
    /** The record's CVEs and KBs that were searched for; only the first ones of very many. */
    identifiers: z.array(z.string()),
    lists: z.array(SharingList),
    indexing: Indexing,
  }),
});
