/** Truncates content at 160 px and adds a link that shows all of it. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { durations, sizes } from '../theme/tokens.ts';
import styles from './read-more-block.module.css';

export function ReadMoreBlock({ children }: { readonly children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  const [taller, setTaller] = useState(false);
  const [open, setOpen] = useState(false);
  const id = useId();
  useEffect(() => {
    const measure = () => setTaller((content.current?.scrollHeight ?? 0) > sizes.readMore);
    const observer = new ResizeObserver(measure);
    // Waits for fonts and drawer animations.
    const timer = setTimeout(() => {
      measure();
      if (content.current !== null) observer.observe(content.current);
    }, durations.readMoreMeasures);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  return (
    <div>
      <div
        id={id}
        className={styles['window']}
        data-open={open || undefined}
        data-cut={(taller && !open) || undefined}
      >
        <div ref={content}>{children}</div>
      </div>
      {taller ? (
        <button
          type="button"
          className={styles['more']}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Read less' : 'Read more'}
        </button>
      ) : null}
    </div>
  );
}
