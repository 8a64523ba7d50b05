/** What a tag picker offers. Addresses are offered to administrators who have signed in: to nobody else, and to no key. */
import { mostTagsOffered, searchTagsCall } from '@patch/contract/search-tags-call.ts';
import type { Database } from '../database/database.ts';
import type { Answer } from '../http/answer.ts';
import { knownAddresses } from './known-tag-store.ts';
import { KnownTags } from './known-tags.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: () => number;
}

export function searchTagsRoutes(answer: Answer, { database, clock }: Dependencies): void {
  const known = new KnownTags(database, clock);
  answer(searchTagsCall, async ({ query: { tag }, user, session }) => {
    const mayKnowAddresses = user?.userType === 'Admin' && session !== null && tag.trim() !== '';
    return [...(await known.holding(tag, mostTagsOffered, mayKnowAddresses ? await knownAddresses(database) : []))];
  });
}
