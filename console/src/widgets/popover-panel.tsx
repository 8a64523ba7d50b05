/** The open part of a popover, over everything else of the page: where there is room, as far as there is. */
import {
  autoUpdate,
  computePosition,
  flip,
  offset,
  type Placement,
  shift,
  size,
} from '@floating-ui/dom';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { isFocusLost } from './focus.ts';
import styles from './popover.module.css';
import { useOutsidePress } from './use-outside-press.ts';

interface PopoverPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly placement?: Placement;
  /** Read when the panel takes the focus; without one it is read as a plain group. */
  readonly label?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** On a part of the content while that has something open of its own. */
export const holdsOpen = 'data-holds-open';

const gap = 4;
const fromEdge = 8;
const takesFocus =
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
    // A calendar that the content has opened closes first.
    if (panel.current?.querySelector(`[${holdsOpen}]`) !== null) return;
    onClose();
  });

  useEffect(() => {
    const { current: shown } = panel;
    const { current: beside } = anchor;
    if (shown === null || beside === null) return undefined;
    const place = () => void movePanel(shown, beside, placement);
    const settle = autoUpdate(anchorOf(beside), shown, place);
    const before = document.activeElement;
    if (!shown.contains(before))
      (shown.querySelector<HTMLElement>('[autofocus]') ?? shown).focus({ preventScroll: true });
    return () => {
      settle();
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
      const stops = Array.from(panel.current.querySelectorAll<HTMLElement>(takesFocus)).filter(
        ({ tabIndex }) => tabIndex >= 0,
      );
      const last = event.shiftKey ? stops[0] : stops.at(-1);
      // It lies at the page's end: from its own end the order goes on where it was opened.
      if (last === undefined || document.activeElement === last) {
        event.preventDefault();
        onClose();
      }
    }
  }

  return createPortal(
    // It is a dialog or a group, and listens to what bubbles out of its content.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={panel}
      role={label === undefined ? 'group' : 'dialog'}
      aria-label={label}
      tabIndex={-1}
      className={styles['panel']}
      onKeyDown={onKeyDown}
      onPointerDown={pressInside}
      // Presses and keys in here are none on the row or the form that it was opened from.
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </div>,
    document.body,
  );
}

/** What stands around a button has no box of its own. */
const anchorOf = (beside: HTMLElement): Element =>
  beside.getClientRects().length > 0 ? beside : (beside.firstElementChild ?? beside);

async function movePanel(
  shown: HTMLElement,
  beside: HTMLElement,
  placement: Placement,
): Promise<void> {
  const { x, y } = await computePosition(anchorOf(beside), shown, {
    placement,
    strategy: 'fixed',
    middleware: [
      offset(gap),
      flip({ padding: fromEdge }),
      shift({ padding: fromEdge }),
      size({
        padding: fromEdge,
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
