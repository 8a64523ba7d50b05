/** The server's reading of a cron line, shared by the preview and the validation rule. */

import { schedulePreviewEndpoint } from '@patch/contract/source-settings-endpoints.ts';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';

/** Milliseconds. Older replies are requested again, because the next runs change. */
const staleTimeMs = 60_000;

export const toSchedulePreviewQuery = (cron: string) =>
  queryOptions({
    queryKey: queryKeys.sources.schedulePreview(cron),
    queryFn: ({ signal }) => callApi(schedulePreviewEndpoint, { query: { cron }, signal }),
    staleTime: staleTimeMs,
  });
