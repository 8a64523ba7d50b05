/** Writes an Atom feed: https://www.rfc-editor.org/rfc/rfc4287 */
import { createHash } from 'node:crypto';
import { stringify } from 'uuid';
import { xmlElement, xmlTextElement } from './xml-text.ts';

export interface AtomEntry {
  /** See `atomId`. */
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** A page for people. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly published: number;
  readonly updated: number;
  /** Written as the entry's category. */
  readonly categories: readonly string[];
}

export interface AtomDocument {
  readonly id: string;
  readonly title: string;
  readonly author: string;
  /** The address of the feed itself. */
  readonly selfUrl: string;
  /** A page for people that shows the same. */
  readonly url: string;
  /** Epoch milliseconds; when its address was created while it has no entries. */
  readonly updated: number;
  readonly entries: readonly AtomEntry[];
}

export function writeAtomFeed(feed: AtomDocument): string {
  const content = [
    xmlTextElement('id', feed.id),
    xmlTextElement('title', feed.title),
    xmlTextElement('updated', toTime(feed.updated)),
    xmlElement('author', {}, xmlTextElement('name', feed.author)),
    xmlElement('link', { rel: 'self', type: 'application/atom+xml', href: feed.selfUrl }),
    xmlElement('link', { rel: 'alternate', type: 'text/html', href: feed.url }),
    ...feed.entries.map(writeEntry),
  ];
  const root = xmlElement('feed', { xmlns: 'http://www.w3.org/2005/Atom' }, content.join('\n'));
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`;
}

function writeEntry({ id, title, summary, url, published, updated, categories }: AtomEntry) {
  const content = [
    xmlTextElement('id', id),
    xmlTextElement('title', title),
    xmlTextElement('published', toTime(published)),
    xmlTextElement('updated', toTime(updated)),
    xmlElement('link', { rel: 'alternate', type: 'text/html', href: url }),
    ...categories.map((term) => xmlElement('category', { term })),
    ...(summary === '' ? [] : [xmlTextElement('summary', summary)]),
  ];
  return xmlElement('entry', {}, content.join(''));
}

const toTime = (at: number) => new Date(at).toISOString();

/** Returns the id that a name always has, in every installation: a UUID of version 8 (https://www.rfc-editor.org/rfc/rfc9562). */
export function atomId(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return `urn:uuid:${stringify(bytes)}`;
}
