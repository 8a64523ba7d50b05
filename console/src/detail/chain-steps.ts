/** Steps in which a supersedence chain is drawn, from the oldest update to the one to install. */
import { type Chain, type ChainLink, findReplacers } from './chain-of-record.ts';

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
export function buildChainSteps(chain: Chain): readonly ChainStep[] {
  const { newer, last, name, releaseDate } = chain;
  const isAlone = newer.length === 0 && last === null;
  const own: ChainStep = {
    label: isAlone ? 'This update · no known successor' : 'This update',
    line: 'directly',
    boxes: [{ name, releaseDate, look: 'own' }],
  };
  const steps = [...buildOlderSteps(chain), own, ...buildNewerSteps(chain), buildLastStep(chain)];
  return steps.filter(({ boxes }) => boxes.length > 0);
}

function buildOlderSteps(chain: Chain): readonly ChainStep[] {
  const fold: ChainFold = { at: 'start', words: 'older' };
  return [
    {
      label: 'Superseded indirectly',
      line: 'through others',
      boxes: chain.older
        .filter(({ direct }) => !direct)
        .map((link) => ({ ...link, words: toSupersededText(findReplacers(chain, link.name)) })),
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

function buildNewerSteps({ newer, last }: Chain): readonly ChainStep[] {
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
        .map((link) => ({ ...link, words: toReplacesText(link.replaces) })),
      fold,
    },
  ];
}

function buildLastStep({ last }: Chain): ChainStep {
  const words = last?.direct ? 'supersedes it directly' : toReplacesText(last?.replaces ?? []);
  return {
    label: 'Install instead',
    line: last?.direct === true ? 'directly' : 'through others',
    boxes: last === null ? [] : [{ ...last, look: 'last', words }],
  };
}

/** Returns 'directly', drawn as a solid line, only when no update stands between both steps. */
export function getLine(before: ChainStep | undefined, after: ChainStep): Line {
  return before?.line === 'through others' || after.line === 'through others'
    ? 'through others'
    : 'directly';
}

const joinNames = ([first, ...others]: readonly string[]) =>
  others.length === 0 ? first : `${first} and ${others.length} more`;
const toSupersededText = (names: readonly string[]) =>
  names.length === 0 ? '' : `by ${joinNames(names)}`;
const toReplacesText = (names: readonly string[]) =>
  names.length === 0 ? '' : `supersedes ${joinNames(names)}`;
