/**
 * The actions of the open page as commands: each button outside of rows and forms, and each entry of its menus. The button is
 * the only definition of an action, so that a new one is a command without being registered anywhere.
 */
import { menuEntriesOf } from '../widgets/menu-entries.ts';

export interface PageAction {
  readonly kind: 'page';
  readonly label: string;
  /** 'On' or 'Off' of a switch. */
  readonly note?: string;
  readonly run: () => void;
}

/** Rows have keys of their own and can be thousands; forms are sent by Enter; dialogs have the focus themselves. */
const elsewhere = 'tr, [role=row], [data-row], form, [role=dialog], [role=listbox], [role=menu]';

/** In the order of the page; of several with one name, the first. */
export function pageActions(page: ParentNode | null): readonly PageAction[] {
  const buttons = Array.from(page?.querySelectorAll<HTMLButtonElement>('button') ?? []).filter(
    (button) =>
      !button.disabled &&
      button.getAttribute('aria-disabled') !== 'true' &&
      button.closest(elsewhere) === null,
  );
  const actions = new Map<string, PageAction>();
  for (const action of buttons.flatMap(actionsOf))
    if (!actions.has(action.label)) actions.set(action.label, action);
  return [...actions.values()];
}

function actionsOf(button: HTMLButtonElement): readonly PageAction[] {
  const label = nameOf(button);
  if (label === '') return [];
  const entries = menuEntriesOf(button);
  if (entries.length > 0)
    return entries.map((entry) => ({
      kind: 'page',
      label: `${label}: ${entry.label}`,
      run: entry.onChoose,
    }));
  const pressed = button.getAttribute('aria-pressed');
  return [
    {
      kind: 'page',
      label,
      ...(pressed === null ? {} : { note: pressed === 'true' ? 'On' : 'Off' }),
      run: () => {
        // What opens gives the focus back to it.
        button.focus({ preventScroll: true });
        button.click();
      },
    },
  ];
}

const nameOf = (button: HTMLElement): string =>
  (button.getAttribute('aria-label') ?? button.textContent).replaceAll(/\s+/g, ' ').trim();
