/** Writes an event as a message for an incoming webhook of Slack. */
import type { CatalogueEvent } from '@patch/contract/event-endpoints.ts';
import { cutText, trimItems } from './trim-items.ts';

/** Slack accepts 3,000 characters in the text of a section, and 50 sections. */
const maxSection = 3000;
const maxItems = 40;
const maxBytes = 100_000;

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
  return trimItems(event, { maxBytes, maxItems }, (items, more) =>
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
