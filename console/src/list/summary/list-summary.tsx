/**
 * Layout of facets and histogram: a column beside the rows (a sheet on narrow screens) and a strip above them. The space is
 * reserved at once; the content is loaded after the first rows.
 */
import { BarChartOutlined, SlidersOutlined } from '@ant-design/icons-svg';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { updateFrame, usePreferences } from '../../api/preferences.ts';
import { findHistogramField, getFacets } from '../../summary/summary-fields.ts';
import type { SummarizedSearch } from '../../summary/use-search-summary.ts';
import { limitChunkLoading } from '../../theme/chunk-in-time.ts';
import { useMediaQuery } from '../../theme/media-query.ts';
import { sizes } from '../../theme/tokens.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { LazyPart } from '../../widgets/lazy-part.tsx';
import { useHasBeen } from '../../widgets/use-has-been.ts';
import { withCriterion, withoutCriterion } from '../criteria/typed-search.ts';
import type { ListModel } from '../model/use-list-model.ts';
import styles from './list-summary.module.css';

/** The three components share a chunk. When it cannot be loaded, a note is shown and the rows still work. */
const FacetPanel = lazy(() =>
  loadOrNote(import('../../summary/facet-panel.tsx').then((module) => module.FacetPanel)),
);
const FacetSheet = lazy(() =>
  loadOrNote(import('../../summary/facet-sheet.tsx').then((module) => module.FacetSheet)),
);
const DateHistogram = lazy(() =>
  loadOrNote(import('../../summary/date-histogram.tsx').then((module) => module.DateHistogram)),
);

async function loadOrNote<Props extends object>(
  loading: Promise<ComponentType<Props>>,
): Promise<{ readonly default: ComponentType<Props> }> {
  return { default: await limitChunkLoading(loading).catch(() => LoadFailureNote) };
}

function LoadFailureNote() {
  return (
    <p className="text-quiet text-small" role="status">
      This part could not be loaded. Reload the page to try again.
    </p>
  );
}

export interface SummarySections {
  readonly facets: {
    /** True when the list has facets. */
    readonly offered: boolean;
    readonly beside: boolean;
    /** True for a visible column or an open sheet. */
    readonly shown: boolean;
    readonly toggle: () => void;
  };
  readonly histogram: {
    readonly offered: boolean;
    readonly shown: boolean;
    readonly toggle: () => void;
  };
}

export function useSummarySections({ list }: Pick<ListModel, 'list'>): SummarySections {
  const { facets, histogram } = usePreferences().frame;
  const beside = useMediaQuery(`(width >= ${sizes.facetsBesideFrom}px)`);
  const [sheetOpen, setSheetOpen] = useState(false);
  const hasColumn = facets !== 'hidden';
  const hasHistogram = histogram !== 'hidden';
  return {
    facets: {
      offered: getFacets(list).length > 0,
      beside,
      shown: beside ? hasColumn : sheetOpen,
      toggle: () =>
        beside ? updateFrame({ facets: hasColumn ? 'hidden' : 'shown' }) : setSheetOpen(!sheetOpen),
    },
    histogram: {
      offered: findHistogramField(list) !== undefined,
      shown: hasHistogram,
      toggle: () => updateFrame({ histogram: hasHistogram ? 'hidden' : 'shown' }),
    },
  };
}

interface SummaryProps {
  readonly model: ListModel;
  readonly sections: SummarySections;
}

/** Toolbar buttons that show and hide facets and histogram. */
export function SummaryButtons({
  model,
  sections: { facets, histogram },
  narrow,
}: SummaryProps & { readonly narrow: boolean }) {
  const { list, state } = model;
  const names = getFacets(list);
  const active = state.criteria.filter(({ paramName }) => names.includes(paramName)).length;
  return (
    <>
      {facets.offered ? (
        <Button
          look="quiet"
          icon={<Icon of={SlidersOutlined} />}
          aria-expanded={facets.shown}
          {...(!facets.beside && { 'aria-haspopup': 'dialog' as const })}
          onClick={facets.toggle}
        >
          Filters
          {active === 0 ? null : (
            <span className={`${styles['active']} text-small figures`}>
              {active}
              <span className="visually-hidden"> active</span>
            </span>
          )}
        </Button>
      ) : null}
      {histogram.offered ? (
        <Button
          look="quiet"
          icon={<Icon of={BarChartOutlined} />}
          aria-pressed={histogram.shown}
          aria-label="Histogram"
          title={histogram.shown ? 'Hide the histogram' : 'Show the histogram'}
          onClick={histogram.toggle}
        >
          {!narrow && 'Histogram'}
        </Button>
      ) : null}
    </>
  );
}

/** Lays out the rows with facets and histogram. */
export function WithSummary({
  model,
  sections,
  children,
}: SummaryProps & { readonly children: ReactNode }) {
  const search = useSummarizedSearch(model);
  const hasBegun = useHasBeen(search.ready);
  const { facets, histogram } = sections;
  const isEmpty = isEmptyList(model);
  const onCriterion = createCriterionHandler(model);
  const panel = hasBegun ? (
    <Suspense>
      <FacetPanel search={search} onCriterion={onCriterion} />
    </Suspense>
  ) : null;
  return (
    <div className={`${styles['parts']} flex flex-1 gap-2 min-h-0`}>
      {facets.offered && facets.beside && facets.shown && !isEmpty ? (
        <aside className={`${styles['column']} relative flex-none`} aria-label="Filters">
          {panel}
        </aside>
      ) : null}
      {facets.offered && !facets.beside && facets.shown ? (
        <LazyPart>
          <FacetSheet totalCount={model.shown.totalCount} onClose={facets.toggle}>
            {panel}
          </FacetSheet>
        </LazyPart>
      ) : null}
      <div className={`${styles['rows']} flex flex-col flex-1 gap-3 min-w-0 min-h-0`}>
        {histogram.offered && histogram.shown && !isEmpty ? (
          <section className={styles['histogram']} aria-label="Histogram">
            {hasBegun ? (
              <Suspense>
                <DateHistogram search={search} onCriterion={onCriterion} />
              </Suspense>
            ) : null}
          </section>
        ) : null}
        {children}
      </div>
    </div>
  );
}

/** Returns true for a list without any record, of which there is nothing to count. */
const isEmptyList = ({ narrowed, isUnfilled, shown }: ListModel): boolean =>
  shown.rows?.length === 0 && !shown.stale && shown.totalCount === 0 && (isUnfilled || !narrowed);

function useSummarizedSearch({ list, state, shown, searchBody }: ListModel): SummarizedSearch {
  return {
    list,
    criteria: state.criteria,
    keyword: state.keyword,
    body: searchBody,
    ready: shown.rows !== undefined && !shown.stale && shown.error === null,
  };
}

const createCriterionHandler =
  ({ state, ask }: ListModel) =>
  (name: string, criterion: FieldCriterion | undefined): void =>
    ask({
      criteria:
        criterion === undefined
          ? withoutCriterion(state.criteria, name)
          : withCriterion(state.criteria, criterion),
    });
