/** State of a record and what to install, derived from the record and its chain. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import type { Chain, ChainLink } from './chain-of-record.ts';

/** `unstated`: the list does not publish supersedence, or not for this record. */
export type StandingState = 'withdrawn' | 'superseded' | 'current' | 'unstated';

export type Installation =
  | { readonly kind: 'own' }
  /** With `isEnd` it is the end of the chain by the vendor's documents, otherwise the newest known update. */
  | { readonly kind: 'other'; readonly link: ChainLink; readonly isEnd: boolean }
  | { readonly kind: 'unknown' };

export interface Standing {
  readonly state: StandingState;
  readonly install: Installation;
}

export function getStanding(
  list: ListDefinition,
  record: WireDetail,
  chain: Chain | null,
): Standing {
  const standing = getChainStanding(record, chain) ?? getFlagStanding(list, record, chain !== null);
  return typeof record.withdrawnTime === 'number'
    ? {
        state: 'withdrawn',
        install: standing.install.kind === 'own' ? { kind: 'unknown' } : standing.install,
      }
    : standing;
}

/** Returns null when the chain does not decide; then the record's flag does. */
function getChainStanding(record: WireDetail, chain: Chain | null): Standing | null {
  if (chain === null) return null;
  if (chain.isLast) return { state: 'current', install: { kind: 'own' } };
  const { last } = chain;
  const link = last ?? chain.newer.at(-1);
  if (link === undefined) return null;
  // An update of another line can be the one to install although nothing supersedes the record: a hotpatch.
  const state = record['superseded'] === false ? 'current' : 'superseded';
  return { state, install: { kind: 'other', link, isEnd: last !== null } };
}

function getFlagStanding(list: ListDefinition, record: WireDetail, hasChain: boolean): Standing {
  const hasFlag = Object.hasOwn(list.fields, 'superseded');
  const flag = hasFlag ? record['superseded'] : undefined;
  if (flag === true) return { state: 'superseded', install: { kind: 'unknown' } };
  if (flag === false || (hasChain && !hasFlag))
    return { state: 'current', install: { kind: 'own' } };
  return { state: 'unstated', install: { kind: 'unknown' } };
}
