/** The user at the screen: clicks, types and presses keys with all events that a browser sends. */
import { act } from '@testing-library/react';
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event';

/** Each test gets a new one, without pressed keys or a pointer position. */
export let person: UserEvent = newPerson();
export function replacePerson(): void {
  person = newPerson();
}

function newPerson(): UserEvent {
  return userEvent.setup({
    // Nothing is drawn here, and computing the style of each ancestor takes seconds with antd's sheets.
    pointerEventsCheck: PointerEventsCheckLevel.Never,
    delay: null,
  });
}

/** Replaces the value of a field. An empty text clears it. */
export async function fillIn(field: Element, text: string): Promise<void> {
  await empty(field);
  if (text !== '') await person.type(field, text.replaceAll(/[{[]/g, '$&$&'), { skipClick: true });
}

/** Replaces the value of a field at once, as when pasted. */
export async function pasteInto(field: Element, text: string): Promise<void> {
  await empty(field);
  await person.paste(text);
}

/** The click gives the focus to fields that are read-only without it. */
async function empty(field: Element): Promise<void> {
  if (document.activeElement !== field) await person.click(field);
  await person.clear(field);
}

/** Presses a key, in the notation of `KeyboardEvent.key`, at the focus or on the given element. */
export async function pressKey(key: string, on?: HTMLElement): Promise<void> {
  if (on !== undefined && document.activeElement !== on) act(() => on.focus());
  await person.keyboard(key.length === 1 ? key.replaceAll(/[{[]/g, '$&$&') : `{${key}}`);
}
