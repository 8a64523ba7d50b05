/** Feed of the Exploit Prediction Scoring System (EPSS): one document with the day's scores of every published CVE. */
import {
  createRemark,
  type Document,
  type Facts,
  type FeedPart,
  type PartManifest,
  type RiskFeed,
  type RiskItem,
} from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { vendorDate } from '../values/vendor-dates.ts';
import { type EpssHeader, readEpssHeader, readEpssItems } from './epss-rows.ts';
import { getRememberedTime } from './remembered-time.ts';

/** Redirects to the file of the newest day. */
const address = 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz';

/** The redirect stays on the publisher's host; a new host must be added here. */
const redirectHosts = ['epss.empiricalsecurity.com'];

/** Limit of the compressed file: twenty times its present size. */
const maxBytes = 64 * 1024 ** 2;

export const epssFeed: RiskFeed = {
  risk: 'epss',
  fills: [],
  homepage: 'https://www.first.org/epss/',
  // Published around noon UTC, sometimes later.
  schedule: '40 12-22/2 * * *',
  maxOpenBytes: 128 * 1024 ** 2,
  version: 1,
  parts: [createEpssPart()],
};

function createEpssPart(): FeedPart<RiskItem> {
  return {
    key: 'epss',
    label: 'EPSS scores',
    async contents(publication): Promise<PartManifest> {
      const document = await publication.open(address, { maxBytes, redirectHosts });
      const header = await readEpssHeader(document);
      const scoreDate = resolveScoreDate(header, document);
      const remembered = getRememberedTime(publication, 'scoreDate');
      if (scoreDate !== null && remembered !== null && toIsoDay(scoreDate) < toIsoDay(remembered))
        throw new BrokenDocument(
          document.url,
          `its scores are of ${toIsoDay(scoreDate)}, those of ${toIsoDay(remembered)} were read already`,
        );
      return {
        documents: [document],
        isComplete: true,
        remember: toRememberedFacts(header, scoreDate),
        ...(header.unreadableDate !== null && {
          remarks: [
            createRemark(
              `its score_date "${header.unreadableDate}" is not a date that can be read`,
            ),
          ],
        }),
      };
    },
    async *read({ documents }) {
      for (const document of documents) yield* readEpssItems(document);
    },
  };
}

/** Returns the date of the comment, else of the file name, else the Last-Modified time. */
function resolveScoreDate(
  { scoreDate }: EpssHeader,
  { url, lastModified }: Document,
): number | null {
  const dateInName = /\d{4}-\d\d-\d\d/.exec(url.slice(url.lastIndexOf('/')))?.[0];
  return scoreDate ?? vendorDate(dateInName) ?? lastModified;
}

/** Remembers `model` and `scoreDate` (ISO time in UTC) where they are known. */
function toRememberedFacts({ model }: EpssHeader, scoreDate: number | null): Facts {
  return {
    ...(model !== null && { model }),
    ...(scoreDate !== null && { scoreDate: new Date(scoreDate).toISOString() }),
  };
}

/** Days are compared: a file name states only a date, a comment also a time. */
const toIsoDay = (time: number) => new Date(time).toISOString().slice(0, 10);
