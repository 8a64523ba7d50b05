/** Lists the documents of the security update guide, one for each month, including months that its index omits. */
import { z } from 'zod';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, PartManifest, Publication, Rejection } from '../../definition/feed.ts';
import { readCvrf } from '../../parsers/cvrf-document.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { BrokenXml } from '../../parsers/xml-fault.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { invalidReason } from '../../values/vendor-words.ts';

const service = 'https://api.msrc.microsoft.com/cvrf/v3.0';
const indexAddress = `${service}/updates`;

const indexSchema = z.object({ value: z.array(z.unknown()) });
const date = z.string().nullish().catch(null);
const monthSchema = z.object({
  ID: z.string().regex(/^[\w-]+$/, 'it is no name of a month'),
  InitialReleaseDate: date,
  CurrentReleaseDate: date,
});
type Month = z.infer<typeof monthSchema>;

/** These change daily and the index has lied about when: they are asked for by condition each time. */
const newestAlwaysAsked = 3;
const atOnce = 4;

/**
 * All that the index lists; the current month and the one before, which it lists late at times; and what was read before and is no
 * longer listed: a month leaves the index for hours and comes back. With the copies of those the contents are whole.
 */
export async function msrcMonths(publication: Publication): Promise<PartManifest> {
  const { index, unreadable } = await readIndex(publication);
  const copies = new Map(
    (await publication.readLast()).map((document) => [document.url, document]),
  );
  const asked = new Map<string, string | null>();
  for (const month of index) asked.set(monthAddress(month.ID), versionOf(month, index));
  const listed = new Set([...asked.keys()].map((url) => url.toLowerCase()));
  const kept = [...copies.keys()].filter(
    (url) => url.startsWith(monthAddress('')) && !listed.has(url.toLowerCase()),
  );
  const late = monthsNow(publication.now())
    .map(monthAddress)
    .filter((url) => !listed.has(url.toLowerCase()));
  for (const url of [...late, ...kept]) asked.set(url, null);

  const opened = await inParallel([...asked], async ([url, version]) => {
    try {
      return await publication.open(url, {
        ...(version !== null && { version }),
        lastGoodCopy: true,
        readThrough: (arrived) => requireMonth(arrived, copies.get(url)),
      });
    } catch (error) {
      const copy = copies.get(url);
      if (copy !== undefined && error instanceof NotPublished) return copy;
      // Nobody has said that it is there: whatever the service answers, the month may not have begun for it.
      if (copy === undefined && !listed.has(url.toLowerCase())) return null;
      throw error;
    }
  });
  const unlisted = kept
    .flatMap((url) => (late.includes(url) ? [] : url.slice(monthAddress('').length)))
    .toSorted();
  const remarks = [
    ...unreadable,
    ...unlisted.map((month) => ({
      kind: 'remark' as const,
      remark: `the index no longer lists ${month}; its last copy is kept`,
    })),
  ];
  return {
    documents: opened.filter((document): document is Document => document !== null),
    whole: true,
    remarks,
  };
}

/** Reads the document to its end. Throws BrokenDocument on another month, and on one that has lost all its vulnerabilities. */
async function requireMonth(document: Document, copy: Document | undefined): Promise<void> {
  const { id, isEmpty } = await headOf(document);
  const expected = document.url.slice(monthAddress('').length);
  if (id?.toLowerCase() !== expected.toLowerCase())
    throw new BrokenDocument(
      document.url,
      id === null ? `it does not state that it is ${expected}` : `it is ${id}, not ${expected}`,
    );
  if (isEmpty && copy !== undefined && !(await headOf(copy)).isEmpty)
    throw new BrokenDocument(document.url, 'there is no vulnerability in it, as there was before');
  for await (const _ of document.bytes());
}

/** Reads no further than the first vulnerability. */
async function headOf(document: Document): Promise<{ id: string | null; isEmpty: boolean }> {
  let id: string | null = null;
  try {
    for await (const piece of readCvrf(document.chunks())) {
      if (piece.kind === 'tracking') ({ id } = piece);
      if (piece.kind === 'vulnerability') return { id, isEmpty: false };
    }
  } catch (error) {
    throw error instanceof BrokenXml
      ? new BrokenDocument(document.url, error.message, { cause: error })
      : error;
  }
  return { id, isEmpty: true };
}

function monthAddress(id: string): string {
  return `${service}/cvrf/${id}`;
}

async function readIndex(
  publication: Publication,
): Promise<{ index: readonly Month[]; unreadable: readonly Rejection[] }> {
  const document = await publication.open(indexAddress);
  let answer: unknown;
  try {
    answer = JSON.parse(await document.text());
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new BrokenDocument(document.url, 'it is not valid JSON', { cause: error });
    throw error;
  }
  const index = indexSchema.safeParse(answer);
  if (!index.success)
    throw new BrokenDocument(
      document.url,
      `it is not the index of the months: ${invalidReason(index.error)}`,
    );
  const months: Month[] = [];
  const unreadable: Rejection[] = [];
  for (const [place, value] of index.data.value.entries()) {
    const month = monthSchema.safeParse(value);
    if (month.success) months.push(month.data);
    else
      unreadable.push({
        kind: 'rejection',
        rejected: `month ${place + 1} of the index`,
        reason: invalidReason(month.error),
        url: document.url,
      });
  }
  if (months.length === 0)
    throw new BrokenDocument(document.url, 'it names no month that can be read');
  return { index: months, unreadable };
}

/** Null: to be asked for whatever was read before. */
function versionOf(month: Month, index: readonly Month[]): string | null {
  const released = vendorDate(month.InitialReleaseDate) ?? Number.POSITIVE_INFINITY;
  const newer = index.filter(
    (other) => (vendorDate(other.InitialReleaseDate) ?? Number.POSITIVE_INFINITY) > released,
  ).length;
  return newer < newestAlwaysAsked ? null : (month.CurrentReleaseDate ?? null);
}

/** '2026-Nov' and '2026-Oct'. */
function monthsNow(now: number): string[] {
  const today = new Date(now);
  return [0, -1].map((months) => {
    const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1));
    return `${month.getUTCFullYear()}-${month.toLocaleString('en', { month: 'short', timeZone: 'UTC' })}`;
  });
}

/** Results in the order of what was given; the first failure ends it. */
async function inParallel<Given, Result>(
  given: readonly Given[],
  work: (one: Given) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = given.entries();
  let failed = false;
  const worker = async () => {
    for (const [place, one] of waiting) {
      if (failed) return;
      try {
        results[place] = await work(one);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
