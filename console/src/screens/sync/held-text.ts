/** What is held, in words that withdrawals and content share. */
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { formatNumber } from '../../widgets/format-number.ts';

/** A source that fills several lists says which of them it is about. */
export function heldName(
  { partLabel, list }: { readonly partLabel: string; readonly list: string },
  { lists }: SourceState,
): string {
  const label = lists.length > 1 ? lists.find(({ key }) => key === list)?.label : undefined;
  return label === undefined ? partLabel : `${partLabel}, ${label}`;
}

/** '1 record', '860 records'; with a verb '1 waits', '860 wait'. */
export function recordsText(count: number, many = 'records', one = 'record'): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
