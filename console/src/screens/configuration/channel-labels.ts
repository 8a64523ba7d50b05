/** Words for the kinds of channels, what their addresses are, and the events that they receive. */
import type { ChannelKind } from '@patch/contract/channel-endpoints.ts';
import type { EventType } from '@patch/contract/event-endpoints.ts';

export const kindLabels: Readonly<Record<ChannelKind, string>> = {
  webhook: 'Webhook',
  teams: 'Teams',
  slack: 'Slack',
  ntfy: 'ntfy',
  gotify: 'Gotify',
};

export const addressHints: Readonly<Record<ChannelKind, string>> = {
  webhook: 'Any https address. Deliveries are signed by Standard Webhooks.',
  teams: 'The address of the workflow “Send webhook alerts to a channel”.',
  slack: 'The address of the incoming webhook: https://hooks.slack.com/services/…',
  ntfy: 'The address of the topic: https://ntfy.example.org/topic',
  gotify: 'The address of the server.',
};

/** Labels of tokens, for the kinds that have one. */
export const tokenLabels: Readonly<Partial<Record<ChannelKind, string>>> = {
  ntfy: 'Access token, if the topic needs one',
  gotify: 'Token of the application',
};

export const eventLabels: Readonly<Record<Exclude<EventType, 'view.records'>, string>> = {
  'machine.critical': 'A machine begins to miss critical records',
  'vulnerability.exploited': 'A CVE of a record becomes known exploited',
  'source.failed': 'A sync fails, after one that did not',
  'source.silent': 'A source falls silent',
  'quarantine.pending': 'A sync quarantines changes, which wait for a decision',
  'licence.ended': 'The licence of a client ends',
};
