/** A part of a record behind its heading, which says how much is in it. Search in the page, links to its id and printing open it. */
import { RightOutlined } from '@ant-design/icons-svg';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../widgets/icon.tsx';
import styles from './fold-section.module.css';

interface FoldSectionProps {
  /** Fragment of an address that opens it: `#packages`. */
  readonly id: string;
  /** One level below the record's heading. */
  readonly Heading: 'h2' | 'h3';
  readonly title: string;
  /** Number of what is in it; absent where nothing is counted. */
  readonly count?: string;
  /** True for what is read first, and for what is short. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

export function FoldSection({
  id,
  Heading,
  title,
  count,
  isOpen = false,
  children,
}: FoldSectionProps) {
  const [open, setOpen] = useState(isOpen);
  const section = useRef<HTMLDetailsElement>(null);
  const isLinked = useLocation({ select: ({ hash }) => hash === id });
  useEffect(() => {
    // The browser looks for the fragment before the record has loaded.
    if (isLinked && section.current !== null) openSection(section.current);
  }, [isLinked]);
  return (
    <details
      ref={section}
      id={id}
      className={styles['section']}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={`${styles['summary']} flex items-center gap-2 py-2 cursor-pointer`}>
        <Icon of={RightOutlined} className={styles['mark'] ?? ''} />
        <Heading className="text-body font-600">
          {title} {count !== undefined && <span className={styles['count']}>{count}</span>}
        </Heading>
      </summary>
      <div className={`${styles['content']} grid gap-2 min-w-0`}>{children}</div>
    </details>
  );
}

/** Scrolls to an element, and opens it where it is folded. */
export function openSection(element: HTMLElement): void {
  if (element instanceof HTMLDetailsElement) element.open = true;
  element.scrollIntoView();
}
