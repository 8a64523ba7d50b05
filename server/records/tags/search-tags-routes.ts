/** Suggests tags. Email addresses are suggested only to administrators with a session, never to API keys. */
import { maxTagsOffered, searchTagsEndpoint } from '@patch/contract/search-tags-endpoint.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { readKnownAddresses } from './known-tag-store.ts';
import { KnownTags } from './known-tags.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: () => number;
}

export function searchTagsRoutes(route: RouteRegistrar, { database, clock }: Dependencies): void {
  const known = new KnownTags(database, clock);
  route(searchTagsEndpoint, async ({ query: { tag }, user, session }) => {
    const mayKnowAddresses = user?.userType === 'Admin' && session !== null && tag.trim() !== '';
    return [
      ...(await known.suggest(
        tag,
        maxTagsOffered,
        mayKnowAddresses ? await readKnownAddresses(database) : [],
      )),
    ];
  });
}
