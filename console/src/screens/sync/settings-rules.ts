/** Rules of the settings form for schedule, mirror, parts and share. */
import { useQueryClient } from '@tanstack/react-query';
import { ApiCallError } from '../../api/call-api.ts';
import { safeAddress } from '../../values/safe-address.ts';
import { toSchedulePreviewQuery } from './schedule-preview-query.ts';
import { type FollowedParts, normaliseBlanks } from './settings-draft.ts';

/** Validates a schedule on the server, like the preview. If the server is unreachable, the schedule passes and is validated when saved. */
export function useScheduleRule() {
  const queryClient = useQueryClient();
  return {
    async validator(_: unknown, value: string | null) {
      if (value === null) return;
      const cron = normaliseBlanks(value);
      if (cron === '') throw new Error('Schedule field is required');
      const failure = await queryClient.fetchQuery(toSchedulePreviewQuery(cron)).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure instanceof ApiCallError && failure.status >= 400 && failure.status < 500)
        throw new Error(failure.userMessage);
    },
  };
}

export const mirrorRule = {
  async validator(_: unknown, value: string) {
    const address = value.trim();
    if (address !== '' && safeAddress(address) === undefined)
      throw new Error('Mirror address must begin with http:// or https://.');
  },
};

export const createPartsRule = (known: number) => ({
  async validator(_: unknown, { leftOut, added }: FollowedParts) {
    if (known > 0 && leftOut.length >= known + added.length)
      throw new Error('Select at least one part. To sync none, disable the source.');
  },
});

export const shareRule = {
  async validator(_: unknown, value: number | null) {
    if (value === null) throw new Error('The share is required');
  },
};
