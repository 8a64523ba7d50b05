/** The vendor publications, by the names the wire reports them under. A source is synced; it fills one or more lists, which name it. */
import { type CatalogueList, catalogueLists } from './lists.ts';

export type SourceKey = NonNullable<CatalogueList['source']>;

/** Those of the specification, in its order. */
const specified = {
  wsus: 'Microsoft Windows',
  ubuntu: 'Ubuntu',
  centOs: 'CentOS',
  opensuse: 'openSUSE',
  debian: 'Debian',
  pardus: 'Pardus',
  mac: 'macOS',
  oracleLinux: 'Oracle Linux',
  thirdParty: 'Third-party applications',
  almaLinux: 'AlmaLinux',
  rockyLinux: 'Rocky Linux',
};

/** One that a later list brings comes behind them, under the name of its first list. */
function labels(): Readonly<Record<SourceKey, string>> {
  const all = new Map<string, string>(Object.entries(specified));
  for (const { source, shortLabel } of catalogueLists)
    if (source !== null && !all.has(source)) all.set(source, shortLabel);
  return Object.fromEntries(all) as Record<SourceKey, string>;
}

export const sourceLabels = labels();

export const sourceKeys = Object.keys(sourceLabels) as readonly SourceKey[];
