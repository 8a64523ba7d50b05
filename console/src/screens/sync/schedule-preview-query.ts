/** What the server makes of a cron line: the same answer for the preview below the input and for the rule that guards it. */

import { schedulePreviewEndpoint } from '@patch/contract/source-settings-endpoints.ts';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';

/** The next times move on; words that are older than a minute are asked for again. */
const keptFor = 60_000;

export const schedulePreviewQuery = (cron: string) =>
  queryOptions({
    queryKey: queryKeys.sources.schedulePreview(cron),
    queryFn: ({ signal }) => callApi(schedulePreviewEndpoint, { query: { cron }, signal }),
    staleTime: keptFor,
  });
