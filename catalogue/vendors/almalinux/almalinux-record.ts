/** Parser of one AlmaLinux advisory in the present and the older form. */
import { z } from 'zod';
import type {
  UpdateinfoModule,
  UpdateinfoPackage,
  UpdateinfoReference,
} from '../../parsers/updateinfo.ts';
import { readSuggestions, type SuggestionName } from '../../values/errata-suggestions.ts';
import { getMember } from '../../values/object-members.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { optionalList, prose, word } from '../../values/vendor-forms.ts';
import { invalidReason, toWord } from '../../values/vendor-words.ts';

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
  readonly modules: readonly UpdateinfoModule[];
  readonly references: readonly UpdateinfoReference[];
}

export interface AdvisoryPackage extends Omit<UpdateinfoPackage, 'module'> {
  /** name:stream:version:context:arch */
  readonly module: string | null;
}

/** A date with the vendor's text, which distinguishes an unreadable date from a missing one. */
export interface VendorTime {
  readonly time: number | null;
  readonly written: string | null;
}

export type AdvisoryRead =
  | { readonly kind: 'advisory'; readonly advisory: Advisory }
  | { readonly kind: 'rejection'; readonly rejected: string | null; readonly reason: string };

/** Returns the advisory, or why the record is rejected. */
export function readAdvisory(record: unknown): AdvisoryRead {
  const id = getAdvisoryId(record);
  if (id === null) return { kind: 'rejection', rejected: null, reason: 'it has no id' };
  const form = getMember(record, 'updateinfo_id') === undefined ? presentForm : olderForm;
  const read = form.safeParse(record);
  return read.success
    ? { kind: 'advisory', advisory: { ...read.data, id } }
    : { kind: 'rejection', rejected: id, reason: invalidReason(read.error) };
}

export function getAdvisoryId(record: unknown): string | null {
  return toWord(getMember(record, 'id')) ?? toWord(getMember(record, 'updateinfo_id'));
}

const required = word.pipe(z.string({ error: 'it is missing' }));

/** Accepts epoch seconds, a written date, or a Mongo export's `{"$date": …}`. */
const time = z
  .unknown()
  .optional()
  .transform((value): VendorTime => {
    const exported = getMember(value, '$date') ?? value;
    const plain = getMember(exported, '$numberLong') ?? exported;
    const missing = plain === null || plain === undefined;
    return {
      time: vendorDate(plain),
      written: toWord(plain) ?? (missing ? null : JSON.stringify(plain).slice(0, 80)),
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

function collectSuggestions<Fields extends Partial<Record<SuggestionName, unknown>>>(
  written: Fields,
) {
  const { reboot_suggested, restart_suggested, relogin_suggested, ...fields } = written;
  const suggestions = { reboot_suggested, restart_suggested, relogin_suggested };
  return { ...fields, ...readSuggestions((name) => suggestions[name]) };
}

const common = {
  title: word,
  description: prose,
  type: word,
  severity: word,
  status: word,
  issued_date: time,
  updated_date: time,
  references: optionalList(referenceForm),
};

const presentForm = z
  .object({
    ...common,
    packages: optionalList(
      z.object({ ...packageFields, module: word, checksum: word, checksum_type: word }),
    ),
    modules: optionalList(moduleForm),
  })
  .transform(({ issued_date, updated_date, packages, ...rest }) => ({
    ...rest,
    issued: issued_date,
    updated: updated_date,
    packages: packages.map(({ checksum_type, ...fields }) => ({
      ...collectSuggestions(fields),
      checksumType: checksum_type,
    })),
  }));

const collectionForm = z.object({
  module: moduleForm.nullish(),
  packages: optionalList(z.object({ ...packageFields, sum: word, sum_type: word })),
});

/** errata.json, an export of the vendor's database: packages in collections, each with the module of its packages. */
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
    packages: (pkglist ?? []).flatMap((collection) =>
      collection.packages.map(({ sum, sum_type, ...fields }) => ({
        ...collectSuggestions(fields),
        module: collection.module ? formatModuleName(collection.module) : null,
        checksum: sum,
        checksumType: sum_type,
      })),
    ),
    modules: (pkglist ?? []).flatMap((collection) =>
      collection.module ? [collection.module] : [],
    ),
  }));

function formatModuleName({ name, stream, version, context, arch }: UpdateinfoModule): string {
  return [name, stream, version, context, arch].map((part) => part ?? '').join(':');
}
