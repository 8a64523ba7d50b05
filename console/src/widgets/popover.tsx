/** Something small that opens beside its button: a press elsewhere or Escape closes it, and the focus goes back to the button. */
import { type ComponentProps, lazy, type ReactNode, type RefObject, Suspense, useRef } from 'react';
import styles from './popover.module.css';
import type { PopoverPanel } from './popover-panel.tsx';

/** With what finds its place, fetched when the first one opens. */
const Panel = lazy(async () => ({ default: (await import('./popover-panel.tsx')).PopoverPanel }));

interface PopoverProps extends Pick<ComponentProps<typeof PopoverPanel>, 'placement' | 'label'> {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly content: ReactNode;
  /** What it opens beside: its one child, or `beside`. */
  readonly children?: ReactNode;
  readonly beside?: RefObject<HTMLElement | null>;
}

export function Popover({
  open,
  onClose,
  content,
  children,
  beside,
  placement,
  label,
}: PopoverProps) {
  const around = useRef<HTMLSpanElement>(null);
  return (
    <>
      {children === undefined ? null : (
        <span ref={around} className={styles['anchor']}>
          {children}
        </span>
      )}
      {open ? (
        <Suspense>
          <Panel
            anchor={beside ?? around}
            onClose={onClose}
            {...(placement && { placement })}
            {...(label !== undefined && { label })}
          >
            {content}
          </Panel>
        </Suspense>
      ) : null}
    </>
  );
}
