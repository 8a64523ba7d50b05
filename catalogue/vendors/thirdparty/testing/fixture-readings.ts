/** Readings of the feed from the fixtures of third-party applications. */
import { collect } from '../../../testing/collect.ts';
import { createReader, formatEntry, indexEntries } from '../../../testing/feed-reader.ts';
import { findPart } from '../../../testing/find-part.ts';
import { thirdpartyFeed } from '../thirdparty-feed.ts';

const now = Date.UTC(2031, 5, 3, 12);
export const { entries, fixtures, instead, readings, said } = createReader(thirdpartyFeed, { now });

export const showEntry = async (category: string, id: string) =>
  formatEntry((await entries(category)).get(id));

/** Syncs a second time, with other documents instead of some fixtures. */
export async function syncTwice(
  category: string,
  served: Readonly<Record<string, string | null>> = {},
) {
  const part = findPart(thirdpartyFeed, category);
  const first = await part.contents(fixtures);
  const publication = instead((url) => served[url], {
    readLast: async () => first.documents,
    lastCompleteReadAt: now - 1000,
  });
  const second = await part.contents(publication);
  return {
    first: first.documents.map(({ url }) => url),
    read: second.documents.map(({ url }) => url),
    second,
    requested: publication.requested,
    entries: indexEntries(await collect(part.read(second))),
  };
}
