/** The metadata and the ROLIE feed of a CSAF provider. */
import { csafFileName, csafYear } from '@patch/catalogue/formats/csaf-file-name.ts';
import type { CsafPublisher } from '@patch/catalogue/formats/csaf-types.ts';
import type { CsafIndexRow } from './csaf-index-store.ts';

export interface CsafProvider {
  readonly publisher: CsafPublisher;
  /** Where documents are, without a slash at the end. */
  readonly baseUrl: string;
}

/** The public key of the signatures. */
export const csafKeyFile = 'openpgp-key.asc';

/**
 * @param changed - When the last document changed, epoch milliseconds; null without documents.
 * @param fingerprint - Of the key that signs documents.
 */
export function providerMetadata(
  { publisher, baseUrl }: CsafProvider,
  changed: number | null,
  fingerprint: string,
) {
  const last_updated = new Date(changed ?? 0).toISOString();
  return {
    $schema: 'https://docs.oasis-open.org/csaf/csaf/v2.1/schema/provider.json',
    canonical_url: `${baseUrl}/provider-metadata.json`,
    distributions: [
      {
        rolie: {
          feeds: [
            {
              last_updated,
              summary: 'All documents: TLP:CLEAR',
              tlp_label: 'CLEAR',
              url: `${baseUrl}/feed.json`,
            },
          ],
        },
      },
    ],
    last_updated,
    // Documents are for the network of the installation.
    list_on_CSAF_aggregators: false,
    metadata_version: '2.1',
    mirror_on_CSAF_aggregators: false,
    public_openpgp_keys: [{ fingerprint, url: `${baseUrl}/${csafKeyFile}` }],
    publisher,
    role: 'csaf_trusted_provider',
  };
}

/** Yields the feed as JSON. */
export async function* rolieFeed(
  { baseUrl }: CsafProvider,
  batches: AsyncIterable<readonly CsafIndexRow[]>,
): AsyncGenerator<string> {
  const head = (changed: number) =>
    JSON.stringify({
      id: 'csaf-feed-tlp-clear',
      title: 'Security advisories as CSAF documents (TLP:CLEAR)',
      link: [{ rel: 'self', href: `${baseUrl}/feed.json` }],
      category: [{ scheme: 'urn:ietf:params:rolie:category:information-type', term: 'csaf' }],
      updated: new Date(changed).toISOString(),
    });
  let isBegun = false;
  for await (const rows of batches) {
    const entries = rows.map((row) => JSON.stringify(toFeedEntry(row, baseUrl))).join(',');
    yield isBegun
      ? `,${entries}`
      : `{"feed":${head(rows[0]?.changed ?? 0).slice(0, -1)},"entry":[${entries}`;
    isBegun = true;
  }
  yield isBegun ? ']}}' : `{"feed":${head(0).slice(0, -1)},"entry":[]}}`;
}

function toFeedEntry({ identifier, created, changed }: CsafIndexRow, baseUrl: string) {
  const href = `${baseUrl}/${csafYear(created)}/${csafFileName(identifier)}`;
  return {
    id: identifier,
    title: identifier,
    link: [
      { rel: 'self', href },
      { rel: 'hash', href: `${href}.sha256` },
      { rel: 'hash', href: `${href}.sha512` },
      { rel: 'signature', href: `${href}.asc` },
    ],
    published: new Date(created).toISOString(),
    updated: new Date(changed).toISOString(),
    content: { type: 'application/json', src: href },
    format: {
      schema: 'https://docs.oasis-open.org/csaf/csaf/v2.1/schema/csaf.json',
      version: '2.1',
    },
  };
}
