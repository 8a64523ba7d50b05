/** The app with a receiver of channels on loopback and a sender, both on one clock that tests set. */
import type { EventType } from '@patch/contract/operations/event-endpoints.ts';
import { afterEach, beforeEach } from 'vitest';
import { describeApp, type SignInApp } from '../../../identity/sign-in/testing/sign-in-app.ts';
import { addEvent } from '../../events/event-store.ts';
import { type OutboxSender, type OutboxSenderParts, startOutboxSender } from '../outbox-sender.ts';
import { Receiver } from './receiver.ts';

/** The type of the events that happen here, to which channels subscribe. */
export const testedType: EventType = 'source.failed';

interface LoggedDelivery {
  readonly id: number;
  readonly state: string;
  readonly attempts: number;
  readonly lastError: string;
  readonly eventId: string;
  readonly type: string;
}

export class ChannelService {
  readonly app: SignInApp;
  readonly #began: number;
  receiver!: Receiver;
  sender!: OutboxSender;

  constructor(app: SignInApp) {
    this.app = app;
    this.#began = app.now;
  }

  async begin(): Promise<void> {
    const { database } = this.app;
    this.app.now = this.#began;
    await database.script('delete from channel; delete from event; delete from outbox');
    this.receiver = new Receiver();
    await this.receiver.start();
    this.sender = this.startSender();
  }

  async end(): Promise<void> {
    await this.sender.stop();
    await this.receiver.stop();
  }

  startSender(more: Partial<OutboxSenderParts> = {}): OutboxSender {
    const { database, box, app } = this.app;
    return startOutboxSender({
      database,
      box,
      log: app.log as never,
      clock: () => this.app.now,
      channelTargets: ['127.0.0.1'],
      baseUrl: { configured: 'https://patch.example.org', fallback: () => null },
      post: { timeoutMs: 400 },
      ...more,
    });
  }

  async create(more: object = {}): Promise<{ readonly id: number; readonly secret: string }> {
    const body = {
      kind: 'webhook',
      name: 'Hook',
      secretAddress: this.receiver.address(),
      types: [testedType],
      ...more,
    };
    const { status, json } = await this.app.operator.post('/channels', body);
    if (status !== 201) throw new Error(`The channel was not created: ${JSON.stringify(json)}`);
    const { channel, secret } = json as { channel: { id: number }; secret: string };
    return { id: channel.id, secret };
  }

  happen(title = 'AlmaLinux could not be synced'): Promise<void> {
    return addEvent(
      this.app.database,
      {
        type: testedType,
        title,
        path: '/patch-repository/sync',
        subject: { source: 'almaLinux' },
        items: [{ name: 'AlmaLinux', about: 'Not fetched', path: null }],
        totalCount: 1,
      },
      this.app.now,
    );
  }

  async deliveries(id: number): Promise<readonly LoggedDelivery[]> {
    const { list } = this.app.operator.get(`/channels/${id}/deliveries`);
    return (await list) as unknown as readonly LoggedDelivery[];
  }

  /** Returns the first channel. */
  async channel() {
    const list = (await this.app.operator.get('/channels').list) as unknown as readonly {
      readonly enabled: boolean;
      readonly problem: string;
    }[];
    return list[0];
  }

  /** Returns why a new event could not be delivered; empty when it could. */
  async problem(id: number): Promise<string | undefined> {
    await this.happen();
    await this.sender.sendDue();
    return (await this.deliveries(id))[0]?.lastError;
  }
}

export function describeChannels(name: string, tests: (service: ChannelService) => void): void {
  describeApp(name, (app) => {
    const service = new ChannelService(app);
    beforeEach(() => service.begin());
    afterEach(() => service.end());
    tests(service);
  });
}
