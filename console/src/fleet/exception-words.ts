/** Words of exceptions: where they hold, and until when. */
import type { ListedException } from '@patch/contract/exception-endpoints.ts';
import { dayDate } from '../values/day-date.ts';
import { formatCount } from '../widgets/format-number.ts';

/** Returns 'on all machines of North'. */
export function scopeWords({
  scope,
  name,
  machines,
}: Pick<ListedException, 'scope' | 'name' | 'machines'>): string {
  if (scope === 'all') return 'on all machines';
  if (scope === 'client') return `on all machines of ${name ?? 'a removed client'}`;
  if (scope === 'group')
    return `on ${formatCount(machines ?? 0, ['machine', 'machines'])} of the group ${name ?? 'that was removed'}`;
  return `on ${name ?? 'a machine'}`;
}

/** Returns 'until May 12, 2031'. */
export const endWords = (until: number | null, zone: string): string =>
  until === null ? 'without end' : `until ${dayDate(until, zone)}`;

export const recordName = ({
  identifier,
  recordId,
}: Pick<ListedException, 'identifier' | 'recordId'>): string => identifier ?? `record ${recordId}`;
