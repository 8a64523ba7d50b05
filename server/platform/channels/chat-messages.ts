/** Writes an event as a message for Slack, as a card of Teams, and as a notification of ntfy and Gotify. */
import type { CatalogueEvent } from '@patch/contract/operations/event-endpoints.ts';

/** Slack accepts 3,000 characters in the text of a section, and 50 sections. */
const maxSection = 3000;
const slackLimits = { maxBytes: 100_000, maxItems: 40 };

/** @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slackErrors = [
  'action_prohibited',
  'channel_is_archived',
  'channel_not_found',
  'invalid_payload',
  'invalid_token',
  'no_active_hooks',
  'no_service',
  'no_service_id',
  'no_team',
  'no_text',
  'posting_to_general_channel_denied',
  'team_disabled',
  'too_many_attachments',
  'user_not_found',
];

export function slackMessage(event: CatalogueEvent): string {
  const { title, url } = event.data;
  const heading = `*${linked(cutText(title, 500), url)}*`;
  return trimItems(event, slackLimits, (items, more) =>
    JSON.stringify({
      text: escapeText(cutText(title, 500)),
      blocks: [
        toSection(heading),
        ...items.map((item) => {
          const about = item.about === '' ? '' : `\n${escapeText(cutText(item.about, 400))}`;
          return toSection(`${linked(cutText(item.name, 200), item.url)}${about}`);
        }),
        ...(more > 0 ? [toSection(`and ${more} more`)] : []),
      ],
      unfurl_links: false,
    }),
  );
}

const toSection = (text: string) => ({
  type: 'section',
  text: {
    type: 'mrkdwn',
    text: text.length > maxSection ? text.slice(0, maxSection) : text,
    verbatim: true,
  },
});

/** Escapes what Slack reads as a link or a mention. */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A vertical line would end the address. */
const linked = (text: string, url: string | null): string =>
  url === null || url.length > 1500
    ? escapeText(text)
    : `<${escapeText(url).replaceAll('|', '%7C')}|${escapeText(text).replaceAll('|', '¦')}>`;

/** Teams accepts 28 KB for the complete message. */
const teamsLimits = { maxBytes: 28_000, maxItems: 50 };

/** Codes with which Power Automate refuses a request that triggers a workflow. */
export const teamsErrors = [
  'DirectApiAuthorizationRequired',
  'TriggerInputSchemaMismatch',
  'WorkflowNotFound',
  'WorkflowTriggerIsNotEnabled',
];

export function teamsMessage(event: CatalogueEvent): string {
  return trimItems(event, teamsLimits, (items, more) =>
    JSON.stringify({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: toCard(event, items, more),
        },
      ],
    }),
  );
}

/** Texts of vendors are in text runs, which read no Markdown. */
function toCard(
  { data: { title, url } }: CatalogueEvent,
  items: CatalogueEvent['data']['items'],
  more: number,
): object {
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      toLine([{ text: cutText(title, 500), weight: 'Bolder', size: 'Medium' }]),
      ...items.map((item) =>
        toLine([
          {
            text: cutText(item.name, 200),
            ...(item.url !== null && { selectAction: { type: 'Action.OpenUrl', url: item.url } }),
          },
          ...(item.about === '' ? [] : [{ text: ` ${cutText(item.about, 500)}`, isSubtle: true }]),
        ]),
      ),
      ...(more > 0 ? [toLine([{ text: `and ${more} more`, isSubtle: true }])] : []),
    ],
    ...(url !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url }] }),
  };
}

const toLine = (runs: readonly object[]) => ({
  type: 'RichTextBlock',
  inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
});

/** ntfy makes an attachment of a message with more than 4,096 bytes. */
const pushLimits = { maxBytes: 4000, maxItems: 30 };

function plainMessage(event: CatalogueEvent): string {
  const text = trimItems(event, pushLimits, (items, more) =>
    [
      ...items.map(({ name, about }) => cutText(about === '' ? name : `${name}: ${about}`, 400)),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join('\n'),
  );
  return text === '' ? event.data.title : text;
}

export const ntfyMessage = (event: CatalogueEvent, topic: string): string =>
  JSON.stringify({
    topic,
    title: cutText(event.data.title, 250),
    message: plainMessage(event),
    ...(event.data.url !== null && { click: event.data.url }),
  });

export const gotifyMessage = (event: CatalogueEvent): string =>
  JSON.stringify({
    title: cutText(event.data.title, 250),
    message: plainMessage(event),
    priority: 5,
    ...(event.data.url !== null && {
      extras: { 'client::notification': { click: { url: event.data.url } } },
    }),
  });

/**
 * Returns the message with the most items, at most `maxItems`, that has at most `maxBytes`.
 * @param build - Builds the message of the shown items, and says how many more there are.
 */
function trimItems(
  { data: { items, totalCount } }: CatalogueEvent,
  { maxBytes, maxItems }: { readonly maxBytes: number; readonly maxItems: number },
  build: (shown: CatalogueEvent['data']['items'], more: number) => string,
): string {
  for (let count = Math.min(items.length, maxItems); ; count -= 1) {
    const text = build(items.slice(0, count), totalCount - count);
    if (count === 0 || Buffer.byteLength(text) <= maxBytes) return text;
  }
}

/** Returns the first characters of a text, with an ellipsis when there are more. */
const cutText = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1).toWellFormed()}…` : text;
