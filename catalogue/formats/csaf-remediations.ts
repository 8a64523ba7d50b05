/** The remediations of a CSAF document: what to install, and what helps until then. */
import { rowsIn, type StoredValues, wordIn, wordsIn } from '../machines/judgement/stored-values.ts';
import type { RecordFix } from './csaf-fixes.ts';
import type { CsafProducts } from './csaf-products.ts';
import type { CsafRemediation } from './csaf-types.ts';

interface RemediationContext {
  readonly vendor: string;
  readonly identifier: string;
  readonly products: CsafProducts;
}

/** A kernel's erratum names hundreds of packages; the product tree has them all. */
const maxPackages = 20;

export function fixRemediation(
  fix: RecordFix,
  { products, identifier, vendor }: RemediationContext,
): CsafRemediation {
  const { part, entitlement, restart } = fix;
  const scope = products.scope(fix.products.map(({ affected }) => affected));
  if (fix.isRetracted)
    return {
      category: 'none_available',
      details: `${vendor} retracted ${identifier}.`,
      ...scope,
    };
  const link = addressIn(part.detail, ['referenceLink', 'securityContent', 'downloadUrl']);
  const date = part.row['releaseDate'] ?? part.row['published'];
  return {
    category: 'vendor_fix',
    ...(typeof date === 'number' && { date: new Date(date).toISOString() }),
    details: installWords([...new Set(fix.products.map(({ install }) => install))], part.row),
    ...(entitlement !== null && { entitlements: [entitlement] }),
    ...scope,
    ...(restart !== null && { restart_required: { category: restart } }),
    ...(link !== null && { url: link }),
  };
}

function installWords(installs: readonly string[], row: StoredValues): string {
  const more = installs.length - maxPackages;
  const packages = installs.slice(0, maxPackages).join(', ');
  const words = `Install ${packages}${more > 0 ? ` and ${more} more packages` : ''}, or later versions.`;
  const patch = wordIn(row, 'patchName');
  return patch === null ? words : `${words} With zypper: zypper in -t patch ${patch}`;
}

/** The first of the facts that is an address. */
export function addressIn(detail: StoredValues, names: readonly string[]): string | null {
  const address = names.map((name) => wordIn(detail, name)).find((one) => one !== null) ?? null;
  return address !== null && URL.canParse(address) ? new URL(address).href : null;
}

/** Mitigations and workarounds of Microsoft, for the products whose records state them. */
export function adviceRemediations(
  rows: readonly StatedRow[],
  products: CsafProducts,
): readonly CsafRemediation[] {
  const byText = new Map<string, { category: 'mitigation' | 'workaround'; ids: string[] }>();
  for (const { fix, values } of rows) {
    const details = wordIn(values, 'description');
    if (details === null) continue;
    const category = wordIn(values, 'kind') === 'Mitigation' ? 'mitigation' : 'workaround';
    const known = byText.get(details) ?? { category, ids: [] };
    known.ids.push(...fix.products.map(({ affected }) => affected));
    byText.set(details, known);
  }
  return [...byText].map(([details, { category, ids }]) => ({
    category,
    details,
    ...products.scope(ids),
  }));
}

export interface StatedRow {
  readonly fix: RecordFix;
  readonly values: StoredValues;
}

/** Rows of the detail tables of an advisory's records, by the CVEs that they name: a KB has hundreds of each for every product. */
export class StatedRows {
  /** By CVE in capitals; rows that name none, which are about all CVEs of their record, under the empty text. */
  readonly #byName = new Map<string, StatedRow[]>();

  constructor(table: string, fixes: readonly RecordFix[]) {
    for (const fix of fixes)
      for (const values of rowsIn(fix.part.detail, table)) {
        const cve = wordIn(values, 'cve');
        const names = cve === null ? wordsIn(values, 'cve') : [cve];
        for (const name of names.length === 0 ? [''] : names) this.#add(name, { fix, values });
      }
  }

  #add(name: string, row: StatedRow): void {
    const known = this.#byName.get(name.toUpperCase());
    if (known === undefined) this.#byName.set(name.toUpperCase(), [row]);
    else known.push(row);
  }

  /** Rows about a CVE, of these records only. */
  about(name: string, fixes: ReadonlySet<RecordFix>): readonly StatedRow[] {
    return [name, '']
      .flatMap((one) => this.#byName.get(one) ?? [])
      .filter(({ fix }) => fixes.has(fix));
  }
}
