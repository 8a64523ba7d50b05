/** Panel of an open popover, positioned and sized to fit the window. */
import {
  autoUpdate,
  computePosition,
  flip,
  offset,
  type Placement,
  shift,
  size,
} from '@floating-ui/dom';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react';
import { createPortal } from 'react-dom';
import { isFocusLost } from './focus.ts';
import styles from './popover.module.css';

interface PopoverPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly placement?: Placement | undefined;
  /** Accessible name of the dialog. Without it the panel has the role `group`. */
  readonly label?: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Attribute of a child that has a popup of its own open. */
export const hasOpenPopup = 'data-holds-open';

const gap = 4;
const edgeGap = 8;
const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

export function PopoverPanel({
  anchor,
  placement = 'bottom-start',
  label,
  onClose,
  children,
}: PopoverPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const pressInside = useOutsidePress(true, (target) => {
    if (target instanceof Node && anchor.current?.contains(target)) return;
    // The popup of the child closes first.
    if (panel.current?.querySelector(`[${hasOpenPopup}]`) !== null) return;
    onClose();
  });

  useEffect(() => {
    const { current: shown } = panel;
    const { current: beside } = anchor;
    if (shown === null || beside === null) return undefined;
    const update = () => void movePanel(shown, beside, placement);
    const stopUpdating = autoUpdate(toAnchor(beside), shown, update);
    const before = document.activeElement;
    if (!shown.contains(before))
      (shown.querySelector<HTMLElement>('[autofocus]') ?? shown).focus({ preventScroll: true });
    return () => {
      stopUpdating();
      if (isFocusLost(shown) && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, [anchor, placement]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    } else if (event.key === 'Tab' && panel.current !== null) {
      const stops = Array.from(panel.current.querySelectorAll<HTMLElement>(focusable)).filter(
        ({ tabIndex }) => tabIndex >= 0,
      );
      const last = event.shiftKey ? stops[0] : stops.at(-1);
      // The panel is last in the document: Tab after its last element returns to its button.
      if (last === undefined || document.activeElement === last) {
        event.preventDefault();
        onClose();
      }
    }
  }

  return createPortal(
    // The panel handles events that bubble from its content.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={panel}
      role={label === undefined ? 'group' : 'dialog'}
      aria-label={label}
      tabIndex={-1}
      className={styles['panel']}
      onKeyDown={onKeyDown}
      onPointerDown={pressInside}
      // Clicks inside must not reach the row or form that contains the popover's button.
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </div>,
    document.body,
  );
}

/** Returns the child of a wrapper that has no box itself (`display: contents`). */
const toAnchor = (beside: HTMLElement): Element =>
  beside.getClientRects().length > 0 ? beside : (beside.firstElementChild ?? beside);

async function movePanel(
  shown: HTMLElement,
  beside: HTMLElement,
  placement: Placement,
): Promise<void> {
  const { x, y } = await computePosition(toAnchor(beside), shown, {
    placement,
    strategy: 'fixed',
    middleware: [
      offset(gap),
      flip({ padding: edgeGap }),
      shift({ padding: edgeGap }),
      size({
        padding: edgeGap,
        apply({ availableHeight, availableWidth }) {
          Object.assign(shown.style, {
            maxHeight: `${availableHeight}px`,
            maxWidth: `${availableWidth}px`,
          });
        },
      }),
    ],
  });
  Object.assign(shown.style, { left: `${x}px`, top: `${y}px`, opacity: '1' });
}

const controls =
  'button, input, select, textarea, label, [role="combobox"], [role="option"], [role="menuitem"], [contenteditable="true"]';

/**
 * Returns a `pointerdown` handler for the open element. Popups of its content that are rendered elsewhere in the page (a
 * calendar, a list of options) bubble through React to it and therefore count as inside.
 */
export function useOutsidePress(
  open: boolean,
  onOutside: (target: EventTarget | null) => void,
): () => void {
  const pressedInside = useRef(false);
  const press = useEffectEvent((event: PointerEvent) => {
    const inside = pressedInside.current;
    pressedInside.current = false;
    if (inside) return;
    suppressClick(event);
    onOutside(event.target);
  });
  useEffect(() => {
    if (!open) return undefined;
    pressedInside.current = false;
    const listener = (event: PointerEvent) => press(event);
    document.addEventListener('pointerdown', listener);
    return () => document.removeEventListener('pointerdown', listener);
  }, [open]);
  return () => {
    pressedInside.current = true;
  };
}

/** Suppresses the click of this press. It ends with the next press, because the click may never come. */
function suppressClick({ target }: PointerEvent): void {
  if (target instanceof Element && target.closest(controls) !== null) return;
  const end = () => {
    document.removeEventListener('click', stop, true);
    document.removeEventListener('pointerdown', end, true);
  };
  const stop = (click: MouseEvent) => {
    // Clicks by keyboard or script do not belong to this press.
    if (click.detail === 0) return;
    end();
    click.preventDefault();
    click.stopPropagation();
  };
  document.addEventListener('click', stop, true);
  document.addEventListener('pointerdown', end, true);
}
