/** The lists of random searches, and the rows that each search must find according to a plain evaluation. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  type PlainField,
  type PlainFields,
  type PlainRanking,
  type PlainRow,
  plainSearch,
} from '../../../testing/plain-search.ts';
import type { RandomSearch } from '../../../testing/random-search.ts';

export interface Searched {
  readonly list: ListDefinition;
  readonly fields: PlainFields;
  readonly rows: readonly PlainRow[];
}

type Names = Pick<PlainRanking, 'identifiers' | 'title'>;
const advisory: Names = { identifiers: ['bulletinId'], title: 'title' };
const dpkgAdvisory: Names = { identifiers: ['bulletinId', 'pkgAndVersion'], title: 'title' };

/** How the matches of a keyword are ranked in each list. */
const rankings: Readonly<Record<string, Names>> = {
  all_patches: { identifiers: ['identifier'], title: 'title' },
  almalinux_patch: advisory,
  amazonlinux_patch: advisory,
  centos_patch: advisory,
  debian_patch: dpkgAdvisory,
  floto_user: { identifiers: [], title: 'clientName' },
  kb_repository: { identifiers: ['kbId', 'uuid'], title: 'title' },
  linux_notice: { identifiers: ['noticeId'], title: 'title' },
  linux_patch_repository: { identifiers: ['binaryPkgName', 'patchId'], title: 'title' },
  machines: { identifiers: ['machineKey'], title: 'name' },
  macos_patch: { identifiers: ['productKey'], title: 'title' },
  opensuse_patch: { identifiers: ['bulletinId', 'patchName'], title: 'title' },
  oracle_linux_patch: advisory,
  pardus_patch: dpkgAdvisory,
  patch: { identifiers: ['kbId', 'uuid'], title: 'title' },
  patch_repository: { identifiers: ['kbId'], title: 'name' },
  rockylinux_patch: advisory,
  thirdparty_patch: { identifiers: ['uuid'], title: 'name' },
  vulnerabilities: { identifiers: ['cve'], title: 'title' },
};

function getRanking({ key }: ListDefinition): PlainRanking {
  const ranking = rankings[key];
  if (ranking === undefined) throw new Error(`No ranking of ${key}`);
  const isProduct = ({ values }: PlainRow) =>
    values['list'] === 'thirdparty_patch' || values['list'] === 'macos_patch';
  return { ...ranking, isProduct };
}

export function getDefinition(fields: PlainFields, field: string): PlainField {
  const definition = fields[field];
  if (definition === undefined) throw new Error(`No field ${field}`);
  return definition;
}

/** Returns the rows of a search in order. @param without a field whose conditions are ignored */
export function expectedRows(
  { list, fields, rows }: Searched,
  search: RandomSearch,
  without: string | null = null,
): readonly PlainRow[] {
  const listed = Object.hasOwn(fields, 'folded')
    ? rows.filter(({ values }) => search.includeFolded || values['folded'] === false)
    : rows;
  const ownOrder = {
    field: list.defaultSort.replace(/^-/, ''),
    descending: list.defaultSort.startsWith('-'),
  };
  return plainSearch(
    listed,
    {
      conditions: search.conditions.filter(({ field }) => field !== without),
      terms: search.terms,
      name: search.name,
      sort: search.sort.length === 0 ? [ownOrder] : search.sort,
    },
    fields,
    getRanking(list),
  );
}
