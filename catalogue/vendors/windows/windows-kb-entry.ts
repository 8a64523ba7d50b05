/** What the list shows of a KB for a product. */
import { v5 as uuidOfName } from 'uuid';
import { type Entry, entry, type UnknownWord } from '../../definition/feed.ts';
import { higherSeverity, type Severity, severities } from '../../schemas/severities.ts';
import { distinctWords } from '../../values/vendor-words.ts';
import type { KbConclusions } from './kb-conclusions.ts';
import type { KbForProduct } from './kb-for-product.ts';
import { unknownUpdateTypes } from './kb-lines.ts';
import { anySaid, type SaidOfProducts } from './msrc-exploit-status.ts';
import type { Vulnerability } from './msrc-fixes.ts';
import type { Rating } from './msrc-rating.ts';
import { restartBehaviourOf, unknownRestarts, updateTypeInTitle } from './msrc-words.ts';
import { naturally } from './natural-order.ts';
import { releaseDateDetail } from './release-date-detail.ts';
import { contradictionRows, supersedenceDetail } from './supersedence-detail.ts';
import { guidanceOfKb } from './windows-kb-guidance.ts';
import { windowsKbList } from './windows-kb-list.ts';
import { architecturesOf, productParameter } from './windows-product.ts';

/** Of the placeholder ids: the guide does not know the id by which Windows Update has the update. */
const placeholderNamespace = '6f4b5f8e-0d0e-4c53-9a55-3f1c8a2f7b61';

export function windowsKbEntry(
  row: KbForProduct,
  vulnerabilities: ReadonlyMap<string, Vulnerability>,
  conclusions: KbConclusions,
): Entry {
  const { kb, product } = row;
  const released = conclusions.releaseDate(kb);
  const { replacements, resolution, contradictions } = conclusions.ofProduct(product.name);
  const newer = replacements.newer(kb);
  const releaseDate = released.taken?.date ?? null;
  const number = kb.slice('KB'.length);
  const key = keyOf(kb, product.id);
  const updateType = [...row.updateTypes].toSorted(naturally)[0] ?? null;
  const name = `${monthOf(releaseDate)}${updateTypeInTitle(updateType)} for ${product.name} (${kb})`;
  const cve = [...row.ratings.keys()].toSorted(naturally);
  const severity = [...row.ratings.values()].reduce<Severity>(
    (highest, rating) => higherSeverity(highest, rating.severity),
    'Unspecified',
  );
  const component = distinctWords([
    ...cve.flatMap((id) => vulnerabilities.get(id)?.components ?? []),
    ...row.parts,
  ]).toSorted(naturally);
  const fixed = new Map(cve.flatMap((id) => ofKey(vulnerabilities, id)));
  const statuses = new Map(
    cve.map((id) => [id, vulnerabilities.get(id)?.exploitStatuses.of(row.productIds)]),
  );
  const said = (fact: 'exploited' | 'publiclyDisclosed') =>
    anySaid([...statuses.values()].map((status) => status?.[fact] ?? null));
  const entryOfKb = entry(
    windowsKbList,
    key,
    {
      name,
      productName: product.name,
      paramName: productParameter(product.name) || null,
      productFamily: product.family,
      component,
      kbId: kb,
      severity,
      impact: impactOf(row.ratings, severity),
      releaseDate,
      latestKb: resolution.of(kb).latest,
      cve,
      supersedes: replacements.older(kb).map((replaced) => replaced.older),
      supersededBy: newer.map((replacement) => replacement.newer),
      superseded: newer.length > 0,
      architecture: architecturesOf(product.name),
      restartBehaviour: restartBehaviourOf(row.restarts),
      exploited: said('exploited'),
      publiclyDisclosed: said('publiclyDisclosed'),
    },
    {
      kbBaseId: null,
      title: name,
      uuid: uuidOfName(key, placeholderNamespace),
      classification: 'Security Updates',
      updateType,
      description: descriptionOf(row, component),
      fixedBuild: [...row.fixedBuilds.keys()].toSorted(naturally),
      referenceLink: `https://support.microsoft.com/help/${number}`,
      downloadUrl: `https://www.catalog.update.microsoft.com/Search.aspx?q=${kb}`,
      ...releaseDateDetail(released),
      vulnerabilities: cve
        .toSorted(
          (a, b) =>
            urgency(row.ratings.get(b), statuses.get(b)) -
            urgency(row.ratings.get(a), statuses.get(a)),
        )
        .map((id) =>
          vulnerabilityRow(
            id,
            row.ratings.get(id),
            vulnerabilities.get(id),
            statuses.get(id)?.words ?? null,
          ),
        ),
      ...guidanceOfKb(
        new Map([...fixed].map(([id, { guidance }]) => [id, guidance])),
        row.knownIssues,
        row.productIds,
      ),
      ...supersedenceDetail({ kb, replacements, resolution }),
      contradictions: contradictionRows(
        contradictions.filter(({ older, newer: by }) => older === kb || by === kb),
      ),
    },
    distinctUnknownWords([
      ...unknownRestarts(row.restarts),
      ...unknownUpdateTypes(row.updateTypes),
      ...[...fixed.values()].flatMap(({ unknownWords }) => unknownWords),
    ]),
  );
  return row.formerIds.length === 0
    ? entryOfKb
    : { ...entryOfKb, formerKeys: row.formerIds.map((id) => keyOf(kb, id)) };
}

