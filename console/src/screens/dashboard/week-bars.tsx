/** Patches of the last weeks as stacked bars. Each week and each severity links to its records. */
import { getList } from '@patch/catalogue/lists.ts';
import type { Severity } from '@patch/catalogue/schemas/severities.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { Figure, WeekOfPatches } from '@patch/contract/reports/dashboard-endpoint.ts';
import { Link } from '@tanstack/react-router';
import { colour, severityLooks } from '../../theme/tokens.ts';
import { dayDate } from '../../values/day-date.ts';
import { FigureLink } from '../../widgets/figure-link.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { listPath } from '../../widgets/list-paths.ts';
import styles from './week-bars.module.css';

const allPatches = getList('all_patches');

/** So few weeks with patches are a sentence: bars would be a row of zeros. */
const maxQuietWeeks = 2;

export function WeekBars({ weeks }: { readonly weeks: readonly WeekOfPatches[] }) {
  const busy = weeks.filter(({ figure }) => figure.totalCount > 0);
  if (busy.length <= maxQuietWeeks) return <QuietWeeks weeks={weeks} busy={busy} />;
  const maxCount = Math.max(1, ...weeks.map(({ figure }) => figure.totalCount));
  const shownSeverities = severities
    .toReversed()
    .filter((severity) =>
      weeks.some((week) => week.severities.some((item) => item.severity === severity)),
    );
  return (
    <div className="grid gap-3">
      <ol className={`${styles['weeks']} grid gap-1 plain-list`}>
        {weeks.map((week) => (
          <li key={week.from} className={`${styles['week']} grid gap-1 min-w-0 text-small`}>
            <Link
              to={listPath(allPatches)}
              search={toSearch(week.figure)}
              className="figures"
              aria-label={describeWeek(week)}
            >
              {formatNumber(week.figure.totalCount)}
            </Link>
            <div className={styles['bar']}>
              {week.severities.map(({ severity, figure }) => (
                <Link
                  key={severity}
                  to={listPath(allPatches)}
                  search={toSearch(figure)}
                  // The keyboard reaches the week; its list offers the severities.
                  tabIndex={-1}
                  aria-label={`${formatNumber(figure.totalCount)} ${severity}, week of ${dayDate(week.from, 'UTC')}`}
                  data-tip={`${formatNumber(figure.totalCount)} ${severity}, week of ${dayDate(week.from, 'UTC')}`}
                  className={`${styles['part']} block flex-none`}
                  style={{
                    height: `${(figure.totalCount / maxCount) * 100}%`,
                    background: colour(severityLooks[severity].colour),
                  }}
                />
              ))}
            </div>
            <span
              className={`${styles['day']} overflow-hidden text-quiet nowrap`}
              aria-hidden="true"
            >
              {dayDate(week.from, 'UTC').slice(0, 6)}
            </span>
          </li>
        ))}
      </ol>
      <Legend severities={shownSeverities} />
    </div>
  );
}

function QuietWeeks({
  weeks,
  busy,
}: {
  readonly weeks: readonly WeekOfPatches[];
  /** Those with patches. */
  readonly busy: readonly WeekOfPatches[];
}) {
  return (
    <p className="underlined-links">
      Patches of {weeks.length} weeks:{' '}
      {busy.map((week, index) => (
        <span key={week.from}>
          {index > 0 && '; '}
          <Link to={listPath(allPatches)} search={toSearch(week.figure)}>
            {formatNumber(week.figure.totalCount)} in the week of {dayDate(week.from, 'UTC')}
          </Link>
          <Severities week={week} />
        </span>
      ))}
      .
    </p>
  );
}

/** Shows ', 2 Critical, 3 Low'; nothing where the vendor states no severity. */
function Severities({ week: { severities: parts } }: { readonly week: WeekOfPatches }) {
  if (parts.every(({ severity }) => severity === 'Unspecified')) return null;
  return parts.toReversed().map(({ severity, figure }) => (
    <span key={severity}>
      , <FigureLink figure={figure} counts={severity} /> {severity}
    </span>
  ));
}

const countPatches = (count: number): string =>
  `${formatNumber(count)} ${count === 1 ? 'patch' : 'patches'}`;

const countSeverities = (parts: WeekOfPatches['severities']): readonly string[] =>
  parts
    .toReversed()
    .map(({ severity, figure }) => `${formatNumber(figure.totalCount)} ${severity}`);

function Legend({ severities: shownSeverities }: { readonly severities: readonly Severity[] }) {
  return (
    <ul
      className="flex flex-wrap gap-y-1 gap-x-4 plain-list text-quiet text-small"
      aria-label="Severities"
    >
      {shownSeverities.map((severity) => (
        <li key={severity} className="flex items-center gap-1">
          <span
            className={styles['swatch']}
            style={{ background: colour(severityLooks[severity].colour) }}
          />
          {severity}
        </li>
      ))}
    </ul>
  );
}

const describeWeek = ({ from, figure, severities: parts }: WeekOfPatches): string =>
  [
    `${countPatches(figure.totalCount)} in the week of ${dayDate(from, 'UTC')}`,
    ...countSeverities(parts),
  ].join(', ');

/** The link must use these criteria, not the user's default view. */
const toSearch = ({ criteria }: Figure) =>
  ({ criteria: writeCriteria(allPatches, criteria), view: 'all' }) as never;
