/** Words a KB's chain for its detail: the line, the branch, the KB to install, and the evidence. */
import type { SupersedenceRelation } from '../../../schemas/supersedence-table.ts';
import { compareBuilds } from '../conclusions/fixed-build.ts';
import type { Contradiction } from '../conclusions/kb-contradictions.ts';
import type { KbFacts } from '../conclusions/kb-facts.ts';
import type { ChainKb, KbResolution } from '../conclusions/kb-resolution.ts';
import type { ProductKb } from '../conclusions/product-kbs.ts';
import type { ProductReplacements, Replacement } from '../conclusions/product-replacements.ts';
import { formatSource, formatSources } from '../conclusions/source-names.ts';
import { isSpecial, type KbLine } from '../names/kb-lines.ts';

export interface KbOnProduct {
  readonly kb: string;
  readonly replacements: ProductReplacements;
  readonly resolution: KbResolution;
  readonly facts: Pick<KbFacts, 'superseded' | 'toInstall'>;
  /** Release date of any KB; null when no document states it. */
  readonly getDate: (kb: string) => number | null;
}

export function toSupersedenceDetail(kbOnProduct: KbOnProduct) {
  const { kb, replacements, resolution, facts, getDate } = kbOnProduct;
  const toRow = (link: ChainKb, relation: SupersedenceRelation) =>
    toChainRow(
      { ...link, releaseDate: link.releaseDate ?? getDate(link.kb) },
      relation,
      replacements,
    );
  const placed = replacements.kbs.get(kb);
  const newest = resolution.newestCumulative;
  return {
    line: placed?.line ?? null,
    branch: placed?.build?.branch ?? null,
    kbIdToBeInstalled: facts.toInstall,
    installEvidence: describeEvidence(kbOnProduct),
    newestCumulativeKb: newest?.kb ?? null,
    supersedence: [
      ...resolution
        .newer(kb)
        .map((newer) =>
          toRow(newer, newer.direct ? 'Replaces it directly' : 'Replaces it through others'),
        ),
      ...resolution
        .older(kb)
        .map((older) =>
          toRow(older, older.direct ? 'Replaced directly' : 'Replaced through others'),
        ),
    ],
  };
}

function toChainRow(
  { kb, releaseDate, replacements: tied, replaces }: ChainKb,
  relation: SupersedenceRelation,
  { kbs }: ProductReplacements,
) {
  return {
    kbId: kb,
    relation,
    releaseDate,
    fixedBuild: kbs.get(kb)?.build?.text ?? null,
    replaces: [...replaces],
    evidence: formatSources(tied.flatMap(({ evidence }) => evidence)),
  };
}

/** Returns the evidence as sentences. */
export function describeEvidence(kbOnProduct: KbOnProduct): string {
  const { kb, replacements, resolution, facts } = kbOnProduct;
  const { latest } = resolution.resolve(kb);
  const { toInstall } = facts;
  const placed = replacements.kbs.get(kb);
  const special = placed !== undefined && isSpecial(placed.line);
  const words =
    latest === kb
      ? [describeCurrent(kbOnProduct)]
      : [...replacements.newer(kb).map(describeReplacement), describeEnd(kbOnProduct, latest)];
  if (special && toInstall !== null && toInstall !== latest)
    words.push(describeSpecial(kbOnProduct, toInstall, placed.line));
  if (toInstall === null) words.push(describeUnknown(kbOnProduct));
  return words.filter((sentence) => sentence !== '').join(' ');
}

function describeReplacement({ newer, evidence }: Replacement): string {
  return `${newer} replaces it (${formatSources(evidence)}).`;
}

/** Words for a KB that nothing replaces. */
function describeCurrent({ kb, replacements, resolution, facts }: KbOnProduct): string {
  if (facts.superseded === true)
    return 'Windows Update says that another update replaces it; no document describes that one for the product.';
  const placed = replacements.kbs.get(kb);
  const count = resolution.cumulativeCount;
  if (placed?.build && resolution.newestCumulative?.kb === kb && count > 1) {
    const { text, branch } = placed.build;
    return `Of ${count} updates of its line on branch ${branch} it has the highest fixed build, ${text} (${formatSource(placed.build.document)}). No successor is known.`;
  }
  return `No successor is known${describeReason(placed)}.`;
}

function describeReason(placed: ProductKb | undefined): string {
  if (placed?.line === 'Security only') return ': security-only updates do not replace each other';
  if (placed?.line === 'Separate update') return ': it is a package beside the cumulative updates';
  const unbuilt = placed?.line === 'Security update' && placed.build === null;
  return unbuilt
    ? ': no document names one, and it has no fixed build on the branch of the product'
    : '';
}

/** Words for the end of the chain. */
function describeEnd({ kb, replacements, resolution }: KbOnProduct, latest: string): string {
  const [start, end] = [replacements.kbs.get(kb)?.build, replacements.kbs.get(latest)?.build];
  if (start && end && compareBuilds(end, start) > 0) {
    return `${latest} has the fixed build ${end.text} (${formatSource(end.document)}), which is higher than ${start.text} of this one (${formatSource(start.document)}); no successor of ${latest} is known.`;
  }
  const between = resolution.newer(kb).length - 1;
  return between === 0
    ? `No successor of ${latest} is known.`
    : `The chain of ${between + 1} KBs ends with ${latest}; no successor of that is known.`;
}

function describeSpecial(
  { kb, replacements }: KbOnProduct,
  toInstall: string,
  line: KbLine,
): string {
  const [start, end] = [replacements.kbs.get(kb)?.build, replacements.kbs.get(toInstall)?.build];
  const whom =
    line === 'Hotpatch'
      ? 'A hotpatch is for machines that are enrolled for hotpatching.'
      : 'A preview is optional.';
  return `${whom} Others install ${toInstall}, whose fixed build ${end?.text ?? ''} is higher than ${start?.text ?? ''}.`;
}

function describeUnknown({ kb, replacements, resolution }: KbOnProduct): string {
  const { line } = replacements.kbs.get(kb) ?? {};
  const newest = resolution.newestCumulative;
  const has =
    newest === null
      ? ''
      : ` The newest ${newest.line.toLowerCase()} listed for the product is ${newest.kb} (${newest.build?.text ?? ''})`;
  if (line !== undefined && isSpecial(line)) {
    const whom =
      line === 'Hotpatch'
        ? 'A hotpatch is for machines that are enrolled for hotpatching'
        : 'A preview is optional';
    return `${whom}; no cumulative update that holds it is known.${has === '' ? '' : `${has}.`}`;
  }
  return has === '' ? '' : `${has.trim()}; whether it holds this one is not known.`;
}

export function toContradictionRows(contradictions: readonly Contradiction[]) {
  return contradictions.map(({ statement, source, against, againstSource }) => ({
    statement,
    source,
    against,
    againstSource,
  }));
}