/** By the product's id: names change, ids do not. */
function keyOf(kb: string, product: string): string {
  return `${kb}|${product}`;
}

function ofKey<Value>(map: ReadonlyMap<string, Value>, key: string): [string, Value][] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}

/** A word counts once for a record, in however many of its vulnerabilities it stands. */
function distinctUnknownWords(words: readonly UnknownWord[]): UnknownWord[] {
  return [...new Map(words.map((word) => [`${word.vocabulary} ${word.word}`, word])).values()];
}

function monthOf(releaseDate: number | null): string {
  return releaseDate === null ? '' : `${new Date(releaseDate).toISOString().slice(0, 7)} `;
}

/** The most frequent among the vulnerabilities of that severity; of two as frequent, the one more frequent over all. */
function impactOf(ratings: ReadonlyMap<string, Rating>, severity: Severity): string | null {
  const counts = new Map<string, { worst: number; all: number }>();
  for (const rating of ratings.values()) {
    if (rating.impact === null) continue;
    const { worst, all } = counts.get(rating.impact) ?? { worst: 0, all: 0 };
    counts.set(rating.impact, {
      worst: worst + (rating.severity === severity ? 1 : 0),
      all: all + 1,
    });
  }
  const [first] = [...counts]
    .filter(([, { worst }]) => worst > 0)
    .toSorted(
      ([word, one], [otherWord, other]) =>
        other.worst - one.worst || other.all - one.all || naturally(word, otherWord),
    );
  return first?.[0] ?? null;
}

function descriptionOf({ product, ratings }: KbForProduct, component: readonly string[]): string {
  const counts = [...severities].toReversed().flatMap((severity) => {
    const count = [...ratings.values()].filter((rating) => rating.severity === severity).length;
    return count === 0
      ? []
      : `${count} ${severity === 'None' ? 'without severity' : severity.toLowerCase()}`;
  });
  const fixes =
    ratings.size === 0
      ? `An update of ${product.name}.`
      : `Fixes ${ratings.size} ${ratings.size === 1 ? 'vulnerability' : 'vulnerabilities'} in ${product.name}: ${counts.join(', ')}.`;
  return component.length === 0 ? fixes : `${fixes}\nComponents: ${component.join(', ')}.`;
}

/** What is exploited comes first, then what is public, then by severity; the higher the number the earlier. */
function urgency(rating: Rating | undefined, status: SaidOfProducts | undefined): number {
  const severity = severities.indexOf(rating?.severity ?? 'Unspecified');
  return (
    severity + (status?.publiclyDisclosed === true ? 10 : 0) + (status?.exploited === true ? 20 : 0)
  );
}

function vulnerabilityRow(
  cve: string,
  rating: Rating | undefined,
  vulnerability: Vulnerability | undefined,
  exploited: string | null,
) {
  return {
    cve,
    title: vulnerability?.title ?? null,
    component: vulnerability?.components.join(', ') || null,
    severity: rating?.severity ?? null,
    impact: rating?.impact ?? null,
    cvss: rating?.score ?? null,
    vector: rating?.vector ?? null,
    exploited,
    cwe: distinctWords(vulnerability?.guidance.weaknesses.map(({ id }) => id) ?? []),
    ...(rating?.vendorSeverity && { vendorSeverity: rating.vendorSeverity }),
  };
}
