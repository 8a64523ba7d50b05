/** Reads a file of NVD's JSON 2.0 feeds record by record, because a year is 300 MB uncompressed. */
import {
  createRejection,
  createRemark,
  type Document,
  type Rejection,
  type Remark,
  type RiskItem,
} from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { jsonRecords } from '../parsers/json-records.ts';
import { getMember } from '../values/object-members.ts';
import { toCveId } from '../values/vendor-words.ts';
import { CveSet } from './cve-set.ts';
import { firstYear } from './nvd-copy.ts';
import { type CveReading, readCve } from './nvd-record.ts';

/** Members that are most of a record and state nothing about its risk. */
const omitted = {
  keys: new Set(['configurations', 'references', 'affected', 'weaknesses']),
  depth: 2,
};

/** The array's name in NVD's files and in their copy. */
const arrays = ['vulnerabilities', 'cve_items'];

/** NVD's first file also covers the years before it. */
const coversYear = (file: string, year: string) =>
  file === String(firstYear) ? year <= file : year === file;

/**
 * Reads each CVE once: the first record counts. Ends with a remark on each kind of value that was skipped.
 * @throws BrokenDocument when the file is of another year
 */
export async function* readNvdItems(
  document: Document,
): AsyncGenerator<RiskItem | Rejection | Remark> {
  const seen = new CveSet();
  const skipped = new SkippedValues();
  const fileYear = /-(\d{4})\.json/.exec(document.url)?.[1];
  let index = 0;
  let used = 0;
  let foreignYear: string | null = null;
  for await (const { value } of jsonRecords(document, arrays, omitted)) {
    index += 1;
    // NVD wraps each record; copies of its feeds do not.
    const record = getMember(value, 'cve') ?? value;
    const written = getMember(record, 'id');
    const cve = toCveId(written);
    if (cve === null || !seen.add(cve)) {
      yield rejectRecord(document.url, { index, cve, written });
      continue;
    }
    const year = cve.slice('CVE-'.length, 'CVE-2031'.length);
    if (fileYear !== undefined && !coversYear(fileYear, year)) {
      foreignYear = year;
      const reason = `it is of ${year}, and the file of ${fileYear}`;
      yield createRejection(cve, reason, document.url, [cve]);
      continue;
    }
    used += 1;
    const reading = readCve(cve, record);
    skipped.count(cve, reading);
    yield { kind: 'risk', facts: reading.record };
  }
  if (used === 0 && foreignYear !== null)
    throw new BrokenDocument(document.url, `its CVEs are of ${foreignYear}, not of ${fileYear}`);
  if (index === 0) yield createRemark(`${document.url} contains no record`);
  yield* skipped.remarks();
}

function rejectRecord(
  url: string,
  { index, cve, written }: { index: number; cve: string | null; written: unknown },
): Rejection {
  const noId =
    written === undefined
      ? 'it has no id'
      : `its id ${JSON.stringify(written).slice(0, 80)} is not a CVE id`;
  return createRejection(
    cve ?? `record ${index}`,
    cve === null ? noId : 'it occurs twice; the first record was read',
    url,
    cve === null ? [] : [cve],
  );
}

/** Far above the number of real names: invented names must not fill the memory. */
const maxFamilies = 20;
const maxNameLength = 60;

/** Counts values of the records that this version does not read. */
class SkippedValues {
  readonly #families = new Map<string, { count: number; readonly example: string }>();
  readonly #scores = { count: 0, example: '' };
  readonly #values = { count: 0, example: '' };

  count(cve: string, { oddScores, oddValues, unknownFamilies }: CveReading): void {
    for (const name of oddValues) {
      if (this.#values.count === 0) this.#values.example = `${name} of ${cve}`;
      this.#values.count += 1;
    }
    if (oddScores > 0) {
      if (this.#scores.count === 0) this.#scores.example = cve;
      this.#scores.count += oddScores;
    }
    for (const family of unknownFamilies) {
      const name = family.slice(0, maxNameLength);
      const counted = this.#families.get(name);
      if (counted !== undefined) counted.count += 1;
      else if (this.#families.size < maxFamilies)
        this.#families.set(name, { count: 1, example: cve });
    }
  }

  *remarks(): Generator<Remark> {
    const { count, example } = this.#scores;
    if (count > 0)
      yield createRemark(
        `scores that are not numbers from 0 to 10 were left out: ${count} (for example of ${example})`,
      );
    if (this.#values.count > 0)
      yield createRemark(
        `values that cannot be read were left out: ${this.#values.count} (for example ${this.#values.example})`,
      );
    for (const [family, counted] of this.#families)
      yield createRemark(
        `metrics ${JSON.stringify(family)} are not known to this version and were left out: ${counted.count} (for example of ${counted.example})`,
      );
  }
}
