/** Pager with page numbers, or the number of shown rows with a button for more. */

import { EllipsisOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { useNarrow } from '../../theme/media-query.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { PlainSelect } from '../../widgets/plain-select.tsx';
import { getLastPage, type PageSize, pageSizes } from '../address/list-url.ts';
import styles from './list-pager.module.css';

interface ListPagerProps {
  readonly page: number;
  readonly size: PageSize;
  /** Undefined while the first page loads: an empty pager reserves the space. */
  readonly totalCount: number | undefined;
  readonly stale: boolean;
  readonly onPage: (page: number) => void;
  readonly onSize: (size: PageSize) => void;
}

const formatCount = (number: number) => number.toLocaleString('en');

/** Returns '1–25 of 12,345'. */
function toRangeText(page: number, size: number, totalCount: number): string {
  if (totalCount === 0) return '0 of 0';
  const first = Math.min((page - 1) * size + 1, totalCount);
  return `${formatCount(first)}–${formatCount(Math.min(page * size, totalCount))} of ${formatCount(totalCount)}`;
}

/** Pages that an ellipsis skips. */
const jump = 5;

/** Renders nothing for a single page. */
export function ListPager({ page, size, totalCount, stale, onPage, onSize }: ListPagerProps) {
  const beside = useNarrow() ? 0 : 1;
  if (totalCount === undefined) return <div className={styles['pager']} />;
  const last = getLastPage(totalCount, size);
  if (last === 1) return null;
  const step = (label: string, icon: ReactNode, to: number, disabled = false) => (
    <Button
      key={label}
      look="quiet"
      small
      icon={icon}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={() => onPage(Math.max(1, Math.min(to, last)))}
    />
  );
  return (
    <nav className={styles['pager']} aria-label="Pages">
      <span className={styles['range']} data-stale={stale || undefined}>
        {toRangeText(page, size, totalCount)}
      </span>
      <span className="ml-auto">
        <PlainSelect
          label="Rows per page"
          value={size}
          options={pageSizes.map((value) => ({ value, label: `${value} per page` }))}
          onChange={onSize}
        />
      </span>
      <span className={`${styles['steps']} flex items-center gap-1`}>
        {step('Previous page', <Icon of={LeftOutlined} />, page - 1, page <= 1)}
        {buildPageSteps(page, last, beside).map((offered) =>
          offered === 'earlier' ? (
            step(`${jump} pages back`, <Icon of={EllipsisOutlined} />, page - jump)
          ) : offered === 'later' ? (
            step(`${jump} pages on`, <Icon of={EllipsisOutlined} />, page + jump)
          ) : (
            <Button
              key={offered}
              look="quiet"
              small
              className={styles['number'] ?? ''}
              aria-label={`Page ${formatCount(offered)}`}
              aria-current={offered === page ? 'page' : undefined}
              onClick={() => onPage(offered)}
            >
              {formatCount(offered)}
            </Button>
          ),
        )}
        {step('Next page', <Icon of={RightOutlined} />, page + 1, page >= last)}
      </span>
    </nav>
  );
}

interface MoreProps {
  readonly shown: number;
  readonly totalCount: number | undefined;
  readonly busy: boolean;
  /** Undefined when all rows are shown and while more load. */
  readonly onMore: (() => void) | undefined;
}

export function LoadMore({ shown, totalCount, busy, onMore }: MoreProps) {
  if (totalCount === undefined) return <div className={styles['pager']} />;
  return (
    <nav className={styles['pager']} aria-label="Pages">
      <span className={styles['range']} aria-live="polite">
        {toRangeText(1, shown, totalCount)}
      </span>
      {shown < totalCount ? (
        <Button small loading={busy} disabled={onMore === undefined && !busy} onClick={onMore}>
          Load More
        </Button>
      ) : null}
    </nav>
  );
}

/** Pages that a pager offers: the first, the last, and those around the current one. */
type PageStep = number | 'earlier' | 'later';

/**
 * Returns a constant number of steps, so that buttons do not move under the pointer. `earlier` and `later` stand for at least two
 * pages each.
 * @param beside - Number of pages on each side of the current one.
 */
export function buildPageSteps(page: number, last: number, beside: number): readonly PageStep[] {
  const edgeCount = 2 * beside + 3;
  if (last <= edgeCount + 2) return pages(1, last);
  if (page <= beside + 3) return [...pages(1, edgeCount), 'later', last];
  if (page >= last - beside - 2) return [1, 'earlier', ...pages(last - edgeCount + 1, last)];
  return [1, 'earlier', ...pages(page - beside, page + beside), 'later', last];
}

const pages = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
