/** Fields that other parts of a record show, so that none stands twice. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isNamed, severityField } from '@patch/catalogue/definition/record-name.ts';
import { findInstallFields } from '@patch/catalogue/records/install-fields.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { isEmptyValue } from '../values/value-view.tsx';
import type { Chain } from './chain-of-record.ts';
import { getMapping, readCves } from './record-cves.ts';
import { findHeadingFields } from './record-identity.tsx';
import { getStanding } from './record-standing.ts';
import type { TableRow } from './table-rows.ts';

/** Returns the names of fields that the heading, the card, the chain or the table of CVEs shows. */
export function findShownElsewhere(
  list: ListDefinition,
  record: WireDetail,
  chain: Chain | null,
): ReadonlySet<string> {
  const heading = findHeadingFields(list, record);
  const inHeading = [heading.choice, heading.date, heading.link, readNamedVersion(list, record)];
  // Unless they have a value, they are named among the missing ones.
  const filled = inHeading.filter((name) => name !== undefined && !isEmptyValue(record[name]));
  const names =
    list.source === null
      ? filled
      : [
          ...filled,
          ...findInCard(list, record, chain),
          ...findInChain(list, record, chain),
          ...findInPackages(list, record),
          readCves(list, record).name ?? undefined,
        ];
  return new Set(names.filter((name) => name !== undefined));
}

/** The heading of a record that is called by its name ends with its version. */
const readNamedVersion = (list: ListDefinition, { version }: WireDetail) =>
  isNamed(list) && typeof version === 'string' ? 'version' : undefined;

function findInCard(
  list: ListDefinition,
  record: WireDetail,
  chain: Chain | null,
): readonly (string | undefined)[] {
  const mapping = getMapping(list);
  const { build, size, restart, download } = findInstallFields(list);
  const { state, install } = getStanding(list, record, chain);
  // The card shows how to install the record itself, or what replaces it.
  const isOwn = install.kind === 'own' || state === 'unstated';
  return [
    mapping.superseded ?? undefined,
    mapping.release?.name,
    severityField(list),
    ...Object.keys(list.fields).filter((name) => list.fields[name]?.risk !== undefined),
    ...[download, ...(isOwn ? [build, size, restart] : [])].filter(
      (name) => name !== undefined && !isEmptyValue(record[name]),
    ),
  ];
}

function findInChain(
  list: ListDefinition,
  record: WireDetail,
  chain: Chain | null,
): readonly (string | undefined)[] {
  if (chain === null) return [];
  const { evidence, last, older, newer } = list.detail.supersedence ?? {};
  const links = [...chain.older, ...chain.newer, ...(chain.last === null ? [] : [chain.last])];
  const updates = new Set([chain.name, ...links.map(({ name }) => name)].map(fold));
  return [evidence, last, older, newer, ...findWithin(list, record, updates)];
}

/** The names of packages stand in their table. */
function findInPackages(list: ListDefinition, record: WireDetail): readonly string[] {
  const { packages } = getMapping(list);
  if (packages?.kind !== 'table') return [];
  const rows = (record[packages.table] ?? []) as readonly TableRow[];
  return findWithin(list, record, new Set(rows.map((row) => fold(String(row[packages.name])))));
}

/** Returns the fields of several names, all of which are among the shown ones. */
function findWithin(
  list: ListDefinition,
  record: WireDetail,
  shown: ReadonlySet<string>,
): readonly string[] {
  return Object.entries({ ...list.fields, ...list.detail.facts }).flatMap(([name, { kind }]) => {
    const value = record[name];
    if ((kind !== 'identifiers' && kind !== 'tags') || !Array.isArray(value)) return [];
    const isShown = value.length > 0 && value.every((one) => shown.has(fold(String(one))));
    return isShown ? [name] : [];
  });
}
