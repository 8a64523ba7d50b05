/** Histogram of a search's records by date, stacked by severity. Brushing it sets the criterion of the date. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { Histogram } from '@patch/contract/records/search-summary-endpoint.ts';
import { useNarrow } from '../theme/media-query.ts';
import { colour } from '../theme/tokens.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { Button } from '../widgets/button.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { bucketName, countsText, spanName } from './bucket-text.ts';
import styles from './date-histogram.module.css';
import { axisLabels, buildStacks, chartHeight } from './histogram-shape.ts';
import { HistogramTable } from './histogram-table.tsx';
import { type BucketRange, useBrush } from './use-brush.ts';
import { type SummarizedSearch, useSearchSummary } from './use-search-summary.ts';

interface DateHistogramProps {
  readonly search: SummarizedSearch;
  /** Replaces the criterion of the field; undefined removes it. */
  readonly onCriterion: (name: string, criterion: FieldCriterion | undefined) => void;
}

export function DateHistogram({ search, onCriterion }: DateHistogramProps) {
  const { summary, stale, failed, retry } = useSearchSummary(search);
  const histogram = summary?.histogram ?? undefined;
  if (failed)
    return (
      <p
        className={`${styles['note']} flex items-center gap-2 h-full text-quiet text-small`}
        role="status"
      >
        The histogram could not be loaded.{' '}
        <Button look="link" small onClick={retry}>
          Retry
        </Button>
      </p>
    );
  if (summary === undefined)
    return <div className={`${styles['skeleton']} h-full rounded`} aria-hidden="true" />;
  if (histogram === undefined || histogram.buckets.length === 0) return <span data-undated />;
  const { field } = histogram;
  return (
    <div className={styles['histogram']} data-stale={stale || undefined}>
      <Bars
        list={search.list}
        histogram={histogram}
        isFiltered={search.criteria.some(({ paramName }) => paramName === field)}
        onAllDates={() => onCriterion(field, undefined)}
        onRange={(from, to) =>
          onCriterion(field, {
            paramName: field,
            operator: 'between',
            value: from,
            toValue: to - 1,
          })
        }
      />
    </div>
  );
}

interface BarsProps {
  readonly list: ListDefinition;
  readonly histogram: Histogram;
  /** True when the date has a criterion. */
  readonly isFiltered: boolean;
  readonly onAllDates: () => void;
  /** Epoch milliseconds; `to` is exclusive. */
  readonly onRange: (from: number, to: number) => void;
}

function Bars({ list, histogram, isFiltered, onAllDates, onRange }: BarsProps) {
  const { buckets, unit, field } = histogram;
  const readerZone = useReaderZone();
  const definition = getField(list, field);
  const { label } = definition;
  const zone = dateZone(definition, readerZone);
  const brush = useBrush(buckets.length, ({ first, last }) => {
    const chosen = buckets.slice(first, last + 1);
    const [from, to] = [chosen[0]?.from, chosen.at(-1)?.to];
    const isEmpty = chosen.every(({ count }) => count === 0);
    if (from !== undefined && to !== undefined && !isEmpty) onRange(from, to);
  });
  const { range, ...handlers } = brush;
  const readout = range === undefined ? undefined : rangeText(histogram, range, zone);
  return (
    <>
      <div
        className={`${styles['line']} flex items-center justify-between gap-3 text-small figures`}
      >
        <span className="text-quiet truncate">{readout ?? idleText(label, histogram)}</span>
        {isFiltered ? (
          <Button look="link" small onClick={onAllDates}>
            All dates
          </Button>
        ) : null}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${label} by ${unit}. Arrow keys move, Shift and arrow keys extend, Enter filters by these dates.`}
        aria-valuemin={0}
        aria-valuemax={buckets.length - 1}
        aria-valuenow={range?.last ?? buckets.length - 1}
        aria-valuetext={readout ?? extentText(histogram, zone)}
        className={styles['chart']}
        style={{ maxWidth: `${buckets.length * maxBarWidth}px` }}
        {...handlers}
      >
        <Drawing histogram={histogram} range={range} zone={zone} />
      </div>
      <HistogramTable label={label} histogram={histogram} zone={zone} />
    </>
  );
}

/** Mentions records that no bar shows. */
function idleText(label: string, { unit, outside, withoutDate }: Histogram): string {
  const missing = [
    ...(withoutDate === 0 ? [] : [`${formatNumber(withoutDate)} without a date`]),
    ...(outside === 0 ? [] : [`${formatNumber(outside)} far from all others`]),
  ];
  return [`${label} by ${unit}`, ...missing].join(' · ');
}

/** In pixels. Limits the width of bars when there are few. */
const maxBarWidth = 96;

function rangeText({ buckets, unit }: Histogram, { first, last }: BucketRange, zone: string) {
  const [from, to] = [buckets[first], buckets[last]];
  if (from === undefined || to === undefined) return undefined;
  return `${spanName(from, to, unit, zone)}: ${countsText(buckets.slice(first, last + 1))}`;
}

function extentText({ buckets, unit }: Histogram, zone: string): string {
  const [first, last] = [buckets[0], buckets.at(-1)];
  return first === undefined || last === undefined
    ? ''
    : `${bucketName(first, unit, zone)} to ${bucketName(last, unit, zone)}`;
}

function Drawing({
  histogram,
  range,
  zone,
}: {
  readonly histogram: Histogram;
  readonly range: BucketRange | undefined;
  readonly zone: string;
}) {
  const narrow = useNarrow();
  const { buckets } = histogram;
  const share = 100 / buckets.length;
  return (
    <>
      <svg
        className={`${styles['bars']} block w-full overflow-hidden`}
        viewBox={`0 0 ${buckets.length} ${chartHeight}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {range === undefined ? null : (
          <rect
            className={styles['range']}
            x={range.first}
            y={0}
            width={range.last - range.first + 1}
            height={chartHeight}
          />
        )}
        {buildStacks(buckets).map(({ severity, colour: name, path }) => (
          <path
            key={severity}
            d={path}
            fill={colour(name)}
            className={name === 'unranked' ? styles['unranked'] : undefined}
          />
        ))}
      </svg>
      <div
        className={`${styles['axis']} relative overflow-hidden text-quiet text-small figures`}
        aria-hidden="true"
      >
        {axisLabels(histogram, zone, narrow ? 0.14 : 0.06).map(({ index, text }) => (
          <span key={index} style={{ left: `${index * share}%` }}>
            {text}
          </span>
        ))}
      </div>
    </>
  );
}
