/** The products of the software update catalogue, each with its distribution and, where that says too little, its server metadata. */

import type { Document, FeedItem, Part, PartManifest, Publication } from '../../definition/feed.ts';
import type { FeedRemark } from '../../definition/feed-remark.ts';
import { openMany, type Wanted } from '../../parsers/open-many.ts';
import {
  isMerged,
  openForms,
  openMerged,
  systemAddresses,
  systemOfCatalogue,
} from './macos-catalogues.ts';
import { type Distribution, readDistribution } from './macos-distribution.ts';
import { type Product, readProducts } from './macos-product.ts';
import {
  macosProductEntry,
  type ProductDescription,
  releaseNameOf,
} from './macos-product-entry.ts';
import type { ReleaseName } from './macos-release-name.ts';
import { absentPagesRemark, readSecurity, securityDocuments } from './macos-security.ts';
import { readServerMetadata } from './macos-server-metadata.ts';

export const softwarePart: Part = {
  key: 'software',
  label: 'Software update catalogue',
  contents: softwareContents,
  read: readSoftware,
};

/** Distributions do not change at their address: what is there is asked for once. What Apple lists and does not serve may come any time. */
async function softwareContents(publication: Publication): Promise<PartManifest> {
  const last = await publication.readLast();
  const merged = await openMerged(publication, last);
  const copies: string[] = [];
  const tellCopy = (url: string) => copies.push(url);
  const catalogues = [merged];
  for (const address of systemAddresses(publication.now())) {
    const document = await openForms(publication, address);
    if (document !== null) catalogues.push(document);
  }
  const products = await productsOf(merged);
  const distributions = await openMany(publication, wantedDistributions(products), last, tellCopy);
  const wanted: Wanted[] = [];
  const names: ReleaseName[] = [];
  for (const product of products) {
    const document = distributions.get(product.distributionUrl ?? '');
    if (
      product.metadataUrl === null ||
      (document !== undefined && saysAll(await readDistribution(document)))
    )
      continue;
    wanted.push(wantedOf(product.metadataUrl, product.postDate));
  }
  const metadata = await openMany(publication, wanted, last, tellCopy);
  const descriptions = new Map([...distributions, ...metadata]);
  for (const product of products) {
    const name = releaseNameOf(product, { ...(await describe(product, descriptions)), majors: [] });
    if (name !== null) names.push(name);
  }
  const security = await securityDocuments(publication, last, names);
  const standIn = [
    ...copies.map((url): FeedRemark => ({ code: 'named_copy_read', params: { url } })),
    ...security.standIn,
  ];
  return {
    documents: [...catalogues, ...descriptions.values(), ...security.documents],
    whole: true,
    remarks: security.remarks,
    ...(standIn.length > 0 && { standIn }),
  };
}

async function productsOf(catalogue: Document): Promise<Product[]> {
  const products = [];
  for await (const read of readProducts(catalogue))
    if (read.kind === 'product') products.push(read.product);
  return products;
}

type Description = Pick<ProductDescription, 'distribution' | 'metadata'>;

async function describe(
  product: Product,
  documents: ReadonlyMap<string, Document>,
): Promise<Description> {
  const distribution = documents.get(product.distributionUrl ?? '');
  const metadata = documents.get(product.metadataUrl ?? '');
  return {
    distribution: distribution === undefined ? null : await readDistribution(distribution),
    metadata: metadata === undefined ? null : await readServerMetadata(metadata),
  };
}

export function wantedDistributions(
  products: Iterable<Pick<Product, 'distributionUrl' | 'postDate'>>,
): Wanted[] {
  return [...products].flatMap(({ distributionUrl, postDate }) =>
    distributionUrl === null ? [] : [wantedOf(distributionUrl, postDate)],
  );
}

/** A few kilobytes each, the largest a few hundred; not requested again until the product has a new post date. */
function wantedOf(url: string, postDate: number | null): Wanted {
  const options = { lastGoodCopy: true, maxBytes: 8 * 1024 ** 2, maxOpenBytes: 16 * 1024 ** 2 };
  return {
    url,
    options:
      postDate === null ? options : { ...options, version: new Date(postDate).toISOString() },
  };
}

function saysAll({ title, version, description, restart }: Distribution): boolean {
  return title !== null && version !== null && description !== null && restart !== null;
}

async function* readSoftware(contents: PartManifest): AsyncGenerator<FeedItem> {
  const { documents } = contents;
  const byAddress = new Map(documents.map((document) => [document.url, document]));
  const merged = documents.find(({ url }) => isMerged(url));
  if (merged === undefined) throw new Error('There is no catalogue among the documents');
  const majorsByKey = await systemsByProduct(documents);
  const security = await readSecurity(contents);
  const damaged: string[] = [];
  let undescribed = 0;
  let products = 0;
  for await (const read of readProducts(merged)) {
    if (read.kind !== 'product') {
      yield read;
      continue;
    }
    const { product } = read;
    const { distribution, metadata } = await describe(product, byAddress);
    for (const problem of [distribution?.problem, metadata?.problem])
      if (problem) damaged.push(`${product.key} (${problem})`);
    products += 1;
    if (distribution === null && metadata === null) undescribed += 1;
    const majors = majorsByKey.get(product.key) ?? [];
    yield macosProductEntry(product, { distribution, metadata, majors }, security.releases);
  }
  yield* remarks(products, undescribed, damaged);
  for (const remark of [...security.remarks, ...absentPagesRemark(security.releases)])
    yield { kind: 'remark', remark };
}

function* remarks(
  products: number,
  undescribed: number,
  damaged: readonly string[],
): Generator<FeedItem> {
  if (undescribed > 0) {
    yield {
      kind: 'remark',
      remark: `Apple serves no description of ${undescribed} of ${products} products (not found): they are called by their file names`,
    };
  }
  if (damaged.length > 0) {
    const more = damaged.length > 10 ? ` and ${damaged.length - 10} more` : '';
    yield {
      kind: 'remark',
      remark: `What can be read was taken of damaged descriptions: ${damaged.slice(0, 10).join(', ')}${more}`,
    };
  }
}

async function systemsByProduct(
  documents: readonly Document[],
): Promise<ReadonlyMap<string, string[]>> {
  const majors = new Map<string, string[]>();
  for (const document of documents) {
    const major = systemOfCatalogue(document.url);
    if (major === null) continue;
    for await (const read of readProducts(document)) {
      if (read.kind !== 'product') continue;
      const { key } = read.product;
      const known = majors.get(key);
      if (known === undefined) majors.set(key, [major]);
      else known.push(major);
    }
  }
  return majors;
}
