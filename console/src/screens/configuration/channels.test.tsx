import {
  type Channel,
  type ChannelDelivery,
  changeChannelEndpoint,
  channelDeliveriesEndpoint,
  channelsEndpoint,
  createChannelEndpoint,
  deleteChannelEndpoint,
  redeliverEndpoint,
  rotateSecretEndpoint,
  testChannelEndpoint,
} from '@patch/contract/operations/channel-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refusal, reply, sentCalls } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { Channels } from './channels.tsx';

const channel = (more: Partial<Channel> = {}): Channel => ({
  id: 3,
  kind: 'webhook',
  name: 'Tickets',
  address: 'https://tickets.example.org/…',
  types: ['source.failed'],
  enabled: true,
  problem: '',
  failingSince: null,
  deliveredAt: 1,
  formerSecretUntil: null,
  ...more,
});
const delivery = (id: number, more: Partial<ChannelDelivery> = {}): ChannelDelivery => ({
  id,
  eventId: `event-${id}`,
  type: 'source.failed',
  title: 'AlmaLinux could not be synced',
  state: 'sent',
  attempts: 1,
  lastError: '',
  queuedAt: 1,
  endedAt: 2,
  ...more,
});
const newSecret = 'whsec_bmV3';

async function render({
  channels = [channel()],
  deliveries = [],
  testEnds = { state: 'sent' },
  created = reply(createChannelEndpoint, { channel: channel(), secret: newSecret }),
}: {
  readonly channels?: readonly Channel[];
  readonly deliveries?: readonly ChannelDelivery[];
  /** The delivery that a test makes. */
  readonly testEnds?: Partial<ChannelDelivery>;
  readonly created?: ReturnType<typeof reply>;
} = {}) {
  let current = [...channels];
  let log = [...deliveries];
  /** The next states of the log, one for each reading. */
  const states: ChannelDelivery[][] = [];
  await renderInApp(<Channels />, {
    session: {},
    replies: [
      created,
      reply(channelsEndpoint, () => ({ objList: current, totalCount: current.length })),
      reply(channelDeliveriesEndpoint, () => {
        const shown = { objList: log, totalCount: log.length };
        log = states.shift() ?? log;
        return shown;
      }),
      reply(changeChannelEndpoint, ({ body }) => {
        current = current.map((each) => ({ ...each, ...(body as Partial<Channel>) }));
        return current[0] ?? channel();
      }),
      reply(deleteChannelEndpoint, () => {
        current = [];
        return { message: "The channel 'Tickets' has been removed." };
      }),
      reply(testChannelEndpoint, () => {
        const made = { type: 'channel.test', title: 'This is a test' };
        // The delivery is listed some time after the call, and in flight at first.
        states.push(
          [delivery(99, { ...made, state: 'queued' }), ...log],
          [delivery(99, { ...made, ...testEnds }), ...log],
        );
        return { message: 'The test event is being sent.' };
      }),
      reply(redeliverEndpoint, { message: 'The event is being sent again.' }),
      reply(rotateSecretEndpoint, { channel: channel(), secret: newSecret }),
    ],
  });
}
async function openDrawer(name = 'Tickets') {
  await person.click(await screen.findByRole('button', { name: `Open the channel ${name}` }));
  return within(await screen.findByRole('dialog', {}, { timeout: 10_000 }));
}
const sent = (method: string) =>
  sentCalls()
    .filter((call) => call.method === method)
    .map(({ path, body }) => [path, body]);

test('says what each channel is, when it last delivered, and why it does not', async () => {
  await render({
    channels: [
      channel(),
      channel({
        id: 4,
        kind: 'teams',
        name: 'Team',
        enabled: false,
        problem: 'The receiver replied 410.',
        deliveredAt: null,
      }),
      channel({ id: 5, name: 'Hook', failingSince: 1, problem: 'Not found.' }),
    ],
  });
  const rows = within(await screen.findByRole('list', { name: 'Channels' })).getAllByRole(
    'listitem',
  );
  const texts = rows.map(({ textContent }) => textContent ?? '');
  expect(texts[0]).toMatch(/^Tickets Webhookhttps:\/\/tickets\.example\.org\/…last delivered/);
  expect(texts[1]).toContain('TeamsSwitched off: The receiver replied 410.'.slice(5));
  expect(texts[1]).toContain('nothing delivered yet');
  expect(texts[2]).toMatch(/Fails since .*: Not found\./);
});

test('adds a webhook and shows its secret once', async () => {
  await render({ channels: [] });
  expect(await screen.findByText('No channels yet.')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Add channel…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New channel' }));
  await fillIn(dialog.getByLabelText('Name'), 'Tickets');
  await fillIn(dialog.getByLabelText('Address'), 'https://tickets.example.org/hook');
  await person.click(dialog.getByLabelText('A source falls silent'));
  await person.click(dialog.getByRole('button', { name: 'Add channel' }));
  expect(await screen.findByText(newSecret)).toBeTruthy();
  expect(sent('POST')).toEqual([
    [
      '/channels',
      {
        kind: 'webhook',
        name: 'Tickets',
        secretAddress: 'https://tickets.example.org/hook',
        token: '',
        types: ['source.silent'],
      },
    ],
  ]);
  await person.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText(newSecret)).toBeNull());
});

