/** Atom feeds of saved views and of vendors, each at an address with a token of its own. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { vendorSourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { IdParams, Message } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';

export const maxAtomFeeds = 100;
/** Entries of a feed: the records, or the updates, that changed last. */
export const maxAtomEntries = 100;

/**
 * Returns true if views of the list can have a feed. An address passes through the logs of other programs, so that clients and
 * their machines have none.
 */
export const hasAtomFeeds = ({ source, viewOf }: Pick<ListDefinition, 'source' | 'viewOf'>) =>
  source !== null || viewOf === 'stored_record' || viewOf === 'vulnerability';

export const AtomFeed = z.object({
  id: z.number().int(),
  view: z.object({ id: z.number().int(), name: z.string(), list: z.string() }).nullable(),
  /** The vendor, of a feed without a view. */
  source: z.enum(vendorSourceKeys).nullable(),
  ownerId: z.number().int(),
  ownerName: z.string(),
  createdAt: z.number(),
  /** Precise to the minute; null when it was never read. */
  lastReadAt: z.number().nullable(),
});
export type AtomFeed = z.infer<typeof AtomFeed>;

const NewAtomFeed = AtomFeed.extend({
  secretAddress: z
    .string()
    .describe('The address of the feed; whoever has it can read the feed. Returned only once'),
});

const own = { tag: 'Atom feeds', access: 'standard', machines: 'own' } as const;

export const atomFeedsEndpoint = defineEndpoint({
  ...own,
  name: 'atom_feeds',
  summary: 'The current user’s Atom feeds, newest first; those of all users for administrators',
  method: 'GET',
  path: '/atomfeeds',
  reply: z.object({ objList: z.array(AtomFeed), totalCount: z.number().int() }),
});

export const createViewFeedEndpoint = defineEndpoint({
  ...own,
  reauthenticates: true,
  name: 'create_view_feed',
  summary: 'Create an Atom feed of a saved view; its address is returned only once',
  method: 'POST',
  path: '/views/{id}/atomfeeds',
  params: IdParams,
  reply: NewAtomFeed,
  status: 201,
});

export const createSourceFeedEndpoint = defineEndpoint({
  ...own,
  reauthenticates: true,
  name: 'create_source_feed',
  summary: 'Create an Atom feed of a vendor; its address is returned only once',
  method: 'POST',
  path: '/sources/{source}/atomfeeds',
  params: z.object({ source: z.enum(vendorSourceKeys) }),
  reply: NewAtomFeed,
  status: 201,
});

export const revokeAtomFeedEndpoint = defineEndpoint({
  ...own,
  name: 'revoke_atom_feed',
  summary: 'Revoke the address of an Atom feed: one’s own, or any for administrators',
  method: 'DELETE',
  path: '/atomfeeds/{id}',
  params: IdParams,
  reply: Message,
});

export const atomFeedEndpoint = defineEndpoint({
  ...own,
  name: 'atom_feed',
  summary: `An Atom feed by its token: at most ${maxAtomEntries} entries, the last change first`,
  tag: 'Open formats',
  method: 'GET',
  path: '/atom/{token}',
  secretParams: ['token'],
  access: 'public',
  params: z.object({ token: z.string().max(300) }),
  reply: z.string(),
  streams: 'file',
});
