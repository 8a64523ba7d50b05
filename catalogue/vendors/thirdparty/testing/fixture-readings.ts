/** What the feed reads from the fixtures of third-party applications. */
import { NotPublished } from '../../../definition/document-errors.ts';
import {
  type Document,
  type Entry,
  type FeedItem,
  type Publication,
} from '../../../definition/feed.ts';
import { allOf } from '../../../testing/all-of.ts';
import { documentFrom } from '../../../testing/document-from.ts';
import { partOf } from '../../../testing/part-of.ts';
import { publicationFrom } from '../../../testing/publication-from.ts';
import { readingsOf } from '../../../testing/readings-of.ts';
import { thirdpartyFeed } from '../thirdparty-feed.ts';

export const fixtures = new URL('../fixtures/', import.meta.url);
export const now = Date.UTC(2031, 5, 3, 12);

export async function readings(
  category: string,
  over: Partial<Publication> = {},
): Promise<FeedItem[]> {
  const part = partOf(thirdpartyFeed, category);
  return readingsOf(part, await part.contents({ ...publicationFrom(fixtures, { now }), ...over }));
}

export async function entryOf(category: string, id: string): Promise<Entry | undefined> {
  return (await readings(category))
    .filter((reading) => reading.kind === 'entry')
    .find(({ key }) => key === id);
}

export const urlsOf = (documents: readonly Document[]) => documents.map(({ url }) => url);

/** A second sync, with what it asks for and with other documents in place of those of the fixtures. */
export async function secondSync(
  category: string,
  served: Readonly<Record<string, string | null>> = {},
) {
  const part = partOf(thirdpartyFeed, category);
  const publication = publicationFrom(fixtures, { now });
  const first = await part.contents(publication);
  const asked: string[] = [];
  const open: Publication['open'] = async (url, options) => {
    asked.push(url);
    const text = served[url];
    if (text === null) throw new NotPublished(url);
    return text === undefined ? publication.open(url, options) : documentFrom(url, text);
  };
  const second = await part.contents({
    ...publication,
    open,
    readLast: async () => first.documents,
    readWholeAt: now - 1000,
  });
  const entries = (await allOf(part.read(second))).filter((reading) => reading.kind === 'entry');
  return { first, second, asked, entries: new Map(entries.map((entry) => [entry.key, entry])) };
}
