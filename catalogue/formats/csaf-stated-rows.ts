/** Rows of the detail tables of an advisory's records, by the CVEs that they name: a KB has hundreds of each for every product. */
import { rowsIn, type StoredValues, wordIn, wordsIn } from '../machines/judgement/stored-values.ts';
import type { RecordFix } from './csaf-fixes.ts';

export interface StatedRow {
  readonly fix: RecordFix;
  readonly values: StoredValues;
}

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
