/** The feed of the Exploit Prediction Scoring System (EPSS): the scores of a day for every published CVE, one document. */
import type {
  Document,
  Facts,
  PartManifest,
  PartOf,
  RiskFeed,
  RiskItem,
} from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/document-of.ts';
import { vendorDate } from '../values/vendor-dates.ts';
import { type EpssHeader, epssItems, readEpssHeader } from './epss-rows.ts';
import { rememberedTime } from './remembered-time.ts';

/** Redirects to the file of the newest day. */
const address = 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz';

/** The redirect stays on the publisher's host. Another host is followed only once it is named here. */
const redirectHosts = ['epss.empiricalsecurity.com'];

/** As served: twenty times what it is. */
const maxBytes = 64 * 1024 ** 2;

export const epssFeed: RiskFeed = {
  risk: 'epss',
  fills: [],
  homepage: 'https://www.first.org/epss/',
  // Published about noon UTC, at times later.
  schedule: '40 12-22/2 * * *',
  maxOpenBytes: 128 * 1024 ** 2,
  version: 1,
  parts: [epssPart()],
};

function epssPart(): PartOf<RiskItem> {
  return {
    key: 'epss',
    label: 'EPSS scores',
    async contents(publication): Promise<PartManifest> {
      const document = await publication.open(address, { maxBytes, redirectHosts });
      const header = await readEpssHeader(document);
      const scoreDate = scoreDateOf(header, document);
      const remembered = rememberedTime(publication, 'scoreDate');
      if (scoreDate !== null && remembered !== null && day(scoreDate) < day(remembered))
        throw new BrokenDocument(
          document.url,
          `its scores are of ${day(scoreDate)}, those of ${day(remembered)} were read already`,
        );
      return { documents: [document], whole: true, remember: remember(header, scoreDate) };
    },
    async *read({ documents }) {
      for (const document of documents) yield* epssItems(document);
    },
  };
}

/** The comment's, else that of the file's name, else when the publisher says that the file was modified. */
function scoreDateOf({ scoreDate }: EpssHeader, { url, lastModified }: Document): number | null {
  const named = /\d{4}-\d\d-\d\d/.exec(url.slice(url.lastIndexOf('/')))?.[0];
  return scoreDate ?? vendorDate(named) ?? lastModified;
}

/** `model` as EPSS names it and `scoreDate` as an ISO time in UTC; each only where it is known. */
function remember({ model }: EpssHeader, scoreDate: number | null): Facts {
  return {
    ...(model !== null && { model }),
    ...(scoreDate !== null && { scoreDate: new Date(scoreDate).toISOString() }),
  };
}

/** A file without a comment has only a date, one with a comment also a time: days are compared. */
const day = (time: number) => new Date(time).toISOString().slice(0, 10);
