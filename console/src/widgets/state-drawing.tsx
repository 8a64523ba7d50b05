/** Placeholder of a page without content: drawing, text and one next step. */
import type { ReactNode } from 'react';
import styles from './state-drawing.module.css';

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

/** Drawings on a grid of 160 by 112, in border colour with accents. */
const drawings: Readonly<Record<DrawnState, ReactNode>> = {
  // An open crate and an arrow into it.
  empty: (
    <>
      <path className={styles['ground']} d="M40 52h80v42a4 4 0 0 1-4 4H44a4 4 0 0 1-4-4z" />
      <path d="M40 52h80v42a4 4 0 0 1-4 4H44a4 4 0 0 1-4-4zM40 52 30 66h40l10-14 10 14h40l-10-14M66 82h28" />
      <path className={styles['accent']} d="M80 12v26M70 29l10 10 10-10" />
      <path className={styles['faint']} d="M56 20v12M104 20v12" />
    </>
  ),
  // A list and an empty lens over it.
  'no-match': (
    <>
      <path
        className={styles['ground']}
        d="M34 18h74a4 4 0 0 1 4 4v68a4 4 0 0 1-4 4H34a4 4 0 0 1-4-4V22a4 4 0 0 1 4-4z"
      />
      <path d="M34 18h74a4 4 0 0 1 4 4v68a4 4 0 0 1-4 4H34a4 4 0 0 1-4-4V22a4 4 0 0 1 4-4zM30 34h82" />
      <path className={styles['faint']} d="M42 48h34M42 62h24M42 76h30" />
      <circle className={styles['lens']} cx="102" cy="68" r="20" />
      <path className={styles['accent']} d="M116.5 82.5 130 96M94 68h16" />
      <circle className={styles['accent']} cx="102" cy="68" r="20" />
    </>
  ),
  // A plug pulled from its socket.
  failure: (
    <>
      <path className={styles['ground']} d="M22 44h30v28H22zM108 40h30v36h-30z" />
      <path d="M14 58h8M22 46a4 4 0 0 1 4-4h22a4 4 0 0 1 4 4v24a4 4 0 0 1-4 4H26a4 4 0 0 1-4-4zM52 51h12M52 65h12M138 58h10M108 44a4 4 0 0 1 4-4h22a4 4 0 0 1 4 4v28a4 4 0 0 1-4 4h-22a4 4 0 0 1-4-4zM108 51H98M108 65H98" />
      <path className={styles['danger']} d="m81 26-6 15h12l-6 15M68 84l5-5M94 84l-5-5M81 89v-7" />
    </>
  ),
  // A closed lock on a door.
  forbidden: (
    <>
      <path
        className={styles['faint']}
        d="M44 100V16a4 4 0 0 1 4-4h64a4 4 0 0 1 4 4v84M30 100h100"
      />
      <path
        className={styles['ground']}
        d="M60 52h40a4 4 0 0 1 4 4v26a4 4 0 0 1-4 4H60a4 4 0 0 1-4-4V56a4 4 0 0 1 4-4z"
      />
      <path d="M60 52h40a4 4 0 0 1 4 4v26a4 4 0 0 1-4 4H60a4 4 0 0 1-4-4V56a4 4 0 0 1 4-4zM67 52V40a13 13 0 0 1 26 0v12" />
      <path className={styles['accent']} d="M80 64a3.5 3.5 0 0 1 0 7 3.5 3.5 0 0 1 0-7zM80 71v6" />
    </>
  ),
  // A signpost whose arm points off the map.
  'not-found': (
    <>
      <path className={styles['faint']} d="M26 98c18-10 34 4 54-4s36 2 54-4" />
      <path d="M80 94V18M76 18h8" />
      <path className={styles['ground']} d="M48 28h58l12 10-12 10H48z" />
      <path d="M48 28h58l12 10-12 10H48z" />
      <path
        className={styles['accent']}
        d="M76.5 34.5a4 4 0 1 1 5.6 3.700c-1.300.7-1.900 1.300-1.900 2.600M80.200 44v.2"
      />
      <path className={styles['faint']} d="M112 58H60l-9 7 9 7h52z" />
    </>
  ),
};

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
        {drawings[state]}
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
