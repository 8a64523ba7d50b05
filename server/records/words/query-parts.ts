/** The parts of a read query: what they are together, and which of them name a record. */
import type { QueryPart, ReadQuery } from '@patch/contract/records/search-endpoint.ts';
import { isCve } from './query-meanings.ts';

/** Numbers that name one record or update; a CVE names many. */
const recordNumber =
  /^(?:kb\d{5,}|\d{6,}|ms\d\d-\d{3}|(?!cve-)[a-z]+(?:-[a-z]+)*-\d+[:-]\d+(?:-\d+)*|(?:usn|lsn|dsa|dla)-\d{3,})$/;

export const isRecordNumber = (word: string): boolean => recordNumber.test(word);

export const isIdentifier = (word: string): boolean => isRecordNumber(word) || isCve(word);

/** Returns true for a word that is left out because no record has it. Denials and times that are left out have more words. */
export const isAbsent = ({ text, leftOut }: QueryPart): boolean =>
  leftOut === true && !text.includes(' ');

/** Joins the criteria and the words of the parts. */
export const joinParts = (parts: readonly QueryPart[]): ReadQuery => ({
  parts,
  criteria: [
    ...new Map(
      parts.flatMap(({ criterion }) =>
        criterion === undefined ? [] : [[criterion.paramName, criterion] as const],
      ),
    ).values(),
  ],
  keyword: parts.flatMap(({ keyword }) => keyword ?? []).join(' '),
  ...pickSort(parts),
});

function pickSort(parts: readonly QueryPart[]): Pick<ReadQuery, 'sort'> {
  const sort = parts.find((part) => part.sort !== undefined)?.sort;
  return sort === undefined ? {} : { sort };
}
