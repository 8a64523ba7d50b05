/** Where in the list the page is, and the way to the others; or how much of it is shown, and the way to more. */

import { DoubleLeftOutlined, DoubleRightOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons-svg';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';

import { PlainSelect } from '../widgets/plain-select.tsx';
import styles from './list-pager.module.css';
import { lastPage, type PageSize, pageSizes } from './list-url.ts';

interface ListPagerProps {
  readonly page: number;
  readonly size: PageSize;
  /** Undefined while the first page is on its way: the pager keeps its place. */
  readonly totalCount: number | undefined;
  readonly stale: boolean;
  readonly onPage: (page: number) => void;
  readonly onSize: (size: PageSize) => void;
}

const count = (number: number) => number.toLocaleString('en');

/** '1–25 of 12,345'. */
function rangeWords(page: number, size: number, totalCount: number): string {
  if (totalCount === 0) return '0 of 0';
  const first = Math.min((page - 1) * size + 1, totalCount);
  return `${count(first)}–${count(Math.min(page * size, totalCount))} of ${count(totalCount)}`;
}

export function ListPager({ page, size, totalCount, stale, onPage, onSize }: ListPagerProps) {
  if (totalCount === undefined) return <div className={styles['pager']} />;
  const last = lastPage(totalCount, size);
  const steps = [
    { label: 'First page', icon: <Icon of={DoubleLeftOutlined} />, to: 1, possible: page > 1 },
    { label: 'Previous page', icon: <Icon of={LeftOutlined} />, to: page - 1, possible: page > 1 },
    { label: 'Next page', icon: <Icon of={RightOutlined} />, to: page + 1, possible: page < last },
    { label: 'Last page', icon: <Icon of={DoubleRightOutlined} />, to: last, possible: page < last },
  ];
  const [first, previous, next, end] = steps.map(({ label, icon, to, possible }) => (
    <Button key={label} look="quiet" small icon={icon} aria-label={label} title={label} disabled={!possible} onClick={() => onPage(to)} />
  ));
  return (
    <nav className={styles['pager']} aria-label="Pages">
      <span className={styles['range']} data-stale={stale || undefined}>
        {rangeWords(page, size, totalCount)}
      </span>
      <span className={styles['size']}>
        <PlainSelect
          label="Rows per page"
          value={size}
          options={pageSizes.map((value) => ({ value, label: `${value} per page` }))}
          onChange={onSize}
        />
      </span>
      {/* Of one page there is nowhere to go. */}
      {last > 1 && (
        <span className={styles['steps']}>
          {first}
          {previous}
          <span className={styles['page']}>
            Page {count(page)} of {count(last)}
          </span>
          {next}
          {end}
        </span>
      )}
    </nav>
  );
}

interface MoreProps {
  readonly shown: number;
  readonly totalCount: number | undefined;
  readonly busy: boolean;
  /** Absent when all are shown, and while more are on their way. */
  readonly onMore: (() => void) | undefined;
}

export function LoadMore({ shown, totalCount, busy, onMore }: MoreProps) {
  if (totalCount === undefined) return <div className={styles['pager']} />;
  return (
    <nav className={styles['pager']} aria-label="Pages">
      <span className={styles['range']} aria-live="polite">
        {rangeWords(1, shown, totalCount)}
      </span>
      {shown < totalCount ? (
        <Button small loading={busy} disabled={onMore === undefined && !busy} onClick={onMore}>
          Load More
        </Button>
      ) : null}
    </nav>
  );
}
