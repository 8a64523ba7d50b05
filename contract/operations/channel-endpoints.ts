/** Channels: addresses to which events are sent besides email. */
import { z } from 'zod';
import { IdParams, integerText, Message, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { eventTypes } from './event-endpoints.ts';

export const channelKinds = ['webhook', 'teams', 'slack', 'ntfy', 'gotify'] as const;
export type ChannelKind = (typeof channelKinds)[number];

export const maxChannels = 50;
/** A rotated secret signs beside the new one for these hours. */
export const formerSecretHours = 24;
/** Deliveries in the log of a channel. */
export const shownDeliveries = 50;

/** Types that a channel can subscribe to. Events of a view are sent to the channels that its alert names. */
export const subscribableTypes = eventTypes.filter((type) => type !== 'view.records');

const ChannelName = plainLine(100, 'Size of Name must be less than 100.');
const SubscribedTypes = z
  .array(z.enum(subscribableTypes as [string, ...string[]]))
  .max(subscribableTypes.length)
  .transform((chosen) => subscribableTypes.filter((type) => chosen.includes(type)));

export const Channel = z.object({
  id: z.number().int(),
  kind: z.enum(channelKinds),
  name: z.string(),
  address: z.string().describe('Without the parts that are secret'),
  types: z.array(z.string()),
  enabled: z.boolean(),
  problem: z
    .string()
    .describe('Why it was switched off, or why the last delivery failed; empty without a problem'),
  failingSince: z.number().nullable(),
  deliveredAt: z.number().nullable(),
  formerSecretUntil: z
    .number()
    .nullable()
    .describe('Until then the secret before the last rotation signs too'),
});
export type Channel = z.infer<typeof Channel>;

export const NewChannel = z.strictObject({
  kind: z.enum(channelKinds),
  name: ChannelName,
  secretAddress: z
    .string()
    .trim()
    .max(2000)
    .describe(
      'The http(s) address: of the webhook; of the workflow (Teams); of the incoming webhook (Slack); of the topic (ntfy); of the server (Gotify). Whoever has it can post there, so that the audit log omits it',
    ),
  token: z
    .string()
    .trim()
    .max(200)
    .regex(/^[\x21-\x7e]*$/, 'must be one word of ASCII characters')
    .default('')
    .describe('The access token of ntfy, if the topic needs one; the application token of Gotify'),
  types: SubscribedTypes,
});
export type NewChannel = z.infer<typeof NewChannel>;

export const ChannelChange = z.strictObject({
  name: ChannelName.optional(),
  types: SubscribedTypes.optional(),
  enabled: z.boolean().optional(),
});

const Secret = z
  .string()
  .nullable()
  .describe(
    'The secret that signs deliveries, `whsec_…`; returned only once, and by webhooks only',
  );

export const ChannelDelivery = z.object({
  id: z.number().int(),
  eventId: z.string(),
  type: z.string(),
  title: z.string(),
  state: z.enum(['queued', 'sent', 'failed']),
  attempts: z.number().int(),
  lastError: z.string(),
  queuedAt: z.number(),
  endedAt: z.number().nullable(),
});
export type ChannelDelivery = z.infer<typeof ChannelDelivery>;

const admins = { tag: 'Channels', access: 'admin', scope: 'manage' } as const;

export const channelsEndpoint = defineEndpoint({
  ...admins,
  name: 'channels',
  summary: 'All channels, by name',
  method: 'GET',
  path: '/channels',
  reply: z.object({ objList: z.array(Channel), totalCount: z.number().int() }),
});

export const createChannelEndpoint = defineEndpoint({
  ...admins,
  name: 'create_channel',
  summary: 'Create a channel; the secret of a webhook is returned only once',
  method: 'POST',
  path: '/channels',
  body: NewChannel,
  reply: z.object({ channel: Channel, secret: Secret }),
  status: 201,
});

export const changeChannelEndpoint = defineEndpoint({
  ...admins,
  name: 'change_channel',
  summary: 'Rename a channel, change its types of events, or switch it on or off',
  method: 'PUT',
  path: '/channels/{id}',
  params: IdParams,
  body: ChannelChange,
  reply: Channel,
});

export const deleteChannelEndpoint = defineEndpoint({
  ...admins,
  name: 'delete_channel',
  summary: 'Remove a channel with its deliveries',
  method: 'DELETE',
  path: '/channels/{id}',
  params: IdParams,
  reply: Message,
});

export const testChannelEndpoint = defineEndpoint({
  ...admins,
  name: 'test_channel',
  summary: 'Send a test event to a channel; its deliveries show the outcome',
  method: 'POST',
  path: '/channels/{id}/test',
  params: IdParams,
  reply: Message,
});

export const rotateSecretEndpoint = defineEndpoint({
  ...admins,
  name: 'rotate_channel_secret',
  summary: `Replace the secret of a webhook; both secrets sign for ${formerSecretHours} hours`,
  method: 'POST',
  path: '/channels/{id}/secret',
  params: IdParams,
  reply: z.object({ channel: Channel, secret: Secret }),
});

export const channelDeliveriesEndpoint = defineEndpoint({
  ...admins,
  name: 'channel_deliveries',
  summary: `The last ${shownDeliveries} deliveries of a channel, newest first`,
  method: 'GET',
  path: '/channels/{id}/deliveries',
  params: IdParams,
  reply: z.object({ objList: z.array(ChannelDelivery), totalCount: z.number().int() }),
});

export const redeliverEndpoint = defineEndpoint({
  ...admins,
  name: 'redeliver',
  summary: 'Send an event to a channel again, with the same event id',
  method: 'POST',
  path: '/channels/{id}/deliveries/{delivery}/redeliver',
  params: z.object({ id: integerText, delivery: integerText }),
  reply: Message,
});
