/** Steps in which a supersedence chain is drawn, from the oldest update to the one to install. */
import { type Chain, type ChainLink, replacersOf } from './chain-of-record.ts';

export type Line = 'directly' | 'through others';

export interface ChainBox
  extends Pick<ChainLink, 'name' | 'releaseDate'>,
    Partial<Pick<ChainLink, 'fixedBuild' | 'evidence'>> {
  /** `own` is the record itself, `last` the update to install. */
  readonly look?: 'own' | 'last';
  readonly words?: string;
}

export interface ChainStep {
  readonly label: string;
  readonly line: Line;
  readonly boxes: readonly ChainBox[];
  /** Position and description of folded boxes. */
  readonly fold?: ChainFold;
}

export interface ChainFold {
  readonly at: 'start' | 'end';
  readonly words: string;
}

/** Omits steps without updates. */
export function chainSteps(chain: Chain): readonly ChainStep[] {
  const { newer, last, name, releaseDate } = chain;
  const alone = newer.length === 0 && last === null;
  const own: ChainStep = {
    label: alone ? 'This update · no known successor' : 'This update',
    line: 'directly',
    boxes: [{ name, releaseDate, look: 'own' }],
  };
  const steps = [...olderSteps(chain), own, ...newerSteps(chain), lastStep(chain)];
  return steps.filter(({ boxes }) => boxes.length > 0);
}

function olderSteps(chain: Chain): readonly ChainStep[] {
  const fold: ChainFold = { at: 'start', words: 'older' };
  return [
    {
      label: 'Superseded indirectly',
      line: 'through others',
      boxes: chain.older
        .filter(({ direct }) => !direct)
        .map((link) => ({ ...link, words: byWords(replacersOf(chain, link.name)) })),
      fold,
    },
    {
      label: 'Superseded directly',
      line: 'directly',
      boxes: chain.older.filter(({ direct }) => direct),
      fold,
    },
  ];
}

function newerSteps({ newer, last }: Chain): readonly ChainStep[] {
  // When the update to install is unknown, the newest stay visible.
  const fold: ChainFold =
    last === null ? { at: 'start', words: 'earlier' } : { at: 'end', words: 'newer' };
  return [
    {
      label: 'Supersedes it directly',
      line: 'directly',
      boxes: newer.filter(({ direct }) => direct),
      fold,
    },
    {
      label: 'Supersedes it indirectly',
      line: 'through others',
      boxes: newer
        .filter(({ direct }) => !direct)
        .map((link) => ({ ...link, words: replacesWords(link.replaces) })),
      fold,
    },
  ];
}

function lastStep({ last }: Chain): ChainStep {
  const words = last?.direct ? 'supersedes it directly' : replacesWords(last?.replaces ?? []);
  return {
    label: 'Install instead',
    line: last?.direct === true ? 'directly' : 'through others',
    boxes: last === null ? [] : [{ ...last, look: 'last', words }],
  };
}

/** Returns 'directly', drawn as a solid line, only when no update stands between both steps. */
export function lineBetween(before: ChainStep | undefined, after: ChainStep): Line {
  return before?.line === 'through others' || after.line === 'through others'
    ? 'through others'
    : 'directly';
}

const andOthers = ([first, ...others]: readonly string[]) =>
  others.length === 0 ? first : `${first} and ${others.length} more`;
const byWords = (names: readonly string[]) => (names.length === 0 ? '' : `by ${andOthers(names)}`);
const replacesWords = (names: readonly string[]) =>
  names.length === 0 ? '' : `supersedes ${andOthers(names)}`;
