/** One advisory of Apollo, the errata service of Rocky Linux, as its third API writes it. Any value may be null there. */
import { z } from 'zod';
import {
  enterpriseLinuxRelease,
  type RpmFileName,
  rpmFileName,
} from '../../schemas/rpm-file-name.ts';
import { distinctWords, invalidReason, webAddressOf, wordOf } from '../../values/vendor-words.ts';

export type Advisory = z.output<typeof advisoryForm> & { readonly id: string };
export type AdvisoryPackage = Advisory['packages'][number];

export type AdvisoryRead =
  | {
      readonly kind: 'advisory';
      readonly advisory: Advisory;
      readonly releases: ReadonlyMap<string, readonly string[]>;
    }
  | { readonly kind: 'rejection'; readonly rejected: string | null; readonly reason: string };

/** An advisory with its major releases and the products of each, or the reason why the record is invalid. */
export function readAdvisory(record: unknown): AdvisoryRead {
  const id =
    typeof record === 'object' && record !== null ? wordOf(Reflect.get(record, 'name')) : null;
  if (id === null) return { kind: 'rejection', rejected: null, reason: 'it has no name' };
  const read = advisoryForm.safeParse(record);
  if (!read.success) return { kind: 'rejection', rejected: id, reason: invalidReason(read.error) };
  const advisory = { ...read.data, id };
  const releases = releasesOf(advisory);
  if (releases.size === 0)
    return {
      kind: 'rejection',
      rejected: id,
      reason: 'neither its products nor its packages name a release of Rocky Linux',
    };
  return { kind: 'advisory', advisory, releases };
}

/** Those that there are, and the next one. */
export const majorReleases: readonly string[] = ['8', '9', '10', '11'];

/** The natural key of what an advisory is for one release. */
export function advisoryKey(release: string, id: string): string {
  return `${release}:${id}`;
}

/** Where the vendor shows it to people. */
export function advisoryPage(id: string): string | null {
  return webAddressOf(`https://errata.rockylinux.org/${id}`);
}

/**
 * The advisory of Red Hat that an advisory was rebuilt from; null for one of Rocky Linux's own. Apollo names what it rebuilds by putting its
 * own letters in place of RH; the number that it has for the source (red_hat_advisory_id) is of its database only.
 */
export function sourceAdvisory(id: string): string | null {
  const [, kindAndNumber] = /^R[A-Z]([SBE]A-\d{4}:\d{3,5})$/.exec(id) ?? [];
  return kindAndNumber === undefined ? null : `RH${kindAndNumber}`;
}

/** The packages that count for a release: a product names it, else the file name; one that names none counts for all. */
export function packagesFor(
  release: string,
  { advisory, releases }: Extract<AdvisoryRead, { advisory: Advisory }>,
): AdvisoryPackage[] {
  return advisory.packages.filter((of) => {
    const named = releaseOfPackage(of);
    return (
      named === null || named === release || (!releases.has(named) && of.product_name === null)
    );
  });
}

function releaseOfPackage({ product_name, file }: AdvisoryPackage): string | null {
  return (
    releaseInName(product_name) ?? (file === null ? null : enterpriseLinuxRelease(file.release))
  );
}

/** "Rocky Linux 8.4 x86_64 (Legacy)" is of 8: minor releases are of their major one. */
function releaseInName(product: string | null): string | null {
  return /\s(\d+)(?:\.\d+)?(?=\s|$)/.exec(product ?? '')?.[1] ?? null;
}

function releasesOf({
  affected_products,
  packages,
}: Omit<Advisory, 'id'>): ReadonlyMap<string, readonly string[]> {
  const named = affected_products.map(({ variant, name, major_version }) => ({
    release: major_version ?? releaseInName(name),
    variant,
  }));
  const given = named.some(({ release }) => release !== null);
  const all = given
    ? named
    : packages.map((of) => ({ release: releaseOfPackage(of), variant: null }));
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
      .toSorted(([one], [other]) => Number(one) - Number(other)),
  );
}

const word = z
  .union([z.string(), z.number()], { error: 'expected a word' })
  .nullish()
  .transform(wordOf);
/** Apollo says UNKNOWN where it knows nothing. */
const knownWord = word.transform((known) => (known?.toUpperCase() === 'UNKNOWN' ? null : known));
/** Kept as written, line breaks and all. */
const prose = z
  .string()
  .nullish()
  .transform((text) => (text?.trim() ? text : null));

function listOf<Element extends z.ZodType>(element: Element) {
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
    file: rpmFileName(of.nevra),
  }));

const advisoryForm = z.object({
  synopsis: word,
  description: prose,
  topic: prose,
  kind: word,
  severity: word,
  published_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
  affected_products: listOf(z.object({ variant: word, name: word, major_version: word })),
  cves: listOf(
    z.object({
      cve: word,
      cvss3_scoring_vector: knownWord,
      cvss3_base_score: knownWord,
      cwe: knownWord,
    }),
  ),
  fixes: listOf(z.object({ ticket_id: word, source: word, description: word })),
  packages: listOf(packageForm),
});
