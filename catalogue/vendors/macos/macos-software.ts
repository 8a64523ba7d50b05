/** Part with the products of the software update catalogue, their distributions and, where those are incomplete, their server metadata. */

import {
  createRemark,
  type Document,
  type FeedItem,
  type Part,
  type PartManifest,
  type Publication,
} from '../../definition/feed.ts';
import type { FeedRemark } from '../../definition/feed-remark.ts';
import { openMany, type Wanted } from '../../parsers/open-documents.ts';
import { remarkOnDates } from '../../values/vendor-dates.ts';
import {
  isMergedCatalogue,
  listSystemAddresses,
  openForms,
  openMerged,
  parseCatalogueSystem,
} from './macos-catalogues.ts';
import { type Distribution, readDistribution } from './macos-distribution.ts';
import { type Product, readProducts } from './macos-product.ts';
import {
  type ProductDescription,
  toMacosProductEntry,
  toReleaseName,
} from './macos-product-entry.ts';
import type { ReleaseName } from './macos-release-name.ts';
import { createAbsentPagesRemarks, openSecurityDocuments, readSecurity } from './macos-security.ts';
import { readServerMetadata } from './macos-server-metadata.ts';

export const softwarePart: Part = {
  key: 'software',
  label: 'Software update catalogue',
  contents: openSoftware,
  read: readSoftware,
};

/** Distributions do not change at their address and are requested once. Missing ones may appear at any time. */
async function openSoftware(publication: Publication): Promise<PartManifest> {
  const last = await publication.readLast();
  const merged = await openMerged(publication, last);
  const copies: string[] = [];
  const noteCopy = (url: string) => copies.push(url);
  const catalogues = [merged];
  for (const address of listSystemAddresses(publication.now())) {
    const document = await openForms(publication, address);
    if (document !== null) catalogues.push(document);
  }
  const products = await listProducts(merged);
  const distributions = await openMany(
    publication,
    listWantedDistributions(products),
    last,
    noteCopy,
  );
  const wanted: Wanted[] = [];
  const names: ReleaseName[] = [];
  for (const product of products) {
    const document = distributions.get(product.distributionUrl ?? '');
    if (
      product.metadataUrl === null ||
      (document !== undefined && isComplete(await readDistribution(document)))
    )
      continue;
    wanted.push(toWanted(product.metadataUrl, product.postDate));
  }
  const metadata = await openMany(publication, wanted, last, noteCopy);
  const descriptions = new Map([...distributions, ...metadata]);
  for (const product of products) {
    const name = toReleaseName(product, {
      ...(await describeProduct(product, descriptions)),
      majors: [],
    });
    if (name !== null) names.push(name);
  }
  const security = await openSecurityDocuments(publication, last, names);
  const standIn = [
    ...copies.map((url): FeedRemark => ({ code: 'named_copy_read', params: { url } })),
    ...security.standIn,
  ];
  return {
    documents: [...catalogues, ...descriptions.values(), ...security.documents],
    isComplete: true,
    remarks: security.remarks,
    ...(standIn.length > 0 && { standIn }),
  };
}

async function listProducts(catalogue: Document): Promise<Product[]> {
  const products = [];
  for await (const read of readProducts(catalogue))
    if (read.kind === 'product') products.push(read.product);
  return products;
}

type Description = Pick<ProductDescription, 'distribution' | 'metadata'>;

async function describeProduct(
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

export function listWantedDistributions(
  products: Iterable<Pick<Product, 'distributionUrl' | 'postDate'>>,
): Wanted[] {
  return [...products].flatMap(({ distributionUrl, postDate }) =>
    distributionUrl === null ? [] : [toWanted(distributionUrl, postDate)],
  );
}

/** Files of a few kilobytes, at most a few hundred; not requested again until the product has a new post date. */
function toWanted(url: string, postDate: number | null): Wanted {
  const options = { lastGoodCopy: true, maxBytes: 8 * 1024 ** 2, maxOpenBytes: 16 * 1024 ** 2 };
  return {
    url,
    options:
      postDate === null ? options : { ...options, version: new Date(postDate).toISOString() },
  };
}

function isComplete({ title, version, description, restart }: Distribution): boolean {
  return title !== null && version !== null && description !== null && restart !== null;
}

async function* readSoftware(contents: PartManifest): AsyncGenerator<FeedItem> {
  const { documents } = contents;
  const byAddress = new Map(documents.map((document) => [document.url, document]));
  const merged = documents.find(({ url }) => isMergedCatalogue(url));
  if (merged === undefined) throw new Error('No catalogue is among the documents');
  const majorsByKey = await groupSystemsByProduct(documents);
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
    const { distribution, metadata } = await describeProduct(product, byAddress);
    for (const problem of [distribution?.problem, metadata?.problem])
      if (problem) damaged.push(`${product.key} (${problem})`);
    products += 1;
    yield* remarkOnDates(product.key, { PostDate: product.writtenPostDate });
    if (product.oddValues.length > 0)
      yield createRemark(
        `${product.key}: values that cannot be read were left out: ${product.oddValues.join(', ')}`,
      );
    if (distribution === null && metadata === null) undescribed += 1;
    const majors = majorsByKey.get(product.key) ?? [];
    yield toMacosProductEntry(product, { distribution, metadata, majors }, security.releases);
  }
  yield* createRemarks(products, undescribed, damaged);
  for (const remark of [...security.remarks, ...createAbsentPagesRemarks(security.releases)])
    yield createRemark(remark);
}

function* createRemarks(
  products: number,
  undescribed: number,
  damaged: readonly string[],
): Generator<FeedItem> {
  if (undescribed > 0) {
    yield createRemark(
      `Apple serves no description of ${undescribed} of ${products} products (not found): they are called by their file names`,
    );
  }
  if (damaged.length > 0) {
    const more = damaged.length > 10 ? ` and ${damaged.length - 10} more` : '';
    yield createRemark(
      `Damaged descriptions were read in part: ${damaged.slice(0, 10).join(', ')}${more}`,
    );
  }
}

async function groupSystemsByProduct(
  documents: readonly Document[],
): Promise<ReadonlyMap<string, string[]>> {
  const majors = new Map<string, string[]>();
  for (const document of documents) {
    const major = parseCatalogueSystem(document.url);
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
