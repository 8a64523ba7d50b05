/** Reads the errata of a release of an RPM distribution, and the epochs that other vendors state. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type ErrataRelease, errataLists } from '@patch/catalogue/formats/errata-releases.ts';
import type { Erratum } from '@patch/catalogue/formats/updateinfo-xml.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { readContents, recordsAPage } from '../advisories/advisory-store.ts';

const RecordRow = z.object({ id: z.number(), changed: z.number() });

export interface StoredErratum extends Erratum {
  /** When the repository last changed it, epoch milliseconds. */
  readonly changed: number;
}

/** Listed records alone: dnf lists an erratum whatever its status says. */
export async function* errataOfRelease(
  database: Queryable,
  { list, release }: Pick<ErrataRelease, 'list' | 'release'>,
): AsyncGenerator<readonly StoredErratum[]> {
  for (let after = 0; ; ) {
    const rows = await queryRows(
      database,
      RecordRow,
      `select id, updated_time as changed from ${list.key}
       where id > $1 and withdrawn_time is null and $2 = any(string_to_array(os_version, e'\\n')) order by id limit $3`,
      [after, release, recordsAPage],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield await readContents(database, list, rows);
    after = last.id;
  }
}

/** Distributions that rebuild the packages of the same releases, with their epochs. */
const rebuilds = {
  almalinux_patch: 'AlmaLinux',
  oracle_linux_patch: 'Oracle Linux',
  rockylinux_patch: 'Rocky Linux',
};

/** Lists from which the epochs of a list come: CentOS states none. */
export const epochLists = ({ key }: ListDefinition): readonly ListDefinition[] =>
  key === 'centos_patch' ? errataLists.filter((list) => Object.hasOwn(rebuilds, list.key)) : [];

const EpochRow = z.object({ name: z.string(), epoch: z.string() });

/** The highest epoch of each package by its name, without the builds of Oracle that carry one of their own. Null for a list that states epochs. */
export async function epochsOfRelease(
  database: Queryable,
  { list, release }: Pick<ErrataRelease, 'list' | 'release'>,
): Promise<ReadonlyMap<string, string> | null> {
  if (epochLists(list).length === 0) return null;
  const number = release.split(' ').at(-1);
  const releases = Object.values(rebuilds).map((label) => `${label} ${number}`);
  const rows = await queryRows(
    database,
    EpochRow,
    `select name, max(epoch)::text as epoch from (
       select distinct fix_series.name, coalesce(substring(version from '^(\\d{1,9}):'), '0')::bigint as epoch
       from fix_release join fix_series on release_id = fix_release.id join package_fix on series_id = fix_series.id
       where release = any($1::text[]) and version !~ '\\.ksplice\\d|_fips'
     ) each_epoch group by name`,
    [arrayText(releases)],
  );
  return new Map(rows.map(({ name, epoch }) => [name, epoch]));
}
