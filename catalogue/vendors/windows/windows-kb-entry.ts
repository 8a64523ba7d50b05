/** What the list shows of a KB for a product. */
import { v5 as uuidOfName } from 'uuid';
import { type Entry, entry, type UnknownWord } from '../../definition/feed.ts';
import { distinctWords } from '../../values/vendor-words.ts';
import { compareNaturally } from './compare-naturally.ts';
import type { KbConclusions, ProductConclusions } from './kb-conclusions.ts';
import type { KbFacts } from './kb-facts.ts';
import type { KbForProduct } from './kb-for-product.ts';
import { unknownUpdateTypes } from './kb-lines.ts';
import type { ReleaseDate } from './kb-release-dates.ts';
import {
  descriptionOf,
  type FixedVulnerability,
  fixedVulnerabilities,
  impactOf,
  saidOfAny,
  vulnerabilityRows,
} from './kb-vulnerabilities.ts';
import type { Vulnerability } from './msrc-fixes.ts';
import { restartBehaviourOf, unknownRestarts, updateTypeInTitle } from './msrc-words.ts';
import { releaseDateDetail } from './release-date-detail.ts';
import { contradictionRows, supersedenceDetail } from './supersedence-detail.ts';
import { guidanceOfKb } from './windows-kb-guidance.ts';
import { windowsKbList } from './windows-kb-list.ts';
import { architecturesOf, productParameter } from './windows-product.ts';

/** Of the placeholder ids: the guide does not know the id by which Windows Update has the update. */
const placeholderNamespace = '6f4b5f8e-0d0e-4c53-9a55-3f1c8a2f7b61';

/** A KB for a product, with what the guide says and what follows for its product. */
interface DescribedKb {
  readonly row: KbForProduct;
  readonly facts: KbFacts;
  readonly key: string;
  readonly fixed: readonly FixedVulnerability[];
  readonly released: ReleaseDate;
  readonly ofProduct: ProductConclusions;
  readonly dateOf: (kb: string) => number | null;
  readonly name: string;
  readonly updateType: string | null;
  readonly component: readonly string[];
}

export function windowsKbEntry(
  row: KbForProduct,
  vulnerabilities: ReadonlyMap<string, Vulnerability>,
  conclusions: KbConclusions,
  facts: KbFacts,
): Entry {
  const { kb, formerIds } = row;
  const described = describedKb(row, vulnerabilities, conclusions, facts);
  const entryOfKb = entry(
    windowsKbList,
    described.key,
    listedKb(described),
    detailOfKb(described),
    unknownWordsOf(described),
  );
  return formerIds.length === 0
    ? entryOfKb
    : { ...entryOfKb, formerKeys: formerIds.map((id) => keyOf(kb, id)) };
}

function describedKb(
  row: KbForProduct,
  vulnerabilities: ReadonlyMap<string, Vulnerability>,
  conclusions: KbConclusions,
  facts: KbFacts,
): DescribedKb {
  const { kb, product } = row;
  const released = conclusions.releaseDate(kb);
  const fixed = fixedVulnerabilities(row, vulnerabilities);
  const updateType = [...row.updateTypes].toSorted(compareNaturally)[0] ?? null;
  const month = monthOf(released.taken?.date ?? null);
  return {
    row,
    facts,
    key: keyOf(kb, product.id),
    fixed,
    released,
    ofProduct: conclusions.ofProduct(product.name),
    dateOf: (other) => conclusions.releaseDate(other).taken?.date ?? null,
    name: `${month}${updateTypeInTitle(updateType)} for ${product.name} (${kb})`,
    updateType,
    component: distinctWords([
      ...fixed.flatMap(({ vulnerability }) => vulnerability?.components ?? []),
      ...row.parts,
    ]).toSorted(compareNaturally),
  };
}

/** The row of the list. */
function listedKb({ row, facts, fixed, ofProduct, name, component }: DescribedKb) {
  const { kb, product } = row;
  const { severity, releaseDate, cve, supersedes, supersededBy, superseded, exploited } = facts;
  return {
    name,
    productName: product.name,
    paramName: productParameter(product.name) || null,
    productFamily: product.family,
    component: [...component],
    kbId: kb,
    severity,
    impact: impactOf(fixed, severity),
    releaseDate,
    latestKb: ofProduct.resolution.of(kb).latest,
    cve: [...cve],
    supersedes: [...supersedes],
    supersededBy: [...supersededBy],
    superseded,
    architecture: architecturesOf(product.name),
    restartBehaviour: restartBehaviourOf(row.restarts),
    exploited,
    publiclyDisclosed: saidOfAny(fixed, 'publiclyDisclosed'),
  };
}

/** What the detail shows beside the row. */
function detailOfKb({
  row,
  facts,
  key,
  fixed,
  released,
  ofProduct,
  dateOf,
  name,
  updateType,
  component,
}: DescribedKb) {
  const { kb } = row;
  const { replacements, resolution, contradictions } = ofProduct;
  const guidance = fixed.flatMap(({ cve, vulnerability }) =>
    vulnerability === null ? [] : [[cve, vulnerability.guidance] as const],
  );
  return {
    kbBaseId: null,
    title: name,
    uuid: uuidOfName(key, placeholderNamespace),
    classification: 'Security Updates',
    updateType,
    description: descriptionOf(row.product.name, fixed, component),
    fixedBuild: [...row.fixedBuilds.keys()].toSorted(compareNaturally),
    referenceLink: `https://support.microsoft.com/help/${kb.slice('KB'.length)}`,
    downloadUrl: `https://www.catalog.update.microsoft.com/Search.aspx?q=${kb}`,
    ...releaseDateDetail(released),
    vulnerabilities: vulnerabilityRows(fixed),
    ...guidanceOfKb(new Map(guidance), row.knownIssues, row.productIds),
    ...supersedenceDetail({ kb, replacements, resolution, facts, dateOf }),
    contradictions: contradictionRows(
      contradictions.filter(({ older, newer }) => older === kb || newer === kb),
    ),
  };
}

/** By the product's id: names change, ids do not. */
function keyOf(kb: string, product: string): string {
  return `${kb}|${product}`;
}

/** A word counts once for a record, in however many of its vulnerabilities it stands. */
function unknownWordsOf({ row, fixed }: DescribedKb): UnknownWord[] {
  const words = [
    ...unknownRestarts(row.restarts),
    ...unknownUpdateTypes(row.updateTypes),
    ...fixed.flatMap(({ vulnerability }) => vulnerability?.unknownWords ?? []),
  ];
  return [...new Map(words.map((word) => [`${word.vocabulary} ${word.word}`, word])).values()];
}

function monthOf(releaseDate: number | null): string {
  return releaseDate === null ? '' : `${new Date(releaseDate).toISOString().slice(0, 7)} `;
}
