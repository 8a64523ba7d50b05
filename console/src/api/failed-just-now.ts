/** Tells whether a query failed recently. A page shows the failure of a prefetch instead of repeating the request. */
import type { QueryState } from '@tanstack/react-query';

const failureTtlMs = 5_000;

export const hasJustFailed = ({
  status,
  data,
  errorUpdatedAt,
}: Pick<QueryState, 'status' | 'data' | 'errorUpdatedAt'>): boolean =>
  status === 'error' && data === undefined && Date.now() - errorUpdatedAt < failureTtlMs;