test('requires the token of Gotify, and shows a refused address at its field', async () => {
  const words = '10.0.0.1 is an address of a private network.';
  await render({
    channels: [],
    created: reply(createChannelEndpoint, () =>
      refusal(422, { code: 'channel_target', userMessage: words }),
    ),
  });
  await person.click(await screen.findByRole('button', { name: 'Add channel…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New channel' }));
  await person.click(dialog.getByRole('combobox', { name: 'Receiver' }));
  await person.click(await screen.findByTitle('Gotify'));
  await fillIn(dialog.getByLabelText('Name'), 'Phone');
  await fillIn(dialog.getByLabelText('Address'), 'https://10.0.0.1');
  await person.click(dialog.getByRole('button', { name: 'Add channel' }));
  expect(await dialog.findByText('Token of the application field is required')).toBeTruthy();
  expect(sent('POST')).toEqual([]);
  await fillIn(dialog.getByLabelText('Token of the application'), 'abc');
  await person.click(dialog.getByRole('button', { name: 'Add channel' }));
  expect(await dialog.findByText(words)).toBeTruthy();
  expect(sent('POST')).toMatchObject([['/channels', { kind: 'gotify', token: 'abc' }]]);
});

test.each([
  ['accepted', { state: 'sent' }, 'The receiver accepted the test.'],
  ['failed', { state: 'failed', lastError: 'The receiver replied 500: no' }, 'replied 500: no'],
] as const)('says when a test %s', async (_, testEnds, words) => {
  await render({ testEnds, deliveries: [delivery(7)] });
  const drawer = await openDrawer();
  await drawer.findByText('AlmaLinux could not be synced');
  await person.click(drawer.getByRole('button', { name: 'Send test' }));
  expect((await drawer.findByRole('alert')).textContent).toContain(words);
  expect(sent('POST')).toEqual([['/channels/3/test', null]]);
});

test('lists deliveries with their errors, and sends one again', async () => {
  await render({
    deliveries: [
      delivery(8, { state: 'queued', title: 'Debian fell silent', attempts: 2, lastError: 'Slow' }),
      delivery(7, { state: 'failed', attempts: 8, lastError: 'The receiver replied 500' }),
    ],
  });
  const drawer = await openDrawer();
  const deliveries = within(await drawer.findByRole('region', { name: 'Deliveries' }));
  await waitFor(() =>
    expect(deliveries.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^WaitingDebian fell silentTried 2 times: Slow/),
      expect.stringMatching(/^Given upAlmaLinux .*Tried 8 times: The receiver replied 500/),
    ]),
  );
  // The waiting one is sent anyway.
  await person.click(deliveries.getByRole('button', { name: /^Send again/ }));
  expect(await screen.findByText('The event is being sent again.')).toBeTruthy();
  expect(sent('POST')).toEqual([['/channels/3/deliveries/7/redeliver', null]]);
});

test('replaces the secret after a confirmation, and shows the new one once', async () => {
  await render({ channels: [channel({ formerSecretUntil: Date.UTC(2026, 10, 27) })] });
  const drawer = await openDrawer();
  const secret = within(drawer.getByRole('region', { name: 'Secret' }));
  expect(secret.getByText(/^The former secret signs too until/)).toBeTruthy();
  await person.click(secret.getByRole('button', { name: 'Replace secret…' }));
  expect(sent('POST')).toEqual([]);
  await person.click(await screen.findByRole('button', { name: 'Replace' }));
  expect(await secret.findByText(newSecret)).toBeTruthy();
});

test('offers no secret to replace unless it is a webhook', async () => {
  await render({ channels: [channel({ kind: 'slack' })] });
  const drawer = await openDrawer();
  expect(await drawer.findByRole('region', { name: 'Settings' })).toBeTruthy();
  expect(drawer.queryByRole('region', { name: 'Secret' })).toBeNull();
});

test('renames a channel, changes its events, and switches it on again', async () => {
  await render({ channels: [channel({ enabled: false, problem: 'The receiver replied 410.' })] });
  const drawer = await openDrawer();
  expect(drawer.getByRole<HTMLButtonElement>('button', { name: 'Send test' }).disabled).toBe(true);
  await fillIn(drawer.getByLabelText('Name'), 'Service desk');
  await person.click(drawer.getByLabelText('The licence of a client ends'));
  await person.click(drawer.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent('PUT')).toEqual([
      ['/channels/3', { name: 'Service desk', types: ['source.failed', 'licence.ended'] }],
    ]),
  );
  await person.click(drawer.getByRole('button', { name: 'Switch on' }));
  await waitFor(() => expect(sent('PUT')[1]).toEqual(['/channels/3', { enabled: true }]));
  expect(await drawer.findByRole('button', { name: 'Switch off' })).toBeTruthy();
});

test('is removed after a confirmation', async () => {
  await render();
  const drawer = await openDrawer();
  await person.click(drawer.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Remove the channel Tickets?')).toBeTruthy();
  expect(sent('DELETE')).toEqual([]);
  await person.click(screen.getAllByRole('button', { name: 'Remove' }).at(-1) as HTMLElement);
  await waitFor(() => expect(sent('DELETE')).toEqual([['/channels/3', null]]));
  expect(await screen.findByText('No channels yet.')).toBeTruthy();
});
