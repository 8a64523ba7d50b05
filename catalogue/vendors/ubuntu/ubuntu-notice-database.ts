/** Reads Ubuntu's database of notices: one document with all of them, updated later than the API. */
import { z } from 'zod';
import {
  createRejection,
  type Document,
  type Publication,
  type Rejection,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { jsonMembers } from '../../parsers/json-records.ts';
import { openOrLast } from '../../parsers/open-documents.ts';
import { getMember } from '../../values/object-members.ts';
import { invalidReason, toCveTexts, toWord } from '../../values/vendor-words.ts';

/** The first address contains every notice, the second only those of supported releases. */
const addresses = [
  'https://usn.ubuntu.com/usn-db/database-all.json.bz2',
  'https://usn.ubuntu.com/usn-db/database.json.bz2',
];

/** Returns the database's document among those of a part, if any. */
export function findDatabase(documents: readonly Document[]): readonly Document[] {
  return documents.filter(({ url }) => addresses.includes(url));
}

/** Opens one document or none. Its checksum is published beside it; while that is unchanged, the database is not requested. */
export async function openDatabase(publication: Publication): Promise<readonly Document[]> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      const value = await readAnnouncedChecksum(publication, address);
      const checksum = value === null ? {} : { checksum: { algorithm: 'sha256' as const, value } };
      const opened = await openOrLast(publication, address, {
        ...checksum,
        readThrough: validateDatabase,
      });
      if (opened.length > 0) return opened;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return [];
}

/** Returns null when the checksum is unavailable; the database is then only checked by its form. */
async function readAnnouncedChecksum(
  publication: Publication,
  address: string,
): Promise<string | null> {
  try {
    const validate = async (arrived: Document) => void (await readChecksum(arrived));
    const [document] = await openOrLast(publication, `${address}.sha256`, {
      maxBytes: 4096,
      readThrough: validate,
    });
    return document === undefined ? null : await readChecksum(document);
  } catch {
    return null;
  }
}

/** @throws BrokenDocument on damaged text, so that it is not cached while the vendor reports it as unchanged */
async function readChecksum(document: Document): Promise<string> {
  const sum = /^[0-9a-f]{64}\b/i.exec(await document.text())?.[0].toLowerCase();
  if (sum === undefined) throw new BrokenDocument(document.url, 'it contains no SHA-256 sum');
  return sum;
}

async function validateDatabase(document: Document): Promise<void> {
  let notices = 0;
  for await (const { kind } of readDatabaseNotices(document)) if (kind === 'notice') notices += 1;
  if (notices === 0) throw new BrokenDocument(document.url, 'it contains no notice');
}

const word = z.unknown().optional().transform(toWord);
const packages = z.record(z.string(), z.object({ version: word, pocket: word })).nullish();

const recordSchema = z.object({
  id: z.unknown().optional(),
  timestamp: z.unknown().optional(),
  cves: z.preprocess(toCveTexts, z.array(z.string()).nullish()),
  releases: z.record(
    z.string(),
    z.object({ sources: packages, binaries: packages, allbinaries: packages }),
  ),
});

export type DatabaseNotice = z.output<typeof recordSchema> & {
  readonly kind: 'notice';
  readonly noticeId: string;
};

/** Rejections are named by the notice, so that its row is kept. */
export async function* readDatabaseNotices(
  document: Document,
): AsyncGenerator<DatabaseNotice | Rejection> {
  for await (const { key, value } of jsonMembers(document)) {
    const record = recordSchema.safeParse(value);
    const noticeId = parseNoticeId(getMember(value, 'id') ?? key);
    if (record.success && noticeId !== null) yield { ...record.data, kind: 'notice', noticeId };
    else
      yield createRejection(
        noticeId ?? key,
        `its record in the database cannot be read: ${record.success ? 'its id is not of the form 1234-1' : invalidReason(record.error)}`,
        document.url,
      );
  }
}

/** Completes a notice's id by its prefix, which some records lack: USN-612-10 for 612-10. Returns null for other values. */
export function parseNoticeId(id: unknown, type: unknown = null): string | null {
  const [, prefix, number] =
    /^(USN-|LSN-|SSN-)?(\d+-\d+)$/.exec(toWord(id)?.toUpperCase() ?? '') ?? [];
  if (number === undefined) return null;
  const kind = toWord(type)?.toUpperCase() ?? '';
  return `${prefix ?? (/^[LS]SN$/.test(kind) ? `${kind}-` : 'USN-')}${number}`;
}
