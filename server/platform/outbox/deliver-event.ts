/** Delivers an event to its channel and notes the outcome. */

import { channelTestType } from '@patch/contract/operations/event-endpoints.ts';
import { type ChannelAccess, channelMessage } from '../channels/channel-message.ts';
import { abandonDeliveries, readChannel, type StoredChannel } from '../channels/channel-store.ts';
import {
  DeliveryError,
  describeError,
  type PostParts,
  postGuarded,
} from '../channels/guarded-post.ts';
import type { Database } from '../database/database.ts';
import { toCatalogueEvent } from '../events/event-store.ts';
import { oneLine } from '../mail/mail-error.ts';
import { addMail } from '../mail/mail-outbox-store.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import {
  longestPauseMs,
  noteFailed,
  noteSent,
  type ReleasedChannel,
  readOwnerAddresses,
  releaseChannel,
  switchOff,
  type TakenDelivery,
} from './outbox-store.ts';

export interface DeliveryParts extends PostParts {
  readonly database: Database;
  readonly box: Pick<SecretBox, 'open'>;
  readonly clock: () => number;
  /** The address of the console; null while unknown. */
  readonly baseUrl: string | null;
}

/** A channel whose deliveries have failed for so long is switched off. */
const longestFailureMs = 7 * 24 * 3_600_000;

/**
 * Returns why it failed; empty when it was delivered.
 * @param nextDelayMs - Milliseconds until the next attempt; null: this one is the last.
 */
export async function deliverEvent(
  taken: TakenDelivery,
  nextDelayMs: number | null,
  parts: DeliveryParts,
): Promise<string> {
  const { database, clock, box, baseUrl } = parts;
  const failure = await attempt();
  const now = clock();
  const pauseMs = Math.min(failure?.pauseMs ?? 0, longestPauseMs);
  const problem = failure === null ? '' : oneLine(describeFailure(failure, pauseMs));
  await database.transaction(async (tx) => {
    const delay = taken.type === channelTestType ? null : nextDelayMs;
    const next = delay === null ? null : now + Math.max(delay, pauseMs);
    if (failure === null) await noteSent(tx, taken.id, now);
    else await noteFailed(tx, taken.id, problem, next, now);
    const pausedUntil = pauseMs === 0 ? 0 : now + pauseMs;
    const channel = await releaseChannel(tx, taken.channelId, { problem, pausedUntil, now });
    if (failure === null || channel?.enabled !== true) return;
    const why = reasonToSwitchOff(channel, failure, problem, now);
    if (why === null) return;
    await switchOff(tx, channel.id, why);
    await abandonDeliveries(tx, channel.id, now);
    for (const recipient of await readOwnerAddresses(tx, channel.ownerId))
      await addMail(tx, { recipient, ...composeMail(channel, why) }, now);
  });
  return problem;

  async function attempt(): Promise<DeliveryError | null> {
    try {
      const channel = await readChannel(database, taken.channelId);
      if (channel === null) return null;
      const event = toCatalogueEvent(taken, baseUrl);
      await postGuarded(channelMessage(openChannel(channel, box, clock()), event, clock()), parts);
      return null;
    } catch (error) {
      if (error instanceof DeliveryError) return error;
      return new DeliveryError(`The delivery failed in this service: ${describeError(error)}.`);
    }
  }
}

/** @throws DeliveryError when the address or a secret was sealed with another key. */
function openChannel(
  channel: StoredChannel,
  { open }: Pick<SecretBox, 'open'>,
  now: number,
): ChannelAccess {
  const { kind, sealedAddress, sealedSecret, sealedFormerSecret, formerUntil } = channel;
  const isRotating = formerUntil !== null && formerUntil > now;
  const opened = [sealedAddress, sealedSecret, isRotating ? sealedFormerSecret : null]
    .filter((sealed) => sealed !== null)
    .map((sealed) => open(sealed));
  const [address, ...secrets] = opened.filter((text) => text !== null);
  if (address === undefined || secrets.length < opened.length - 1)
    throw new DeliveryError(
      'The address cannot be read: the secret key has changed. Remove the channel and add it again.',
    );
  return { kind, address: new URL(address), secrets };
}

/** Whole minutes, so that the number is not one of the receiver's. */
function describeFailure({ message }: DeliveryError, pauseMs: number): string {
  if (pauseMs === 0) return message;
  const minutes = Math.ceil(pauseMs / 60_000);
  return `${message}. It asks to wait; nothing is sent to it for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
}

function reasonToSwitchOff(
  { failingSince }: ReleasedChannel,
  { isGone }: DeliveryError,
  problem: string,
  now: number,
): string | null {
  if (isGone) return 'The receiver said that the address has ended (410).';
  if (failingSince !== null && now - failingSince >= longestFailureMs)
    return `All deliveries of a week failed. The last one: ${problem}`;
  return null;
}

function composeMail({ name }: ReleasedChannel, why: string) {
  return {
    kind: 'Channel',
    subject: oneLine(`The channel '${name}' was switched off`),
    body: `The channel '${name}' was switched off. ${why}\n\nEvents are not sent there any more. Switch it on again under Configuration, Channels, and send what it has missed until now again from its deliveries. What happens until then is not sent to it.\n`,
  };
}
