/** One product of a software update catalogue as Apple writes it. */

import { z } from 'zod';
import type { Document, Rejection } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { plistMembers } from '../../parsers/plist-values.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { invalidReason, webAddressOf, wordOf } from '../../values/vendor-words.ts';

export interface Product {
  readonly key: string;
  readonly postDate: number | null;
  readonly packages: readonly ProductPackage[];
  /** Of the distribution that is read, the English one where there is one; null when the product has none at Apple. */
  readonly distributionUrl: string | null;
  readonly metadataUrl: string | null;
  /** Bundle identifiers; those of an installer of a whole system, none otherwise. */
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

/** Each key once: the first counts. Throws BrokenDocument when the catalogue cannot be read to its end, or has no product. */
export async function* readProducts(catalogue: Document): AsyncGenerator<ProductRead> {
  const met = new Set<string>();
  let place = 0;
  for await (const [written, value] of plistMembers(catalogue, 'Products')) {
    place += 1;
    const key = wordOf(written);
    const kept = (reason: string): Rejection => ({
      kind: 'rejection',
      rejected: key ?? `product ${place}`,
      reason,
      url: catalogue.url,
    });
    if (key === null) yield kept('it has no key');
    else if (met.has(key)) yield kept('the catalogue lists it twice; the first is kept');
    else {
      met.add(key);
      const form = productForm.safeParse(value);
      yield form.success
        ? { kind: 'product', product: { key, ...form.data } }
        : kept(invalidReason(form.error));
    }
  }
  if (place === 0) throw new BrokenDocument(catalogue.url, 'there is no product in it');
}

const word = z
  .union([z.string(), z.number()], { error: 'expected a word' })
  .optional()
  .transform((value) => wordOf(value));

/** Apple's own servers only: a catalogue leads nowhere else. */
const appleAddress = (value: unknown): string | null => {
  const address = webAddressOf(value);
  if (address === null) return null;
  const url = new URL(address);
  if (!/(?:^|\.)apple\.com$/.test(url.hostname)) return null;
  url.protocol = 'https:';
  return url.href;
};

const packageForm = z
  .object({ URL: word, Size: z.unknown().optional(), Digest: word })
  .transform(({ URL: url, Size: size, Digest: digest }) => ({
    url: webAddressOf(url),
    size: typeof size === 'number' && size >= 0 ? size : null,
    digest,
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
    packages: Packages ?? [],
    distributionUrl: chosenDistribution(Distributions ?? {}),
    metadataUrl: appleAddress(ServerMetadataURL),
    installer: Object.values(ExtendedMetaInfo?.InstallAssistantPackageIdentifiers ?? {}).filter(
      (value) => typeof value === 'string',
    ),
    type: ExtendedMetaInfo?.ProductType ?? null,
    version: ExtendedMetaInfo?.ProductVersion ?? null,
  }));

/** English, else en, else an English of some country, else the first by its language; the empty language comes last. */
function chosenDistribution(distributions: Readonly<Record<string, unknown>>): string | null {
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
    const url = appleAddress(distributions[language]);
    if (url !== null) return url;
  }
  return null;
}
