/** Parser of one advisory of Apollo, Rocky Linux's errata service, in its third API. Any value may be null. */
import { z } from 'zod';
import {
  parseEnterpriseLinuxRelease,
  parseRpmFileName,
  type RpmFileName,
} from '../../schemas/rpm-file-name.ts';
import { getMember } from '../../values/object-members.ts';
import { word } from '../../values/vendor-forms.ts';
import { distinctWords, invalidReason, toWebAddress, toWord } from '../../values/vendor-words.ts';

export type Advisory = z.output<typeof advisoryForm> & { readonly id: string };
export type AdvisoryPackage = Advisory['packages'][number];

export type AdvisoryRead =
  | {
      readonly kind: 'advisory';
      readonly advisory: Advisory;
      readonly releases: ReadonlyMap<string, readonly string[]>;
    }
  | { readonly kind: 'rejection'; readonly rejected: string | null; readonly reason: string };

/** Returns the advisory with its major releases and their products, or why the record is rejected. */
export function readAdvisory(record: unknown): AdvisoryRead {
  const id = toWord(getMember(record, 'name'));
  if (id === null) return { kind: 'rejection', rejected: null, reason: 'it has no name' };
  const read = advisoryForm.safeParse(record);
  if (!read.success) return { kind: 'rejection', rejected: id, reason: invalidReason(read.error) };
  const advisory = { ...read.data, id };
  const releases = groupProductsByRelease(advisory);
  if (releases.size === 0)
    return {
      kind: 'rejection',
      rejected: id,
      reason: 'neither its products nor its packages name a release of Rocky Linux',
    };
  return { kind: 'advisory', advisory, releases };
}

/** The present releases and the next one. */
export const majorReleases: readonly string[] = ['8', '9', '10', '11'];

/** Returns the vendor's page of an advisory. */
export function toAdvisoryPage(id: string): string | null {
  return toWebAddress(`https://errata.rockylinux.org/${id}`);
}

/**
 * Returns the Red Hat advisory that an advisory was rebuilt from; null for Rocky Linux's own. Apollo's ids replace RH by its own letters;
 * its red_hat_advisory_id is a number of its database only.
 */
export function toSourceAdvisory(id: string): string | null {
  const [, kindAndNumber] = /^R[A-Z]([SBE]A-\d{4}:\d{3,5})$/.exec(id) ?? [];
  return kindAndNumber === undefined ? null : `RH${kindAndNumber}`;
}

/** Returns the packages of a release: by the product, else the file name. A package that names no release counts for all. */
export function listPackages(
  release: string,
  { advisory, releases }: Extract<AdvisoryRead, { advisory: Advisory }>,
): AdvisoryPackage[] {
  return advisory.packages.filter((of) => {
    const stated = findPackageRelease(of);
    return (
      stated === null || stated === release || (!releases.has(stated) && of.product_name === null)
    );
  });
}

function findPackageRelease({ product_name, file }: AdvisoryPackage): string | null {
  return (
    parseRelease(product_name) ?? (file === null ? null : parseEnterpriseLinuxRelease(file.release))
  );
}

/** Returns 8 for "Rocky Linux 8.4 x86_64 (Legacy)": minor releases count as their major release. */
function parseRelease(product: string | null): string | null {
  return /\s(\d+)(?:\.\d+)?(?=\s|$)/.exec(product ?? '')?.[1] ?? null;
}

function groupProductsByRelease({
  affected_products,
  packages,
}: Omit<Advisory, 'id'>): ReadonlyMap<string, readonly string[]> {
  const products = affected_products.map(({ variant, name, major_version }) => ({
    release: major_version ?? parseRelease(name),
    variant,
  }));
  const given = products.some(({ release }) => release !== null);
  const all = given
    ? products
    : packages.map((of) => ({ release: findPackageRelease(of), variant: null }));
  const releases = Map.groupBy(all, ({ release }) => release);
  releases.delete(null);
  return new Map(
    [...releases]
      .map(
        ([release, of]) =>
          [
            release as string,
            distinctWords(of.map(({ variant }) => `${variant ?? 'Rocky Linux'} ${release}`)),
          ] as const,
      )
      .toSorted(([a], [b]) => Number(a) - Number(b)),
  );
}

/** Apollo writes UNKNOWN for missing values. */
const knownWord = word.transform((known) => (known?.toUpperCase() === 'UNKNOWN' ? null : known));
/** Text as written, including line breaks. */
const prose = z
  .string()
  .nullish()
  .transform((text) => (text?.trim() ? text : null));

function optionalList<Element extends z.ZodType>(element: Element) {
  return z
    .array(element.nullable())
    .nullish()
    .transform((elements) => (elements ?? []).filter((present) => present !== null));
}

const packageForm = z
  .object({
    nevra: word,
    checksum: word,
    checksum_type: word,
    module_context: word,
    module_name: word,
    module_stream: word,
    module_version: word,
    repo_name: word,
    product_name: word,
  })
  .transform((of): typeof of & { readonly file: RpmFileName | null } => ({
    ...of,
    file: parseRpmFileName(of.nevra),
  }));

const advisoryForm = z.object({
  synopsis: word,
  description: prose,
  topic: prose,
  kind: word,
  severity: word,
  published_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
  affected_products: optionalList(z.object({ variant: word, name: word, major_version: word })),
  cves: optionalList(
    z.object({
      cve: word,
      cvss3_scoring_vector: knownWord,
      cvss3_base_score: knownWord,
      cwe: knownWord,
    }),
  ),
  fixes: optionalList(z.object({ ticket_id: word, source: word, description: word })),
  packages: optionalList(packageForm),
});
