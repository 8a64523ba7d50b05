/** Parser of one product of a software update catalogue. */

import { z } from 'zod';
import { createRejection, type Document, type Rejection } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { plistMembers } from '../../parsers/plist-values.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { invalidReason, toWebAddress, toWord } from '../../values/vendor-words.ts';

export interface Product {
  readonly key: string;
  readonly postDate: number | null;
  readonly writtenPostDate: unknown;
  /** Paths of values that are stated in a form that cannot be read; the product has none of them. */
  readonly oddValues: readonly string[];
  readonly packages: readonly ProductPackage[];
  /** Address of the English distribution, else of another language; null when Apple serves none. */
  readonly distributionUrl: string | null;
  readonly metadataUrl: string | null;
  /** Bundle identifiers of a system installer; empty for other products. */
  readonly installer: readonly string[];
  /** macOS, Safari, bridgeOS. */
  readonly type: string | null;
  readonly version: string | null;
}

export interface ProductPackage {
  readonly url: string | null;
  readonly size: number | null;
  readonly digest: string | null;
}

export type ProductRead = { readonly kind: 'product'; readonly product: Product } | Rejection;

/**
 * Reads each key once: the first counts.
 * @throws BrokenDocument when the catalogue cannot be read to its end or contains no product
 */
export async function* readProducts(catalogue: Document): AsyncGenerator<ProductRead> {
  const met = new Set<string>();
  let index = 0;
  for await (const [written, value] of plistMembers(catalogue, 'Products')) {
    index += 1;
    const key = toWord(written);
    const reject = (reason: string): Rejection =>
      createRejection(key ?? `product ${index}`, reason, catalogue.url);
    if (key === null) yield reject('it has no key');
    else if (met.has(key)) yield reject('the catalogue lists it twice; the first is read');
    else {
      met.add(key);
      const form = productForm.safeParse(value);
      yield form.success
        ? { kind: 'product', product: { key, ...form.data } }
        : reject(invalidReason(form.error));
    }
  }
  if (index === 0) throw new BrokenDocument(catalogue.url, 'it contains no product');
}

const word = z
  .union([z.string(), z.number()], { error: 'expected a word' })
  .optional()
  .transform((value) => toWord(value));

/** Accepts Apple's own servers only. */
const parseAppleAddress = (value: unknown): string | null => {
  const address = toWebAddress(value);
  if (address === null) return null;
  const url = new URL(address);
  if (!/(?:^|\.)apple\.com$/.test(url.hostname)) return null;
  url.protocol = 'https:';
  return url.href;
};

const toSize = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 ? value : null;

const packageForm = z
  .object({ URL: word, Size: z.unknown().optional(), Digest: word })
  .transform((written) => ({
    written,
    url: toWebAddress(written.URL),
    size: toSize(written.Size),
    digest: written.Digest,
  }));

const metaForm = z
  .object({
    ProductType: word,
    ProductVersion: word,
    InstallAssistantPackageIdentifiers: z.record(z.string(), z.unknown()).optional(),
  })
  .optional();

const productForm = z
  .object({
    PostDate: z.unknown().optional(),
    Packages: z.array(packageForm).optional(),
    Distributions: z.record(z.string(), z.unknown()).optional(),
    ServerMetadataURL: z.unknown().optional(),
    ExtendedMetaInfo: metaForm,
  })
  .transform(({ PostDate, Packages, Distributions, ServerMetadataURL, ExtendedMetaInfo }) => ({
    postDate: vendorDate(PostDate),
    writtenPostDate: PostDate,
    packages: (Packages ?? []).map(({ url, size, digest }) => ({ url, size, digest })),
    oddValues: findOddValues(Packages ?? [], Distributions ?? {}, ServerMetadataURL),
    distributionUrl: chooseDistribution(Distributions ?? {}),
    metadataUrl: parseAppleAddress(ServerMetadataURL),
    installer: Object.values(ExtendedMetaInfo?.InstallAssistantPackageIdentifiers ?? {}).filter(
      (value) => typeof value === 'string',
    ),
    type: ExtendedMetaInfo?.ProductType ?? null,
    version: ExtendedMetaInfo?.ProductVersion ?? null,
  }));

const isStated = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function findOddValues(
  packages: readonly z.infer<typeof packageForm>[],
  distributions: Readonly<Record<string, unknown>>,
  metadata: unknown,
): readonly string[] {
  const isOddAddress = (value: unknown) => isStated(value) && parseAppleAddress(value) === null;
  return [
    ...packages.flatMap(({ written, url, size }, index) => [
      ...(isStated(written.URL) && url === null ? [`Packages.${index}.URL`] : []),
      ...(isStated(written.Size) && size === null ? [`Packages.${index}.Size`] : []),
    ]),
    ...Object.entries(distributions)
      .filter(([, address]) => isOddAddress(address))
      .map(([language]) => `Distributions.${language}`),
    ...(isOddAddress(metadata) ? ['ServerMetadataURL'] : []),
  ];
}

/** Prefers English, then en, then en of a country, then the first language; the empty language comes last. */
function chooseDistribution(distributions: Readonly<Record<string, unknown>>): string | null {
  const rank = (language: string) =>
    language === 'English'
      ? 0
      : language === 'en'
        ? 1
        : /^en[_-]/i.test(language)
          ? 2
          : language.trim() === ''
            ? 4
            : 3;
  const languages = Object.keys(distributions).toSorted(
    (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1),
  );
  for (const language of languages) {
    const url = parseAppleAddress(distributions[language]);
    if (url !== null) return url;
  }
  return null;
}
