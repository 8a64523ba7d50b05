/** The person at the screen: clicks, types and presses keys with every event that a browser sends for it. */
import { act } from '@testing-library/react';
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event';

/** Another one for each test: no key stays pressed, and the pointer is nowhere. */
export let person: UserEvent = newPerson();
export function replacePerson(): void {
  person = newPerson();
}

function newPerson(): UserEvent {
  return userEvent.setup({
    // Nothing is drawn here, and asking each ancestor for its style takes seconds with antd's sheets.
    pointerEventsCheck: PointerEventsCheckLevel.Never,
    delay: null,
  });
}

/** Replaces what a field holds by the text; an empty one clears it. */
export async function fillIn(field: Element, text: string): Promise<void> {
  await empty(field);
  if (text !== '') await person.type(field, text.replaceAll(/[{[]/g, '$&$&'), { skipClick: true });
}

/** Puts the text in a field at once, as from the clipboard; what the field holds is replaced. */
export async function pasteInto(field: Element, text: string): Promise<void> {
  await empty(field);
  await person.paste(text);
}

/** Some fields are read-only until they have the focus. */
async function empty(field: Element): Promise<void> {
  if (document.activeElement !== field) await person.click(field);
  await person.clear(field);
}

/** Presses a key, named as `KeyboardEvent.key` has it, where the focus is or, where one is given, on that element. */
export async function pressKey(key: string, on?: HTMLElement): Promise<void> {
  if (on !== undefined && document.activeElement !== on) act(() => on.focus());
  await person.keyboard(key.length === 1 ? key.replaceAll(/[{[]/g, '$&$&') : `{${key}}`);
}
