/** Facts needed before an installation: date, build, size and restart, or package version. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import { fixedIn } from '@patch/catalogue/records/fixed-in.ts';
import { findInstallFields } from '@patch/catalogue/records/install-fields.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { dayDate } from '../values/day-date.ts';
import { fileSize } from '../values/file-size.ts';

interface InstallFactsProps {
  readonly list: ListDefinition;
  /** Null while it loads, and for an update that the list does not have. */
  readonly record: WireDetail | null;
  /** Fallbacks for missing values of the record. */
  readonly releaseDate?: number | null;
  readonly build?: string | null;
  /** Begins with the name of what is installed: a package with its version, or a KB. */
  readonly withName?: boolean;
}

export function InstallFacts({
  list,
  record,
  releaseDate = null,
  build = null,
  withName = false,
}: InstallFactsProps) {
  const fields = findInstallFields(list);
  const readText = (name: string | undefined): string | null => {
    const value: unknown = name === undefined ? null : record?.[name];
    const text: unknown = Array.isArray(value) ? value.join(', ') : value;
    return typeof text === 'string' && text !== '' ? text : null;
  };
  const size = fields.size === undefined ? null : record?.[fields.size];
  const restart = readText(fields.restart);
  const builds = readText(fields.build) ?? build;
  const name = withName && record !== null ? fixedIn(list, record, record, null) : null;
  return (
    <span className="inline-flex flex-wrap gap-x-3">
      {name !== null && <span className="mono">{name}</span>}
      {/* The heading shows the date of the record itself. */}
      {!withName && (
        <ReleaseDay value={record?.[releaseDateField(list)?.name ?? ''] ?? releaseDate} />
      )}
      {builds !== null && name?.includes(builds) !== true && (
        <span>
          build <span className="mono">{builds}</span>
        </span>
      )}
      {typeof size === 'number' && <span>{fileSize(size)}</span>}
      {restart !== null && <span>restart: {restart}</span>}
    </span>
  );
}

const ReleaseDay = ({ value }: { readonly value: unknown }) =>
  typeof value === 'number' && <span>released {dayDate(value, 'UTC')}</span>;
