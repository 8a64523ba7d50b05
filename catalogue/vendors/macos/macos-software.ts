/** The products of the software update catalogue, each with its distribution and, where that says too little, its server metadata. */
import type { Contents, Document, Part, Publication, Reading } from '../../definition/feed.ts';
import { openMany, type Wanted } from '../../formats/open-many.ts';
import { isMerged, openForms, openMerged, systemAddresses, systemOfCatalogue } from './macos-catalogues.ts';
import { type Distribution, readDistribution } from './macos-distribution.ts';
import { type Product, readProducts } from './macos-product.ts';
import { macosProductEntry } from './macos-product-entry.ts';
import { readServerMetadata } from './macos-server-metadata.ts';

export const softwarePart: Part = { key: 'software', label: 'Software update catalogue', contents: softwareContents, read: readSoftware };

/** Distributions do not change at their address: what is there is asked for once. What Apple lists and does not serve may come any time. */
async function softwareContents(publication: Publication): Promise<Contents> {
  const last = await publication.readLast();
  const merged = await openMerged(publication, last);
  const catalogues = [merged];
  for (const address of systemAddresses(publication.now())) {
    const document = await openForms(publication, address);
    if (document !== null) catalogues.push(document);
  }
  const products = await productsOf(merged);
  const distributions = await openMany(publication, wantedDistributions(products), last);
  const wanted: Wanted[] = [];
  for (const product of products) {
    const document = distributions.get(product.distributionUrl ?? '');
    if (product.metadataUrl === null || (document !== undefined && saysAll(await readDistribution(document)))) continue;
    wanted.push(wantedOf(product.metadataUrl, product.postDate));
  }
  const metadata = await openMany(publication, wanted, last);
  return { documents: [...catalogues, ...distributions.values(), ...metadata.values()], whole: true };
}

/** Without their packages and what else is not needed to find documents. */
async function productsOf(catalogue: Document): Promise<Pick<Product, 'postDate' | 'distributionUrl' | 'metadataUrl'>[]> {
  const products = [];
  for await (const read of readProducts(catalogue)) {
    if (!('product' in read)) continue;
    const { postDate, distributionUrl, metadataUrl } = read.product;
    products.push({ postDate, distributionUrl, metadataUrl });
  }
  return products;
}

export function wantedDistributions(products: Iterable<Pick<Product, 'distributionUrl' | 'postDate'>>): Wanted[] {
  return [...products].flatMap(({ distributionUrl, postDate }) => (distributionUrl === null ? [] : [wantedOf(distributionUrl, postDate)]));
}

/** A few kilobytes each, the largest some hundred; not asked for again until the product is posted anew. */
function wantedOf(url: string, postDate: number | null): Wanted {
  const options = { lastGoodCopy: true, maxBytes: 8 * 1024 ** 2, maxOpenBytes: 16 * 1024 ** 2 };
  return { url, options: postDate === null ? options : { ...options, version: new Date(postDate).toISOString() } };
}

function saysAll({ title, version, description, restart }: Distribution): boolean {
  return title !== null && version !== null && description !== null && restart !== null;
}

async function* readSoftware({ documents }: Contents): AsyncGenerator<Reading> {
  const byAddress = new Map(documents.map((document) => [document.url, document]));
  const merged = documents.find(({ url }) => isMerged(url));
  if (merged === undefined) throw new Error('There is no catalogue among the documents');
  const majorsByKey = await systemsByProduct(documents);
  const damaged: string[] = [];
  let undescribed = 0;
  let products = 0;
  for await (const read of readProducts(merged)) {
    if (!('product' in read)) {
      yield read;
      continue;
    }
    const { product } = read;
    const distributionDocument = byAddress.get(product.distributionUrl ?? '');
    const metadataDocument = byAddress.get(product.metadataUrl ?? '');
    const distribution = distributionDocument === undefined ? null : await readDistribution(distributionDocument);
    const metadata = metadataDocument === undefined ? null : await readServerMetadata(metadataDocument);
    for (const problem of [distribution?.problem, metadata?.problem]) if (problem) damaged.push(`${product.key} (${problem})`);
    products += 1;
    if (distribution === null && metadata === null) undescribed += 1;
    yield macosProductEntry(product, { distribution, metadata, majors: majorsByKey.get(product.key) ?? [] });
  }
  yield* remarks(products, undescribed, damaged);
}

function* remarks(products: number, undescribed: number, damaged: readonly string[]): Generator<Reading> {
  if (undescribed > 0) {
    yield {
      remark: `Apple serves no description of ${undescribed} of ${products} products (not found): they are called by their file names`,
    };
  }
  if (damaged.length > 0) {
    const more = damaged.length > 10 ? ` and ${damaged.length - 10} more` : '';
    yield { remark: `What can be read was taken of damaged descriptions: ${damaged.slice(0, 10).join(', ')}${more}` };
  }
}

async function systemsByProduct(documents: readonly Document[]): Promise<ReadonlyMap<string, string[]>> {
  const majors = new Map<string, string[]>();
  for (const document of documents) {
    const major = systemOfCatalogue(document.url);
    if (major === null) continue;
    for await (const read of readProducts(document)) {
      if (!('product' in read)) continue;
      const { key } = read.product;
      const known = majors.get(key);
      if (known === undefined) majors.set(key, [major]);
      else known.push(major);
    }
  }
  return majors;
}
