/** What was asked for before its page was drawn, and failed, retries included, is shown as it is: the server is not asked again for the same. */
import type { QueryState } from '@tanstack/react-query';

/** Milliseconds. */
const failureLives = 5_000;

export const failedJustNow = ({
  status,
  data,
  errorUpdatedAt,
}: Pick<QueryState, 'status' | 'data' | 'errorUpdatedAt'>): boolean =>
  status === 'error' && data === undefined && Date.now() - errorUpdatedAt < failureLives;
