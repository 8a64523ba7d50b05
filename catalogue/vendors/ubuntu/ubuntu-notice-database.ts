/** Ubuntu's database of its notices: one document with all of them, made beside the API and later than it. */
import { z } from 'zod';
import type { Document, Publication, Rejection } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { jsonMembers } from '../../parsers/json-members.ts';
import { openOrLast } from '../../parsers/open-or-last.ts';
import { invalidReason, splitCveText, wordOf } from '../../values/vendor-words.ts';
import { noticeIdOf } from './ubuntu-notice-id.ts';

/** The first holds every notice. The second loses those whose releases have all come to their end. */
const addresses = [
  'https://usn.ubuntu.com/usn-db/database-all.json.bz2',
  'https://usn.ubuntu.com/usn-db/database.json.bz2',
];

/** The document among those of a part, if it is there. */
export function databaseAmong(documents: readonly Document[]): readonly Document[] {
  return documents.filter(({ url }) => addresses.includes(url));
}

/** One document or none. Its checksum lies beside it: while that is the same, the database is not asked for. */
export async function openDatabase(publication: Publication): Promise<readonly Document[]> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      const value = await announcedSum(publication, address);
      const checksum = value === null ? {} : { checksum: { algorithm: 'sha256' as const, value } };
      const opened = await openOrLast(publication, address, { ...checksum, readThrough });
      if (opened.length > 0) return opened;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return [];
}

/** Null where there is none to be had; the database is then held to nothing but its form. */
async function announcedSum(publication: Publication, address: string): Promise<string | null> {
  try {
    const tested = async (arrived: Document) => void (await sumIn(arrived));
    const [document] = await openOrLast(publication, `${address}.sha256`, {
      maxBytes: 4096,
      readThrough: tested,
    });
    return document === undefined ? null : await sumIn(document);
  } catch {
    return null;
  }
}

/** Throws on what was spoilt on its way, so that it is not kept while the vendor says that it is unchanged. */
async function sumIn(document: Document): Promise<string> {
  const sum = /^[0-9a-f]{64}\b/i.exec(await document.text())?.[0].toLowerCase();
  if (sum === undefined) throw new BrokenDocument(document.url, 'there is no SHA-256 sum in it');
  return sum;
}

async function readThrough(document: Document): Promise<void> {
  let notices = 0;
  for await (const { kind } of databaseNotices(document)) if (kind === 'notice') notices += 1;
  if (notices === 0) throw new BrokenDocument(document.url, 'there is no notice in it');
}

const word = z.unknown().optional().transform(wordOf);
const packages = z.record(z.string(), z.object({ version: word, pocket: word })).nullish();

const recordSchema = z.object({
  id: z.unknown().optional(),
  timestamp: z.unknown().optional(),
  cves: z.preprocess(splitCveText, z.array(z.string()).nullish()),
  releases: z.record(
    z.string(),
    z.object({ sources: packages, binaries: packages, allbinaries: packages }),
  ),
});

export type DatabaseNotice = z.output<typeof recordSchema> & {
  readonly kind: 'notice';
  readonly noticeId: string;
};

/** The rejection of a record is named by its notice, which keeps the row that it has. */
export async function* databaseNotices(
  document: Document,
): AsyncGenerator<DatabaseNotice | Rejection> {
  for await (const { key, value } of jsonMembers(document)) {
    const record = recordSchema.safeParse(value);
    const id = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : null;
    const noticeId = noticeIdOf(id ?? key);
    if (record.success && noticeId !== null) yield { ...record.data, kind: 'notice', noticeId };
    else
      yield {
        kind: 'rejection',
        rejected: noticeId ?? key,
        reason: `its record in the database cannot be read: ${record.success ? 'its id is not of the form 1234-1' : invalidReason(record.error)}`,
        url: document.url,
      };
  }
}
