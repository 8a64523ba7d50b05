/** What the feed reads from the fixtures of third-party applications. */
import { allOf } from '../../../testing/all-of.ts';
import { entriesOf, readerOf, shown } from '../../../testing/feed-reader.ts';
import { partOf } from '../../../testing/part-of.ts';
import { thirdpartyFeed } from '../thirdparty-feed.ts';

const now = Date.UTC(2031, 5, 3, 12);
export const { entries, fixtures, instead, readings, said } = readerOf(thirdpartyFeed, { now });

export const shownOf = async (category: string, id: string) =>
  shown((await entries(category)).get(id));

/** A second sync, with what it asks for and with other documents in place of those of the fixtures. */
export async function secondSync(
  category: string,
  served: Readonly<Record<string, string | null>> = {},
) {
  const part = partOf(thirdpartyFeed, category);
  const first = await part.contents(fixtures);
  const publication = instead((url) => served[url], {
    readLast: async () => first.documents,
    readWholeAt: now - 1000,
  });
  const second = await part.contents(publication);
  return {
    first: first.documents.map(({ url }) => url),
    read: second.documents.map(({ url }) => url),
    second,
    asked: publication.asked,
    entries: entriesOf(await allOf(part.read(second))),
  };
}
