/** What people ask of an update before they install it: its date, build, size and restart; of packages, the version. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import { fixedIn } from '@patch/catalogue/records/fixed-in.ts';
import { installPlaces } from '@patch/catalogue/records/install-places.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { dayDate } from '../values/day-date.ts';
import { fileSize } from '../values/file-size.ts';
import styles from './standing-answer.module.css';

interface InstallFactsProps {
  readonly list: ListDefinition;
  /** Null while it is read, and for an update that is no record of the list. */
  readonly record: WireDetail | null;
  /** From elsewhere: they stand where the record has none. */
  readonly releaseDate?: number | null;
  readonly build?: string | null;
  /** Begins with what is installed: a package with its version, a KB. */
  readonly named?: boolean;
}

export function InstallFacts({
  list,
  record,
  releaseDate = null,
  build = null,
  named = false,
}: InstallFactsProps) {
  const places = installPlaces(list);
  const words = (name: string | undefined): string | null => {
    const value: unknown = name === undefined ? null : record?.[name];
    const said: unknown = Array.isArray(value) ? value.join(', ') : value;
    return typeof said === 'string' && said !== '' ? said : null;
  };
  const released = record?.[releaseDateField(list)?.name ?? ''] ?? releaseDate;
  const size = places.size === undefined ? null : record?.[places.size];
  const restart = words(places.restart);
  const builds = words(places.build) ?? build;
  const name = named && record !== null ? fixedIn(list, record, record, null) : null;
  return (
    <span className={styles['facts']}>
      {name !== null && <span className="mono">{name}</span>}
      {typeof released === 'number' && <span>released {dayDate(released, 'UTC')}</span>}
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
