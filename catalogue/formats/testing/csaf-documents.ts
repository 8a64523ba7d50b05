/** CSAF documents of advisories, and the tests of the standard that they do not pass. */
import * as informative from '@secvisogram/csaf-validator-lib/csaf_2_1/informativeTests.js';
import * as mandatory from '@secvisogram/csaf-validator-lib/csaf_2_1/mandatoryTests.js';
import * as recommended from '@secvisogram/csaf-validator-lib/csaf_2_1/recommendedTests.js';
import { csaf_2_1_strict as strictSchema } from '@secvisogram/csaf-validator-lib/csaf_2_1/schemaTests.js';
import type { Entry, FeedItem } from '../../definition/feed.ts';
import type { ListDefinition } from '../../definition/list-definition.ts';
import type { AdvisoryPart } from '../advisory-fixes.ts';
import { csafDocument } from '../csaf-document.ts';
import { advisoryIdentifier, csafVendor } from '../csaf-lists.ts';
import type { CsafDocument } from '../csaf-types.ts';
import type { KnownCve } from '../csaf-vulnerabilities.ts';
import { vexDocument } from '../vex-document.ts';

const created = Date.UTC(2026, 2, 1, 9, 30);
const changed = Date.UTC(2026, 2, 4, 0, 5, 6, 70);

const provider = {
  publisher: {
    category: 'multiplier',
    name: 'Patch Repository',
    namespace: 'https://patch.example.org',
  },
  baseUrl: 'https://patch.example.org/api/csaf',
} as const;

export interface TimedDocuments {
  readonly documents: readonly CsafDocument[];
  /** Milliseconds of the mapping alone, for each document. */
  readonly milliseconds: readonly number[];
}

/** Returns the documents of each list, by its key. */
export function toCsafDocuments(
  entries: readonly Entry[],
  known: ReadonlyMap<string, KnownCve> = new Map(),
): ReadonlyMap<string, TimedDocuments> {
  const byList = new Map<ListDefinition, Map<string, AdvisoryPart[]>>();
  for (const { list, row, detail } of entries) {
    const identifier = advisoryIdentifier(list, row);
    if (identifier === null) continue;
    const advisories = byList.get(list) ?? new Map<string, AdvisoryPart[]>();
    byList.set(list, advisories);
    const own = advisories.get(identifier) ?? [];
    own.push({ row, detail, withdrawn: null });
    advisories.set(identifier, own);
  }
  const found = new Map<string, TimedDocuments>();
  for (const [list, advisories] of byList) {
    const milliseconds: number[] = [];
    const documents = [...advisories].flatMap(([identifier, [first, ...others]]) => {
      if (first === undefined) return [];
      const since = performance.now();
      const document = csafDocument(
        list,
        identifier,
        [first, ...others],
        { created, changed, isWithdrawn: false },
        { ...provider, vendor: csafVendor(list), known },
      );
      milliseconds.push(performance.now() - since);
      return [document];
    });
    found.set(list.key, { documents, milliseconds });
  }
  return found;
}

/** Returns the VEX documents of the statuses that a source's feed yields. */
export function toVexDocuments(
  source: string,
  items: readonly FeedItem[],
  known: ReadonlyMap<string, KnownCve> = new Map(),
): TimedDocuments {
  const statuses = items.filter((item) => item.kind === 'status');
  const milliseconds: number[] = [];
  const documents = [...Map.groupBy(statuses, ({ cve }) => cve)].flatMap(
    ([cve, [first, ...others]]) => {
      if (first === undefined) return [];
      const since = performance.now();
      const times = { created, changed };
      const document = vexDocument({ source, cve }, [first, ...others], times, {
        ...provider,
        known,
      });
      milliseconds.push(performance.now() - since);
      return document === null ? [] : [document];
    },
  );
  return { documents, milliseconds };
}

interface Failures {
  readonly isValid?: boolean;
  readonly errors?: readonly { readonly message?: string; readonly instancePath?: string }[];
  readonly warnings?: readonly unknown[];
  readonly infos?: readonly unknown[];
}

const mandatoryTests = Object.entries({ strictSchema, ...mandatory });

/** They fetch the addresses of references, and check spelling with a program of the machine. */
const needsMore: ReadonlySet<string> = new Set([
  'informativeTest_6_3_6',
  'informativeTest_6_3_7',
  'informativeTest_6_3_8',
]);
const optionalTests = Object.entries({ ...recommended, ...informative }).filter(
  ([name]) => !needsMore.has(name),
);

/** Tests that a document does not pass, each with the first of its failures. */
export async function mandatoryFailures(document: CsafDocument): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const [name, test] of mandatoryTests) {
    const { isValid = true, errors = [] } = (await test(document)) as Failures;
    const [first] = errors;
    if (!isValid || first !== undefined)
      failed.push(
        `${document.document.tracking.id} ${name} ${first?.instancePath} ${first?.message}`,
      );
  }
  return failed;
}

/** The names of recommended and informative tests that a document does not pass. */
export async function optionalFailures(document: CsafDocument): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const [name, test] of optionalTests) {
    const result = (await test(document)) as Failures;
    const { errors = [], warnings = [], infos = [] } = result;
    if (errors.length + warnings.length + infos.length > 0) failed.push(name);
  }
  return failed;
}
