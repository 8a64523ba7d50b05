/** Routes of the channels. */
import { createHmac } from 'node:crypto';
import {
  type Channel,
  changeChannelEndpoint,
  channelDeliveriesEndpoint,
  channelsEndpoint,
  createChannelEndpoint,
  deleteChannelEndpoint,
  formerSecretHours,
  maxChannels,
  type NewChannel,
  redeliverEndpoint,
  rotateSecretEndpoint,
  testChannelEndpoint,
} from '@patch/contract/operations/channel-endpoints.ts';
import { channelTestType } from '@patch/contract/operations/event-endpoints.ts';
import type { Database, Queryable } from '../database/database.ts';
import { AppError } from '../errors/app-error.ts';
import { addEvent } from '../events/event-store.ts';
import { requireUser } from '../http/require-user.ts';
import type { RouteRegistrar } from '../http/route.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { findAddressProblem, newWebhookSecret, redactAddress } from './channel-message.ts';
import {
  abandonDeliveries,
  addChannel,
  changeChannel,
  countChannels,
  deleteChannel,
  lockChannel,
  readChannel,
  readChannels,
  readDeliveries,
  requeueDelivery,
  type StoredChannel,
  toChannel,
  writeSecret,
} from './channel-store.ts';
import type { ChannelTargets } from './channel-targets.ts';

export interface ChannelRoutes {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: () => number;
  readonly targets: ChannelTargets;
  /** Called when a delivery waits. */
  readonly onMail: () => void;
}

export function channelRoutes(route: RouteRegistrar, parts: ChannelRoutes): void {
  const { database, box, clock, targets } = parts;

  route(channelsEndpoint, async () => {
    const objList = (await readChannels(database)).map((channel) => toChannel(channel, clock()));
    return { objList, totalCount: objList.length };
  });

  route(createChannelEndpoint, async ({ body, changed, ...request }) => {
    const owner = requireUser(request);
    const url = readAddress(body, targets);
    const secret = body.kind === 'webhook' ? newWebhookSecret() : body.token || null;
    const channel = await database.transaction(async (tx) => {
      if ((await countChannels(tx)) >= maxChannels)
        throw new AppError(
          'too_many_channels',
          `There are ${maxChannels} channels already. Remove one first.`,
        );
      const id = await addChannel(
        tx,
        {
          kind: body.kind,
          name: body.name,
          ownerId: owner.id,
          shownAddress: redactAddress({ kind: body.kind, address: url }),
          sealedAddress: box.seal(url.href),
          addressHash: createHmac('sha256', box.keyFor('channel address'))
            .update(url.href)
            .digest('hex'),
          sealedSecret: secret === null ? null : box.seal(secret),
          types: body.types,
        },
        clock(),
      );
      if (id === null)
        throw new AppError('name_taken', 'Another channel has this name or this address.');
      return toChannel(await findChannel(tx, id), clock());
    });
    changed({ subject: toSubject(channel), after: channel });
    return { channel, secret: body.kind === 'webhook' ? secret : null };
  });

  route(changeChannelEndpoint, async ({ body, params, changed }) => {
    const { before, after } = await database.transaction(async (tx) => {
      const stored = await lockOrThrow(tx, params.id);
      const { name = stored.name, types = stored.types, enabled = stored.enabled } = body;
      if (!(await changeChannel(tx, { id: stored.id, name, types, enabled }, clock())))
        throw new AppError('name_taken', 'Another channel has this name.');
      if (!enabled) await abandonDeliveries(tx, stored.id, clock());
      return {
        before: toChannel(stored, clock()),
        after: toChannel(await findChannel(tx, stored.id), clock()),
      };
    });
    changed({ subject: toSubject(before), before, after });
    return after;
  });

  route(deleteChannelEndpoint, async ({ params, changed }) => {
    const before = await database.transaction(async (tx) => {
      const stored = await lockOrThrow(tx, params.id);
      await deleteChannel(tx, stored.id);
      return toChannel(stored, clock());
    });
    changed({ subject: toSubject(before), before });
    return { message: `The channel '${before.name}' has been removed.` };
  });

  deliveryRoutes(route, parts);
}

