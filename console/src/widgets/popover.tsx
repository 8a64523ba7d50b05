/** Popover beside a button. A click outside or Escape closes it, and the focus returns to the button. */
import { type ComponentProps, type ReactNode, type RefObject, useRef } from 'react';
import { importChunk } from '../theme/chunk-in-time.ts';
import { LazyPart, lazyComponent } from './lazy-part.tsx';
import styles from './popover.module.css';
import type { PopoverPanel } from './popover-panel.tsx';

/** Loaded with the positioning library when the first popover opens. */
const Panel = lazyComponent(
  async () => (await importChunk(() => import('./popover-panel.tsx'))).PopoverPanel,
);

interface PopoverProps
  extends Pick<ComponentProps<typeof PopoverPanel>, 'placement' | 'label' | 'onClose'> {
  readonly open: boolean;
  readonly content: ReactNode;
  /** The anchor is either the only child or `beside`. */
  readonly children?: ReactNode;
  readonly beside?: RefObject<HTMLElement | null>;
}

export function Popover({ open, content, children, beside, ...panel }: PopoverProps) {
  const wrapper = useRef<HTMLSpanElement>(null);
  return (
    <>
      {children === undefined ? null : (
        <span ref={wrapper} className={styles['anchor']}>
          {children}
        </span>
      )}
      {open ? (
        <LazyPart>
          <Panel {...panel} anchor={beside ?? wrapper}>
            {content}
          </Panel>
        </LazyPart>
      ) : null}
    </>
  );
}
