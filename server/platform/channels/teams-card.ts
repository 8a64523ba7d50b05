/** Writes an event as an Adaptive Card, as a workflow of Teams takes it. */
import type { CatalogueEvent } from '@patch/contract/event-endpoints.ts';
import { cutText, trimItems } from './trim-items.ts';

/** Teams accepts 28 KB for the complete message. */
const maxBytes = 28_000;
const maxItems = 50;

/** Codes with which Power Automate refuses a request that triggers a workflow. */
export const teamsErrors = [
  'DirectApiAuthorizationRequired',
  'TriggerInputSchemaMismatch',
  'WorkflowNotFound',
  'WorkflowTriggerIsNotEnabled',
];

export function teamsMessage(event: CatalogueEvent): string {
  return trimItems(event, { maxBytes, maxItems }, (items, more) =>
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
