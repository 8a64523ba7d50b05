/** What the server makes of a cron line: the same answer for the preview below the input and for the rule that guards it. */
import { schedulePreviewCall } from '@patch/contract/source-settings-calls.ts';
import { queryOptions } from '@tanstack/react-query';
import { makeCall } from '../../api/make-call.ts';

/** The next times move on; words that are older than a minute are asked for again. */
const keptFor = 60_000;

export const schedulePreviewQuery = (cron: string) =>
  queryOptions({
    queryKey: ['schedule preview', cron],
    queryFn: ({ signal }) => makeCall(schedulePreviewCall, { query: { cron }, signal }),
    staleTime: keptFor,
  });
