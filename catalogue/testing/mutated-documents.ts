/**
 * Reads a feed's fixtures many times, each time with one document changed at random. The result must be entries that fit their
 * lists, rejections and remarks, or a document reported as broken; never another error.
 */
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, Feed, FeedItem, Part, Publication } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { createChance, pick } from './chance.ts';
import { collect } from './collect.ts';
import { documentFrom } from './document-from.ts';
import { findComplaints } from './find-complaints.ts';
import { applyMutation } from './mutations.ts';
import { publicationFrom } from './publication-from.ts';
import { findFixtures } from './vendor-fixtures.ts';

/** Returns the text of a document; null for archives of many files, which other tests change. */
async function readText(document: Document): Promise<string | null> {
  if (/\.(?:cab|tar\.\w+)$/.test(document.url)) return null;
  return document.text();
}

interface PartDocuments {
  readonly part: Part;
  /** Text by address. */
  readonly texts: ReadonlyMap<string, string>;
}

async function readDocuments(part: Part, publication: Publication): Promise<PartDocuments | null> {
  const texts = new Map<string, string>();
  const watched: Publication = {
    ...publication,
    open: async (url, options) => {
      const document = await publication.open(url, options);
      const text = await readText(document);
      if (text !== null) texts.set(url, text);
      return document;
    },
  };
  try {
    await part.contents(watched);
  } catch (error) {
    if (!(error instanceof NotPublished)) throw error;
  }
  return texts.size === 0 ? null : { part, texts };
}

function withDocument(
  publication: Publication,
  url: string,
  content: string | Uint8Array,
): Publication {
  return {
    ...publication,
    open: async (requested, options) => {
      const document = await publication.open(requested, options);
      if (requested !== url) return document;
      const changed = documentFrom(url, content);
      await options?.readThrough?.(changed);
      return changed;
    },
  };
}

async function readItems(part: Part, publication: Publication): Promise<FeedItem[] | null> {
  try {
    return await collect(part.read(await part.contents(publication)));
  } catch (error) {
    if (error instanceof BrokenDocument || error instanceof NotPublished) return null;
    throw error;
  }
}

/** Words that reveal a missing value in a message; XML may legitimately report undefined entities. */
const unfit = /\bundefined\b(?! entity)|\[object |\bNaN\b|\bnull\b/;

export interface MutatedReadings {
  /** A seed, the change and the complaint. */
  readonly failures: readonly string[];
  /** The number of mutations that were read to the end. */
  readonly read: number;
}

export async function readMutated(feed: Feed, times: number): Promise<MutatedReadings> {
  const publication = publicationFrom(findFixtures(feed));
  const parts = (
    await Promise.all(feed.parts.map((part) => readDocuments(part, publication)))
  ).filter((part) => part !== null);
  const failures: string[] = [];
  let read = 0;
  for (let seed = 0; seed < times; seed++) {
    const chance = createChance(seed);
    const { part, texts } = pick(parts, chance);
    const [url, text] = pick([...texts], chance);
    const { content, done } = applyMutation(text, chance);
    const description = `seed ${seed}, ${part.key}, ${url}: ${done}`;
    try {
      const readings = await readItems(part, withDocument(publication, url, content));
      if (readings !== null) read += 1;
      for (const reading of readings ?? []) {
        if (reading.kind === 'entry')
          failures.push(
            ...findComplaints(reading).map((complaint) => `${description}\n  ${complaint}`),
          );
        else if (reading.kind === 'remark' || reading.kind === 'rejection') {
          const words =
            reading.kind === 'remark' ? reading.remark : `${reading.rejected} ${reading.reason}`;
          if (unfit.test(words) && !unfit.test(done)) failures.push(`${description}\n  ${words}`);
        }
      }
    } catch (error) {
      failures.push(`${description}\n  ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  return { failures, read };
}
