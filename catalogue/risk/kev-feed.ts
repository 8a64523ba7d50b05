/** Feed of CISA's catalogue of known exploited vulnerabilities (KEV): one document, replaced completely. */
import type {
  Document,
  FeedPart,
  PartManifest,
  Publication,
  RiskFeed,
  RiskItem,
} from '../definition/feed.ts';
import type { FeedRemark } from '../definition/feed-remark.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { isPublicationFailure } from '../parsers/publication-failure.ts';
import { type KevCatalogue, parseKevCatalogue, readKevItems } from './kev-catalogue.ts';
import { getRememberedTime } from './remembered-time.ts';

const address =
  'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';

/** CISA's own copy, refreshed every hour, because cisa.gov refuses many cloud networks. */
const copyAddress =
  'https://raw.githubusercontent.com/cisagov/kev-data/develop/known_exploited_vulnerabilities.json';

/** Neither address redirects at present. */
const redirectHosts = ['www.cisa.gov', 'raw.githubusercontent.com'];

/** Limit of the file, compressed and uncompressed: twenty times its present size. */
const maxBytes = 32 * 1024 ** 2;

export const kevFeed: RiskFeed = {
  risk: 'kev',
  fills: [],
  homepage: 'https://www.cisa.gov/known-exploited-vulnerabilities-catalog',
  schedule: '10 */2 * * *',
  maxOpenBytes: maxBytes,
  version: 1,
  parts: [createKevPart()],
};

function createKevPart(): FeedPart<RiskItem> {
  return {
    key: 'kev',
    label: 'Known exploited vulnerabilities',
    async contents(publication): Promise<PartManifest> {
      const { document, catalogue, standIn } = await openCatalogue(publication);
      const { released, version } = catalogue;
      return {
        documents: [document],
        isComplete: true,
        ...(standIn !== undefined && { standIn }),
        remember: {
          dateReleased: new Date(released).toISOString(),
          ...(version !== null && { catalogVersion: version }),
        },
      };
    },
    async *read({ documents }) {
      for (const document of documents)
        yield* readKevItems(await parseKevCatalogue(document), document.url);
    },
  };
}

interface OpenedCatalogue {
  readonly document: Document;
  readonly catalogue: KevCatalogue;
  /** Missing when cisa.gov itself answered. */
  readonly standIn?: readonly FeedRemark[];
}

/** @throws the failure of the first address when the copy cannot be used either */
async function openCatalogue(publication: Publication): Promise<OpenedCatalogue> {
  try {
    return await openCatalogueAt(publication, address);
  } catch (error) {
    if (!isPublicationFailure(error)) throw error;
    const copy = await openCatalogueAt(publication, copyAddress).catch((copyError: unknown) => {
      throw isPublicationFailure(copyError) ? error : copyError;
    });
    return {
      ...copy,
      standIn: [
        { code: 'second_address_read', params: { url: copyAddress, cause: error.failure } },
      ],
    };
  }
}

async function openCatalogueAt(
  publication: Publication,
  url: string,
): Promise<Pick<OpenedCatalogue, 'document' | 'catalogue'>> {
  const document = await publication.open(url, { maxBytes, redirectHosts });
  try {
    const catalogue = await parseKevCatalogue(document);
    const remembered = getRememberedTime(publication, 'dateReleased');
    if (remembered !== null && remembered > catalogue.released)
      throw new BrokenDocument(
        url,
        `it was released on ${new Date(catalogue.released).toISOString()}, before the catalogue of ${new Date(remembered).toISOString()} that was read already`,
      );
    return { document, catalogue };
  } catch (error) {
    await publication.distrust?.(url);
    throw error;
  }
}
