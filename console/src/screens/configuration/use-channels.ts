/** Fetches, changes and tests the channels. */
import {
  type Channel,
  type ChannelChange,
  type ChannelDelivery,
  changeChannelEndpoint,
  channelDeliveriesEndpoint,
  channelsEndpoint,
  deleteChannelEndpoint,
  redeliverEndpoint,
  rotateSecretEndpoint,
  testChannelEndpoint,
} from '@patch/contract/operations/channel-endpoints.ts';
import { channelTestType } from '@patch/contract/operations/event-endpoints.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';

const queryKey = queryKeys.channels.all();
/** A delivery takes seconds at most, unless its receiver is slow. */
const pendingIntervalMs = 1500;
const idleIntervalMs = 15_000;

export function useChannels() {
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await callApi(channelsEndpoint, { signal })).objList,
  });
}

export function useChannelActions({ id, name }: Pick<Channel, 'id' | 'name'>) {
  const queries = useQueryClient();
  const params = { id: String(id) };
  // Prefix of the deliveries, too.
  const invalidation = { onSettled: () => queries.invalidateQueries({ queryKey }) };
  const change = useMutation({
    mutationFn: (body: z.input<typeof ChannelChange>) =>
      callApi(changeChannelEndpoint, { params, body }),
    onSuccess: (changed) => toast.success(`The channel '${changed.name}' has been changed.`),
    // The form shows a refusal.
    meta: { quiet: true },
    ...invalidation,
  });
  const test = useMutation({
    mutationFn: () => callApi(testChannelEndpoint, { params }),
    ...invalidation,
  });
  const redeliver = useMutation({
    mutationFn: (delivery: number) =>
      callApi(redeliverEndpoint, { params: { ...params, delivery: String(delivery) } }),
    onSuccess: ({ message }) => toast.success(message),
    ...invalidation,
  });
  const remove = useConfirmedAction({
    question: () => ({
      title: `Remove the channel ${name}?`,
      body: 'Alerts no longer send to it. Its waiting deliveries are dropped.',
      danger: true,
      yes: 'Remove',
    }),
    run: () => callApi(deleteChannelEndpoint, { params }),
    success: (_, { message }) => message,
    invalidates: [queryKey],
  });
  return { change, test, redeliver, remove };
}

/** Returns a function that replaces the secret after a confirmation. */
export function useRotateSecret(
  { id, name }: Pick<Channel, 'id' | 'name'>,
  onSecret: (secret: string) => void,
) {
  return useConfirmedAction({
    question: () => ({
      title: `Replace the secret of ${name}?`,
      body: 'For 24 hours both secrets sign, so that the receiver can change in that time.',
      yes: 'Replace',
    }),
    async run() {
      const { secret } = await callApi(rotateSecretEndpoint, { params: { id: String(id) } });
      if (secret !== null) onSecret(secret);
    },
    invalidates: [queryKey],
  });
}

/** @param testAfter - Awaits a test that is newer than this delivery, which is listed some time after the call. */
export function useDeliveries(id: number, testAfter?: number) {
  return useQuery({
    queryKey: queryKeys.channels.deliveries(id),
    queryFn: async ({ signal }) =>
      (await callApi(channelDeliveriesEndpoint, { params: { id: String(id) }, signal })).objList,
    refetchInterval: ({ state }) =>
      state.data?.some(isFirstAttempt) === true ||
      (testAfter !== undefined && findTest(state.data, testAfter) === undefined)
        ? pendingIntervalMs
        : idleIntervalMs,
    refetchIntervalInBackground: false,
  });
}

export const findTest = (deliveries: readonly ChannelDelivery[] | undefined, after: number) =>
  deliveries?.find(({ id, type }) => type === channelTestType && id > after);

/** True until the first attempt has ended. */
const isFirstAttempt = ({ state, attempts, lastError }: ChannelDelivery) =>
  state === 'queued' && (attempts === 0 || lastError === '');
