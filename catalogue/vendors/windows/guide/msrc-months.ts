/** Opens the documents of the security update guide, one for each month, including months that its index omits. */
import { z } from 'zod';
import { NotPublished } from '../../../definition/document-errors.ts';
import {
  createRejection,
  createRemark,
  type Document,
  type PartManifest,
  type Publication,
  type Rejection,
} from '../../../definition/feed.ts';
import { BrokenDocument, convertFaults } from '../../../parsers/create-document.ts';
import { readCvrf } from '../../../parsers/cvrf-document.ts';
import { readJsonDocument } from '../../../parsers/read-json-document.ts';
import { BrokenXml } from '../../../parsers/xml-element.ts';
import { vendorDate } from '../../../values/vendor-dates.ts';
import { invalidReason } from '../../../values/vendor-words.ts';

const service = 'https://api.msrc.microsoft.com/cvrf/v3.0';
const indexAddress = `${service}/updates`;

const indexSchema = z.object({ value: z.array(z.unknown()) });
const date = z.string().nullish().catch(null);
const monthSchema = z.object({
  ID: z.string().regex(/^[\w-]+$/, 'it is not the name of a month'),
  InitialReleaseDate: date,
  CurrentReleaseDate: date,
});
type Month = z.infer<typeof monthSchema>;

/** These months change daily and the index has stated wrong dates, so they are requested conditionally on every sync. */
const alwaysRequestedCount = 3;
const concurrency = 4;

/**
 * Opens all listed months, the present and the previous one (which the index sometimes lists late), and months that were read before but
 * are no longer listed, because a month sometimes leaves the index for hours. With the copies of those the contents are complete.
 */
export async function openMsrcMonths(publication: Publication): Promise<PartManifest> {
  const { index, unreadable } = await readIndex(publication);
  const copies = new Map(
    (await publication.readLast()).map((document) => [document.url, document]),
  );
  const versions = new Map<string, string | null>();
  for (const month of index) versions.set(toMonthAddress(month.ID), chooseVersion(month, index));
  const listed = new Set([...versions.keys()].map((url) => url.toLowerCase()));
  const unlistedCopies = [...copies.keys()].filter(
    (url) => url.startsWith(toMonthAddress('')) && !listed.has(url.toLowerCase()),
  );
  const late = listRecentMonths(publication.now())
    .map(toMonthAddress)
    .filter((url) => !listed.has(url.toLowerCase()));
  for (const url of [...late, ...unlistedCopies]) versions.set(url, null);

  const opened = await mapInParallel([...versions], async ([url, version]) => {
    try {
      return await publication.open(url, {
        ...(version !== null && { version }),
        lastGoodCopy: true,
        readThrough: (arrived) => validateMonth(arrived, copies.get(url)),
      });
    } catch (error) {
      const copy = copies.get(url);
      if (copy !== undefined && error instanceof NotPublished) return copy;
      // No source states that the month exists, so any failure means that it is not published yet.
      if (copy === undefined && !listed.has(url.toLowerCase())) return null;
      throw error;
    }
  });
  const unlisted = unlistedCopies
    .flatMap((url) => (late.includes(url) ? [] : url.slice(toMonthAddress('').length)))
    .toSorted();
  const remarks = [
    ...unreadable,
    ...unlisted.map((month) =>
      createRemark(`the index no longer lists ${month}; its last copy is kept`),
    ),
  ];
  return {
    documents: opened.filter((document): document is Document => document !== null),
    isComplete: true,
    remarks,
  };
}

/**
 * Reads the document to its end, and parses all of it where it is to replace a copy.
 * @throws BrokenDocument for another month, and for one that lost all its vulnerabilities
 */
async function validateMonth(document: Document, copy: Document | undefined): Promise<void> {
  const { id, isEmpty } = await readHead(document, copy !== undefined);
  const expected = document.url.slice(toMonthAddress('').length);
  if (id?.toLowerCase() !== expected.toLowerCase())
    throw new BrokenDocument(
      document.url,
      id === null ? `it does not state that it is ${expected}` : `it is ${id}, not ${expected}`,
    );
  if (isEmpty && copy !== undefined && !(await readHead(copy, false)).isEmpty)
    throw new BrokenDocument(document.url, 'it contains no vulnerability, unlike its last copy');
  for await (const _ of document.bytes());
}

/** Reads no further than the first vulnerability, unless all of the document is to be parsed. */
async function readHead(
  document: Document,
  all: boolean,
): Promise<{ id: string | null; isEmpty: boolean }> {
  const head: { id: string | null; isEmpty: boolean } = { id: null, isEmpty: true };
  const pieces = readCvrf(document.chunks());
  for await (const piece of convertFaults(document.url, BrokenXml, pieces)) {
    if (piece.kind === 'tracking') head.id = piece.id;
    if (piece.kind === 'vulnerability') head.isEmpty = false;
    if (!head.isEmpty && !all) break;
  }
  return head;
}

function toMonthAddress(id: string): string {
  return `${service}/cvrf/${id}`;
}

async function readIndex(
  publication: Publication,
): Promise<{ index: readonly Month[]; unreadable: readonly Rejection[] }> {
  const document = await publication.open(indexAddress);
  const index = await readJsonDocument(document, indexSchema, 'the index of the months');
  const months: Month[] = [];
  const unreadable: Rejection[] = [];
  for (const [position, value] of index.value.entries()) {
    const month = monthSchema.safeParse(value);
    if (month.success) months.push(month.data);
    else
      unreadable.push(
        createRejection(
          `month ${position + 1} of the index`,
          invalidReason(month.error),
          document.url,
        ),
      );
  }
  if (months.length === 0)
    throw new BrokenDocument(document.url, 'it names no month that can be read');
  return { index: months, unreadable };
}

/** Returns the version of the last copy to accept; null to request the month always. */
function chooseVersion(month: Month, index: readonly Month[]): string | null {
  const released = vendorDate(month.InitialReleaseDate) ?? Number.POSITIVE_INFINITY;
  const newer = index.filter(
    (other) => (vendorDate(other.InitialReleaseDate) ?? Number.POSITIVE_INFINITY) > released,
  ).length;
  return newer < alwaysRequestedCount ? null : (month.CurrentReleaseDate ?? null);
}

/** Returns the present and the previous month: '2026-Nov' and '2026-Oct'. */
function listRecentMonths(now: number): string[] {
  const today = new Date(now);
  return [0, -1].map((months) => {
    const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1));
    return `${month.getUTCFullYear()}-${month.toLocaleString('en', { month: 'short', timeZone: 'UTC' })}`;
  });
}

/** Returns the results in the given order; the first failure ends all. */
async function mapInParallel<Given, Result>(
  given: readonly Given[],
  work: (item: Given) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = given.entries();
  let failed = false;
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
