/** Words of exceptions in the zone of the reader. */
import type { ListedException } from '@patch/contract/fleet/exception-endpoints.ts';
import { dayDate } from '../values/day-date.ts';

/** Returns 'until May 12, 2031'. */
export const endWords = (until: number | null, zone: string): string =>
  until === null ? 'without end' : `until ${dayDate(until, zone)}`;

export const recordName = ({
  identifier,
  recordId,
}: Pick<ListedException, 'identifier' | 'recordId'>): string => identifier ?? `record ${recordId}`;
