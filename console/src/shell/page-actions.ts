/**
 * The actions of the open page as commands: buttons outside rows and forms, and the entries of their menus. The
 * button alone defines an action, so that new buttons become commands without registration.
 */
import { getMenuEntries } from '../widgets/menu.tsx';

export interface PageAction {
  readonly kind: 'page';
  readonly label: string;
  /** 'On' or 'Off' for a switch. */
  readonly note?: string;
  readonly run: () => void;
}

/** Excluded parts: rows, which have their own keys and can be thousands, forms, which Enter submits, and dialogs, which have the focus. */
const excludedSelector =
  'tr, [role=row], [data-row], form, [role=dialog], [role=listbox], [role=menu]';

/** Returns the actions in page order, without duplicate names. */
export function listPageActions(page: ParentNode | null): readonly PageAction[] {
  const buttons = Array.from(page?.querySelectorAll<HTMLButtonElement>('button') ?? []).filter(
    (button) =>
      !button.disabled &&
      button.getAttribute('aria-disabled') !== 'true' &&
      button.closest(excludedSelector) === null,
  );
  const actions = new Map<string, PageAction>();
  for (const action of buttons.flatMap(toPageActions))
    if (!actions.has(action.label)) actions.set(action.label, action);
  return [...actions.values()];
}

function toPageActions(button: HTMLButtonElement): readonly PageAction[] {
  const label = getAccessibleName(button);
  if (label === '') return [];
  const entries = getMenuEntries(button);
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
        // A dialog that opens returns the focus to the button.
        button.focus({ preventScroll: true });
        button.click();
      },
    },
  ];
}

const getAccessibleName = (button: HTMLElement): string =>
  (button.getAttribute('aria-label') ?? button.textContent).replaceAll(/\s+/g, ' ').trim();
