/** Composes the event about a view's new records. */
import type { AlertItem } from '@patch/contract/alert-endpoints.ts';
import type { NewEvent } from '../../platform/events/event-store.ts';
import { type AlertContent, countWords, listPath, viewPath } from './alert-mail.ts';

/** Only the owner of the alert may read the event: the view may be theirs alone. */
export function composeAlertEvent(
  content: AlertContent,
  userId: number,
  channels: readonly number[],
): NewEvent {
  const { list, view, search, risk } = content;
  const toItem = ({ id, name, about }: AlertItem) => ({
    name,
    about,
    path: `${listPath(list)}/record/${id}`,
  });
  const parts = [content, ...risk];
  return {
    type: 'view.records',
    title: `${countWords(content)} in '${view.name}'`,
    path: viewPath(list, view.id, search),
    subject: { viewId: view.id, view: view.name, list: list.key },
    items: parts.flatMap(({ records }) => records.map(toItem)),
    totalCount: parts.reduce((sum, { updateCount }) => sum + updateCount, 0),
    userId,
    channels,
  };
}
