/** Remarks on the conclusions of a run: contradictions of the vendor, and rows without a matching update. */
import type { KbForProduct } from '../guide/kb-for-product.ts';
import { parseArchitectures } from '../names/windows-product.ts';
import type { OfferedUpdates } from '../scan-file/offered-updates.ts';
import type { KbConclusions } from './kb-conclusions.ts';
import type { Contradiction, ContradictionKind } from './kb-contradictions.ts';
import { matchUpdate, mismatches } from './update-of-kb.ts';

const examplesShown = 5;

const kinds: readonly (readonly [ContradictionKind, words: string])[] = [
  ['date', 'run backwards in time'],
  ['build', 'lead to a lower build of the same branch and are not believed'],
  ['circle', 'go in a circle and are not all believed'],
];

export function* createConclusionRemarks(
  rows: readonly KbForProduct[],
  { products }: Pick<KbConclusions, 'products'>,
  offered: OfferedUpdates,
): Generator<string> {
  const contradictions = [...products].flatMap((product) => product.contradictions);
  for (const [kind, words] of kinds)
    yield* createContradictionRemark(
      contradictions.filter((contradiction) => contradiction.kind === kind),
      words,
    );
  yield* createMatchRemark(rows, offered);
}

function* createContradictionRemark(
  contradictions: readonly Contradiction[],
  words: string,
): Generator<string> {
  if (contradictions.length === 0) return;
  const statements = [
    ...new Set(contradictions.map(({ statement, against }) => `${statement}, but ${against}`)),
  ].toSorted();
  const more =
    statements.length > examplesShown
      ? `; and ${formatCount(statements.length - examplesShown)} more`
      : '';
  yield `replacements ${words}: ${formatCount(statements.length)}, on ${formatCount(contradictions.length)} rows: ${statements.slice(0, examplesShown).join('; ')}${more}. The records list both sources`;
}

function* createMatchRemark(
  rows: readonly KbForProduct[],
  offered: OfferedUpdates,
): Generator<string> {
  const counts = new Map<string, number>();
  let matched = 0;
  for (const { kb, product } of rows) {
    const updates = offered.listUpdates(kb);
    if (updates.length === 0) continue;
    const { update, mismatch } = matchUpdate(
      { productName: product.name, architecture: parseArchitectures(product.name) },
      updates,
    );
    if (update !== null) matched++;
    else if (mismatch !== null) counts.set(mismatch, (counts.get(mismatch) ?? 0) + 1);
  }
  const unmatched = [...counts.values()].reduce((sum, number) => sum + number, 0);
  if (unmatched === 0) return;
  const reasons = mismatches.flatMap((mismatch) =>
    counts.has(mismatch) ? `${formatCount(counts.get(mismatch) ?? 0)} ${mismatch}` : [],
  );
  yield `${formatCount(matched)} rows are matched with an update of the offline scan file; ${formatCount(unmatched)} are not, though the file has their KB: ${reasons.join(', ')}`;
}

const formatCount = (number: number) => number.toLocaleString('en');
