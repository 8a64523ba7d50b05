/** Maps a KB for a product to a row and detail of the KB list. */
import { v5 as uuidOfName } from 'uuid';
import { type Entry, entry, type UnknownWord } from '../../../definition/feed.ts';
import { distinctWords } from '../../../values/vendor-words.ts';
import type { KbConclusions } from '../conclusions/kb-conclusions.ts';
import type { KbFactsTable } from '../conclusions/kb-facts.ts';
import type { KbForProduct } from '../guide/kb-for-product.ts';
import {
  chooseImpact,
  combineStatements,
  describeFixes,
  listFixedVulnerabilities,
  toVulnerabilityRows,
} from '../guide/kb-vulnerabilities.ts';
import type { Vulnerability } from '../guide/msrc-fixes.ts';
import { findUnknownRestarts, formatUpdateType, toRestartBehaviour } from '../guide/msrc-words.ts';
import { windowsKbList } from '../lists/windows-kb-list.ts';
import { compareNaturally } from '../names/compare-naturally.ts';
import { findUnknownUpdateTypes } from '../names/kb-lines.ts';
import { parseArchitectures, toProductParameter } from '../names/windows-product.ts';
import { toReleaseDateDetail } from './release-date-detail.ts';
import { toContradictionRows, toSupersedenceDetail } from './supersedence-detail.ts';
import { mergeGuidance } from './windows-kb-guidance.ts';

/** Namespace of placeholder ids: the guide does not state Windows Update's id of the update. */
const placeholderNamespace = '6f4b5f8e-0d0e-4c53-9a55-3f1c8a2f7b61';

/** A KB for a product, with the guide's statements and the conclusions for the product. */
type DescribedKb = ReturnType<typeof describeKb>;

export function toWindowsKbEntry(
  row: KbForProduct,
  vulnerabilities: ReadonlyMap<string, Vulnerability>,
  conclusions: KbConclusions,
  facts: KbFactsTable,
): Entry {
  const { kb, formerIds } = row;
  const described = describeKb(row, vulnerabilities, conclusions, facts);
  const kbEntry = entry(
    windowsKbList,
    described.key,
    toRow(described),
    toDetail(described),
    findUnknownWords(described),
  );
  return formerIds.length === 0
    ? kbEntry
    : { ...kbEntry, formerKeys: formerIds.map((id) => toKey(kb, id)) };
}

function describeKb(
  row: KbForProduct,
  vulnerabilities: ReadonlyMap<string, Vulnerability>,
  conclusions: KbConclusions,
  facts: KbFactsTable,
) {
  const { kb, product } = row;
  const released = conclusions.getReleaseDate(kb);
  const fixed = listFixedVulnerabilities(row, vulnerabilities);
  const updateType = [...row.updateTypes].toSorted(compareNaturally)[0] ?? null;
  const month = formatMonth(released.taken?.date ?? null);
  return {
    row,
    facts: facts.add(row, fixed),
    key: toKey(kb, product.id),
    fixed,
    released,
    productConclusions: conclusions.getProduct(product.name),
    getDate: (other: string) => conclusions.getReleaseDate(other).taken?.date ?? null,
    name: `${month}${formatUpdateType(updateType)} for ${product.name} (${kb})`,
    updateType,
    component: distinctWords([
      ...fixed.flatMap(({ vulnerability }) => vulnerability?.components ?? []),
      ...row.parts,
    ]).toSorted(compareNaturally),
  };
}

/** Returns the row of the list. */
function toRow({ row, facts, fixed, productConclusions, name, component }: DescribedKb) {
  const { kb, product } = row;
  const { severity, releaseDate, cve, supersedes, supersededBy, superseded, exploited } = facts;
  return {
    name,
    productName: product.name,
    paramName: toProductParameter(product.name) || null,
    productFamily: product.family,
    component: [...component],
    kbId: kb,
    severity,
    impact: chooseImpact(fixed, severity),
    releaseDate,
    latestKb: productConclusions.resolution.resolve(kb).latest,
    cve: [...cve],
    supersedes: [...supersedes],
    supersededBy: [...supersededBy],
    superseded,
    architecture: parseArchitectures(product.name),
    restartBehaviour: toRestartBehaviour(row.restarts),
    exploited,
    publiclyDisclosed: combineStatements(fixed, 'publiclyDisclosed'),
  };
}

/** Returns the facts and tables of the detail. */
function toDetail({
  row,
  facts,
  key,
  fixed,
  released,
  productConclusions,
  getDate,
  name,
  updateType,
  component,
}: DescribedKb) {
  const { kb } = row;
  const { replacements, resolution, contradictions } = productConclusions;
  const guidance = fixed.flatMap(({ cve, vulnerability }) =>
    vulnerability === null ? [] : [[cve, vulnerability.guidance] as const],
  );
  return {
    kbBaseId: null,
    title: name,
    uuid: uuidOfName(key, placeholderNamespace),
    classification: 'Security Updates',
    updateType,
    description: describeFixes(row.product.name, fixed, component),
    fixedBuild: [...row.fixedBuilds.keys()].toSorted(compareNaturally),
    referenceLink: `https://support.microsoft.com/help/${kb.slice('KB'.length)}`,
    downloadUrl: `https://www.catalog.update.microsoft.com/Search.aspx?q=${kb}`,
    ...toReleaseDateDetail(released),
    vulnerabilities: toVulnerabilityRows(fixed),
    ...mergeGuidance(new Map(guidance), row.knownIssues, row.productIds),
    ...toSupersedenceDetail({ kb, replacements, resolution, facts, getDate }),
    contradictions: toContradictionRows(
      contradictions.filter(({ older, newer }) => older === kb || newer === kb),
    ),
  };
}

/** Uses the product's id, because names change. */
function toKey(kb: string, product: string): string {
  return `${kb}|${product}`;
}

/** Reports a word once for a record, even when several vulnerabilities contain it. */
function findUnknownWords({ row, fixed }: DescribedKb): UnknownWord[] {
  const words = [
    ...findUnknownRestarts(row.restarts),
    ...findUnknownUpdateTypes(row.updateTypes),
    ...fixed.flatMap(({ vulnerability }) => vulnerability?.unknownWords ?? []),
  ];
  return [...new Map(words.map((word) => [`${word.vocabulary} ${word.word}`, word])).values()];
}

function formatMonth(releaseDate: number | null): string {
  return releaseDate === null ? '' : `${new Date(releaseDate).toISOString().slice(0, 7)} `;
}
