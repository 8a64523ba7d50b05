/** Writes an event as a notification of ntfy and Gotify. */
import type { CatalogueEvent } from '@patch/contract/event-endpoints.ts';
import { cutText, trimItems } from './trim-items.ts';

/** ntfy makes an attachment of a message with more than 4,096 bytes. */
const limits = { maxBytes: 4000, maxItems: 30 };

function plainMessage(event: CatalogueEvent): string {
  const text = trimItems(event, limits, (items, more) =>
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
