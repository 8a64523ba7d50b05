/** Reads the signed table of contents of an apt suite, with the checksum of each file. */
import type { Document, Remark } from '../definition/feed.ts';
import { parseMonth, remarkOnDates } from '../values/vendor-dates.ts';
import { toWord } from '../values/vendor-words.ts';
import { BrokenDocument } from './create-document.ts';
import { parseStanzas } from './deb822.ts';

export interface InRelease {
  readonly suite: string | null;
  readonly codename: string | null;
  /** Epoch milliseconds. */
  readonly date: number | null;
  /** The vendor guarantees this state until then; null when it states no end. */
  readonly validUntil: number | null;
  /** True when files can be requested by checksum, so that a mirror under renewal serves no mixture. */
  readonly byHash: boolean;
  /** By path below the suite. */
  readonly files: ReadonlyMap<string, ListedFile>;
  /** False when no key was pinned: the document is signed, but by an unknown signer. */
  readonly verified: boolean;
  /** On dates that cannot be read. */
  readonly remarks: readonly Remark[];
}

export interface ListedFile {
  /** SHA-256, lower-case hexadecimal. */
  readonly sha256: string;
  readonly size: number;
}

/**
 * Reads only the signed text. Throws BrokenDocument on any problem.
 * @param pinnedKeys armored public keys, of which one good signature is enough, because archives sign with old and new keys at
 * once; null when the vendor's key is not known.
 */
export async function readInRelease(
  document: Document,
  pinnedKeys: readonly string[] | null,
): Promise<InRelease> {
  const payload = await signedText(document, pinnedKeys);
  const [release] = parseStanzas(payload, fields, document.url);
  if (release?.SHA256 === undefined)
    throw new BrokenDocument(document.url, 'it lists no SHA-256 checksums');
  return {
    suite: release.Suite ?? null,
    codename: release.Codename ?? null,
    date: releaseDate(release.Date),
    validUntil: releaseDate(release['Valid-Until']),
    byHash: release['Acquire-By-Hash']?.toLowerCase() === 'yes',
    files: listedFiles(release.SHA256),
    verified: pinnedKeys !== null,
    remarks: [
      ...remarkOnDates(
        'InRelease',
        { Date: release.Date, 'Valid-Until': release['Valid-Until'] },
        releaseDate,
      ),
      // Only these dates lie in the future as a rule.
    ].filter(({ until }) => until === undefined),
  };
}

const fields = ['Suite', 'Codename', 'Date', 'Valid-Until', 'Acquire-By-Hash', 'SHA256'] as const;

async function signedText(
  document: Document,
  pinnedKeys: readonly string[] | null,
): Promise<string> {
  const broken = (problem: string, cause?: unknown) =>
    new BrokenDocument(document.url, problem, { cause });
  // Imported here because it is a megabyte of code that only syncs of apt repositories need.
  const { readCleartextMessage, readKey, verify } = await import('openpgp');
  const message = await readCleartextMessage({ cleartextMessage: await document.text() }).catch(
    (error: unknown) => {
      throw broken(`it is not a signed message: ${(error as Error).message}`, error);
    },
  );
  if (message.getSigningKeyIDs().length === 0) throw broken('it bears no signature');
  if (pinnedKeys === null) return message.getText();
  const { data, signatures } = await verify({
    message,
    verificationKeys: await Promise.all(pinnedKeys.map((armoredKey) => readKey({ armoredKey }))),
  });
  const verdicts = await Promise.allSettled(signatures.map(({ verified }) => verified));
  if (verdicts.some(({ status }) => status === 'fulfilled')) return data;
  const reasons = verdicts.map((verdict) =>
    verdict.status === 'rejected' ? (verdict.reason as Error).message : '',
  );
  throw broken(`none of its signatures is good: ${reasons.join('; ')}`);
}

function listedFiles(table: string): Map<string, ListedFile> {
  const rows = table.matchAll(/^\s*([0-9a-f]{64})\s+(\d+)\s+(\S+)\s*$/gim);
  return new Map(
    [...rows].map(([, sha256 = '', size, path = '']) => [
      path,
      { sha256: sha256.toLowerCase(), size: Number(size) },
    ]),
  );
}

/** Parses `Tue, 06 Feb 2024  7:12:28 UTC`: Ubuntu pads the hour with a space, others write a zone in hours. */
export function releaseDate(written: unknown): number | null {
  const found =
    /(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4})\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*(?:(?:UTC|GMT|Z)|([+-])(\d\d):?(\d\d))?$/i.exec(
      toWord(written) ?? '',
    );
  const [, day, month, year, hour, minute, second = '0', sign, zoneHours, zoneMinutes] =
    found ?? [];
  const monthIndex = parseMonth(month);
  if (monthIndex === null) return null;
  const local = Date.UTC(
    Number(year),
    monthIndex,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  // Date.UTC rolls 31 February over into March.
  if (new Date(local).getUTCDate() !== Number(day)) return null;
  const east = sign === undefined ? 0 : (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return sign === '-' ? local + east : local - east;
}
