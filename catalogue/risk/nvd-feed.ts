/** Feed of NVD's JSON 2.0 files: one part per year, read once, and one for CVEs modified in the last eight days. */
import type {
  Document,
  Facts,
  FeedPart,
  PartManifest,
  Publication,
  RiskFeed,
  RiskItem,
} from '../definition/feed.ts';
import { isPublicationFailure } from '../parsers/publication-failure.ts';
import { vendorDate } from '../values/vendor-dates.ts';
import {
  firstYear,
  maxFileBytes,
  maxMetaBytes,
  type NvdMeta,
  openNvdCopy,
  readNvdMeta,
} from './nvd-copy.ts';
import { readNvdItems } from './nvd-records.ts';

const nvdFolder = 'https://nvd.nist.gov/feeds/json/cve/2.0';

/** NVD's addresses do not redirect at present. */
const redirectHosts = ['nvd.nist.gov'];

const readerVersion = 1;
const modifiedPart = 'modified';

export const nvdFeed: RiskFeed = {
  risk: 'cvss',
  fills: [],
  homepage: 'https://nvd.nist.gov/vuln/data-feeds',
  schedule: '20 */2 * * *',
  maxOpenBytes: 1024 ** 3,
  version: readerVersion,
  // A new year gets its part on its first day.
  get parts() {
    return createNvdParts(Date.now());
  },
};

/**
 * Returns `modified` first, because years depend on its facts, then the years until `now`.
 * @param now epoch milliseconds
 */
export function createNvdParts(now: number): readonly FeedPart<RiskItem>[] {
  const years = new Date(now).getUTCFullYear() - firstYear + 1;
  return [
    createFilePart(modifiedPart, 'Modified CVEs', openModified),
    ...Array.from({ length: years }, (_, index) => createYearPart(String(firstYear + index))),
  ];
}

const createYearPart = (year: string) =>
  createFilePart(
    year,
    year === String(firstYear) ? `CVEs of 1999 to ${year}` : `CVEs of ${year}`,
    openYear,
  );

/** NVD never removes a CVE, so no part withdraws any. */
function createFilePart(
  name: string,
  label: string,
  open: (publication: Publication, name: string) => Promise<OpenedFile>,
): FeedPart<RiskItem> {
  return {
    key: name,
    label,
    async contents(publication): Promise<PartManifest> {
      return { ...(await openWithCopy(publication, name, open)), isComplete: false };
    },
    async *read({ documents }) {
      for (const document of documents) yield* readNvdItems(document);
    },
  };
}

type OpenedFile = Required<Pick<PartManifest, 'documents' | 'remember'>> &
  Pick<PartManifest, 'standIn'>;

/** @throws the failure of NVD when the copy cannot be used either */
async function openWithCopy(
  publication: Publication,
  name: string,
  open: (publication: Publication, name: string) => Promise<OpenedFile>,
): Promise<OpenedFile> {
  try {
    return await open(publication, name);
  } catch (error) {
    if (!isPublicationFailure(error)) throw error;
    const copy = await openNvdCopy(publication, name).catch((copyError: unknown) => {
      throw isPublicationFailure(copyError) ? error : copyError;
    });
    const { documents, made } = copy;
    const reader = String(readerVersion);
    const times =
      name === modifiedPart
        ? extendModifiedSpan(publication.remembered, made)
        : toModifiedFact(made);
    return {
      documents,
      // Without a checksum, so that NVD's own file is fetched as soon as it answers again.
      remember: { reader, ...times },
      standIn: [
        {
          code: 'second_address_read',
          params: { url: documents[0]?.url ?? '', cause: error.failure },
        },
      ],
    };
  }
}

const toModifiedFact = (time: number | null): Facts =>
  time === null ? {} : { modified: new Date(time).toISOString() };

/** Does not request a year that `modified` has kept up to date since it was read. */
async function openYear(publication: Publication, name: string): Promise<OpenedFile> {
  const { remembered } = publication;
  if (isOfThisReader(remembered) && (await isCoveredByModified(publication, remembered)))
    return { documents: await publication.readLast(), remember: remembered };
  const meta = await openMeta(publication, name);
  return openFile(publication, name, meta, toModifiedFact(meta.modified));
}

async function openModified(publication: Publication, name: string): Promise<OpenedFile> {
  const meta = await openMeta(publication, name);
  return openFile(
    publication,
    name,
    meta,
    extendModifiedSpan(publication.remembered, meta.modified),
  );
}

async function openMeta(publication: Publication, name: string): Promise<NvdMeta> {
  const url = `${nvdFolder}/nvdcve-2.0-${name}.meta`;
  return readNvdMeta(
    await publication.open(url, {
      maxBytes: maxMetaBytes,
      maxOpenBytes: maxMetaBytes,
      redirectHosts,
    }),
  );
}

/** Opens the file; without a request when it is the one that was read last. */
async function openFile(
  publication: Publication,
  name: string,
  { sha256, size }: NvdMeta,
  facts: Facts,
): Promise<OpenedFile> {
  const { remembered } = publication;
  const remember = { reader: String(readerVersion), sha256, ...facts };
  if (remembered?.sha256 === sha256) {
    const documents = await publication.readLast();
    if (documents.length > 0 || isOfThisReader(remembered)) return { documents, remember };
  }
  const document: Document = await publication.open(`${nvdFolder}/nvdcve-2.0-${name}.json.gz`, {
    maxBytes: maxFileBytes,
    redirectHosts,
    openChecksum: { algorithm: 'sha256', value: sha256 },
    openSize: size,
  });
  return { documents: [document], remember };
}

function isOfThisReader(remembered: Facts | undefined): remembered is Facts {
  return remembered?.reader === String(readerVersion);
}

/** One day less than the file covers. */
const maxGap = 7 * 86_400_000;

/** Returns since when and until when `modified` has been read without a gap; empty when NVD states no time. */
function extendModifiedSpan(last: Facts | undefined, made: number | null): Facts {
  if (made === null) return {};
  const since = vendorDate(last?.since);
  const until = vendorDate(last?.until);
  const isGapless = since !== null && until !== null && Math.abs(made - until) <= maxGap;
  return {
    since: new Date(isGapless ? since : made).toISOString(),
    until: new Date(isGapless ? Math.max(until, made) : made).toISOString(),
  };
}

/**
 * Returns whether a year's file need not be requested. `modified` contains the changes of eight days: while it is read without a gap, it
 * keeps up to date every year that was read after its first reading, or at most eight days before. All times are NVD's own: when it made
 * the files. A gap is remembered until each year has been read after it.
 * @param year facts that the year's part remembered of its file
 */
async function isCoveredByModified(publication: Publication, year: Facts): Promise<boolean> {
  const span = await publication.partRemembered?.(modifiedPart);
  const since = vendorDate(span?.since);
  const until = vendorDate(span?.until);
  const made = vendorDate(year.modified);
  return (
    since !== null &&
    until !== null &&
    made !== null &&
    publication.now() - until <= maxGap &&
    since - made <= maxGap
  );
}
