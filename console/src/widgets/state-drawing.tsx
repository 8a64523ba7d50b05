/** Placeholder of a page without content: drawing, text and one next step. */
import type { ReactNode } from 'react';
import styles from './state-drawing.module.css';
import drawings from './state-drawings.svg';

export type DrawnState = 'empty' | 'no-match' | 'failure' | 'forbidden' | 'not-found';

export interface StateDrawingProps {
  readonly state: DrawnState;
  readonly title: string;
  /** Says what happened and what to do. */
  readonly children?: ReactNode;
  /** Button or link to the next step. */
  readonly action?: ReactNode;
  readonly requestId?: string | null | undefined;
  /** True when nothing else is on the page: the title becomes the `<h1>`. */
  readonly isPage?: boolean;
}

export function StateDrawing({
  state,
  title,
  children,
  action,
  requestId,
  isPage = false,
}: StateDrawingProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <section
      className={styles['state']}
      role={state === 'failure' || state === 'forbidden' ? 'alert' : 'status'}
    >
      <svg viewBox="0 0 160 112" className={styles['drawing']} aria-hidden="true">
        <use href={`${drawings}#${state}`} />
      </svg>
      <Heading className={styles['title']}>{title}</Heading>
      {children === undefined ? null : <div className={styles['words']}>{children}</div>}
      {action === undefined ? null : <div className={styles['action']}>{action}</div>}
      {requestId ? (
        <p className={styles['request']}>
          Request <code>{requestId}</code>
        </p>
      ) : null}
    </section>
  );
}
