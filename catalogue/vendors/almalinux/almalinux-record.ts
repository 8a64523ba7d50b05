/** One advisory of AlmaLinux as the vendor writes it, in today's form and in the older one, read into one form. */
import { z } from 'zod';
import {
  type SuggestionName,
  type Suggestions,
  suggestionsOf,
} from '../../values/errata-suggestions.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { invalidReason, wordOf } from '../../values/vendor-words.ts';

export interface Advisory {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly type: string | null;
  readonly severity: string | null;
  readonly status: string | null;
  readonly issued: VendorTime;
  readonly updated: VendorTime;
  readonly packages: readonly AdvisoryPackage[];
  readonly modules: readonly AdvisoryModule[];
  readonly references: readonly AdvisoryReference[];
}

export interface AdvisoryPackage extends Suggestions {
  readonly name: string;
  readonly epoch: string | null;
  readonly version: string | null;
  readonly release: string | null;
  readonly arch: string | null;
  readonly src: string | null;
  /** name:stream:version:context:arch */
  readonly module: string | null;
  readonly checksum: string | null;
  readonly checksumType: string | null;
}

export interface AdvisoryModule {
  readonly name: string;
  readonly stream: string | null;
  readonly version: string | null;
  readonly context: string | null;
  readonly arch: string | null;
}

export interface AdvisoryReference {
  readonly id: string | null;
  readonly type: string | null;
  readonly title: string | null;
  readonly href: string | null;
}

/** A date with what the vendor wrote, so that one which cannot be read can be told from one that is missing. */
export interface VendorTime {
  readonly time: number | null;
  readonly written: string | null;
}

export type AdvisoryRead =
  | { readonly kind: 'advisory'; readonly advisory: Advisory }
  | { readonly kind: 'rejection'; readonly rejected: string | null; readonly reason: string };

/** An advisory, or why the record is none. */
export function readAdvisory(record: unknown): AdvisoryRead {
  const id = advisoryId(record);
  if (id === null) return { kind: 'rejection', rejected: null, reason: 'it has no id' };
  const form = memberOf(record, 'updateinfo_id') === undefined ? todaysForm : olderForm;
  const read = form.safeParse(record);
  return read.success
    ? { kind: 'advisory', advisory: { ...read.data, id } }
    : { kind: 'rejection', rejected: id, reason: invalidReason(read.error) };
}

export function advisoryId(record: unknown): string | null {
  return wordOf(memberOf(record, 'id')) ?? wordOf(memberOf(record, 'updateinfo_id'));
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

// Numbers where words are usual are taken as their digits; a missing word and a null are the same.
const word = z
  .union([z.string(), z.number()], { error: 'expected a word' })
  .nullish()
  .transform(wordOf);
const required = word.pipe(z.string({ error: 'it is missing' }));
/** Kept as written, line breaks and all. */
const prose = z
  .string()
  .nullish()
  .transform((text) => text || null);

/** Epoch seconds, a written date, or a Mongo export's `{"$date": …}`. */
const time = z
  .unknown()
  .optional()
  .transform((value): VendorTime => {
    const exported = memberOf(value, '$date') ?? value;
    const plain = memberOf(exported, '$numberLong') ?? exported;
    const missing = plain === null || plain === undefined;
    return {
      time: vendorDate(plain),
      written: wordOf(plain) ?? (missing ? null : JSON.stringify(plain).slice(0, 80)),
    };
  });

const moduleForm = z.object({
  name: required,
  stream: word,
  version: word,
  context: word,
  arch: word,
});
const referenceForm = z.object({ id: word, type: word, title: word, href: word });
const packageFields = {
  name: required,
  epoch: word,
  version: word,
  release: word,
  arch: word,
  src: word,
  reboot_suggested: z.unknown().optional(),
  restart_suggested: z.unknown().optional(),
  relogin_suggested: z.unknown().optional(),
};

function withSuggestions<Fields extends Partial<Record<SuggestionName, unknown>>>(written: Fields) {
  const { reboot_suggested, restart_suggested, relogin_suggested, ...fields } = written;
  const suggestions = { reboot_suggested, restart_suggested, relogin_suggested };
  return { ...fields, ...suggestionsOf((name) => suggestions[name]) };
}

const common = {
  title: word,
  description: prose,
  type: word,
  severity: word,
  status: word,
  issued_date: time,
  updated_date: time,
  references: listOf(referenceForm),
};

function listOf<Element extends z.ZodType>(element: Element) {
  return z
    .array(element)
    .nullish()
    .transform((elements) => elements ?? []);
}

const todaysForm = z
  .object({
    ...common,
    packages: listOf(
      z.object({ ...packageFields, module: word, checksum: word, checksum_type: word }),
    ),
    modules: listOf(moduleForm),
  })
  .transform(({ issued_date, updated_date, packages, ...rest }) => ({
    ...rest,
    issued: issued_date,
    updated: updated_date,
    packages: packages.map(({ checksum_type, ...fields }) => ({
      ...withSuggestions(fields),
      checksumType: checksum_type,
    })),
  }));

const collectionForm = z.object({
  module: moduleForm.nullish(),
  packages: listOf(z.object({ ...packageFields, sum: word, sum_type: word })),
});

/** errata.json, an export of the vendor's database: packages in collections, a module counting for its collection only. */
const olderForm = z
  .object({
    ...common,
    pkglist: z
      .union([z.array(collectionForm), collectionForm.transform((only) => [only])])
      .nullish(),
  })
  .transform(({ issued_date, updated_date, pkglist, ...rest }) => ({
    ...rest,
    issued: issued_date,
    updated: updated_date,
    packages: (pkglist ?? []).flatMap((of) =>
      of.packages.map(({ sum, sum_type, ...fields }) => ({
        ...withSuggestions(fields),
        module: of.module ? moduleName(of.module) : null,
        checksum: sum,
        checksumType: sum_type,
      })),
    ),
    modules: (pkglist ?? []).flatMap((of) => (of.module ? [of.module] : [])),
  }));

function moduleName({ name, stream, version, context, arch }: AdvisoryModule): string {
  return [name, stream, version, context, arch].map((part) => part ?? '').join(':');
}