/** The routes of secrets and deliveries. */
function deliveryRoutes(
  route: RouteRegistrar,
  { database, box, clock, onMail }: ChannelRoutes,
): void {
  route(rotateSecretEndpoint, async ({ params, changed }) => {
    const secret = newWebhookSecret();
    const channel = await database.transaction(async (tx) => {
      const { id, kind } = await lockOrThrow(tx, params.id);
      if (kind !== 'webhook')
        throw new AppError('no_channel_secret', 'Only webhooks have a secret that signs.');
      const formerUntil = clock() + formerSecretHours * 3_600_000;
      await writeSecret(tx, id, { sealed: box.seal(secret), formerUntil });
      return toChannel(await findChannel(tx, id), clock());
    });
    changed({ subject: `secret of ${toSubject(channel)}`, after: channel });
    return { channel, secret };
  });

  route(testChannelEndpoint, async ({ params, changed }) => {
    const { id, name } = await findEnabled(database, params.id);
    await addEvent(
      database,
      {
        type: channelTestType,
        title: `This is a test of the channel '${name}'`,
        path: '/patch-repository/configuration',
        subject: { channelId: id },
        items: [],
        totalCount: 0,
        channels: [id],
      },
      clock(),
    );
    changed({ subject: `test of channel ${name}` });
    onMail();
    return { message: 'The test event is being sent. The deliveries show the outcome.' };
  });

  route(channelDeliveriesEndpoint, async ({ params }) => {
    const { id } = await findChannel(database, params.id);
    const objList = [...(await readDeliveries(database, id))];
    return { objList, totalCount: objList.length };
  });

  route(redeliverEndpoint, async ({ params, changed }) => {
    const { id, name } = await findEnabled(database, params.id);
    const queued = { channelId: id, delivery: params.delivery, now: clock() };
    if (!(await requeueDelivery(database, queued)))
      throw new AppError(
        'no_such_delivery',
        'The delivery does not exist, or is waiting to be sent already.',
      );
    changed({ subject: `delivery ${params.delivery} of channel ${name}` });
    onMail();
    return { message: 'The event is being sent again.' };
  });
}

/** @throws AppError `channel_target` or `token_needed`. */
function readAddress({ kind, secretAddress, token }: NewChannel, targets: ChannelTargets): URL {
  const url = URL.parse(secretAddress);
  if (url === null)
    throw new AppError(
      'channel_target',
      'The address must be complete: https://chat.example.org/hooks/….',
    );
  const problem = targets.checkUrl(url) ?? findAddressProblem(kind, url);
  if (problem !== null) throw new AppError('channel_target', problem);
  if (kind === 'gotify' && token === '')
    throw new AppError('secret_needed', 'Gotify needs the token of an application.');
  if (kind !== 'gotify' && kind !== 'ntfy' && token !== '')
    throw new AppError('channel_target', 'Only ntfy and Gotify have a token.');
  return url;
}

const toSubject = ({ name }: Pick<Channel, 'name'>) => `channel ${name}`;

const noSuchChannel = () => new AppError('no_such_channel', 'The channel does not exist.');

async function findChannel(database: Queryable, id: number): Promise<StoredChannel> {
  const found = await readChannel(database, id);
  if (found === null) throw noSuchChannel();
  return found;
}

async function lockOrThrow(tx: Queryable, id: number): Promise<StoredChannel> {
  const found = await lockChannel(tx, id);
  if (found === null) throw noSuchChannel();
  return found;
}

async function findEnabled(database: Queryable, id: number): Promise<StoredChannel> {
  const found = await findChannel(database, id);
  if (!found.enabled)
    throw new AppError('channel_off', 'The channel is switched off. Switch it on first.');
  return found;
}
