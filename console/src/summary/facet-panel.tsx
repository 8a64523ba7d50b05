/** Facets of a list: values of each field with their counts in the current search. Pressing a value sets the field's criterion. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import {
  getField,
  isCriterionOnly,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { FacetValue } from '@patch/contract/records/search-summary-endpoint.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { Button } from '../widgets/button.tsx';
import { getChosenValues, toggleValue } from './facet-choice.ts';
import { FacetGroup } from './facet-group.tsx';
import { buildShownValues } from './facet-values.ts';
import styles from './recent-days.module.css';
import { getFacets } from './summary-fields.ts';
import {
  type ShownSummary,
  type SummarizedSearch,
  useSearchSummary,
} from './use-search-summary.ts';

export interface FacetPanelProps {
  readonly search: SummarizedSearch;
  /** Replaces the criterion of the field; undefined removes it. */
  readonly onCriterion: (name: string, criterion: FieldCriterion | undefined) => void;
}

export function FacetPanel({ search, onCriterion }: FacetPanelProps) {
  const shown = useSearchSummary(search);
  return (
    <div className="min-w-0" aria-busy={shown.stale || undefined}>
      {shown.failed ? <SummaryFailure retry={shown.retry} /> : null}
      {getFacets(search.list).map((name) => (
        <Facet
          key={name}
          list={search.list}
          name={name}
          criterion={search.criteria.find(({ paramName }) => paramName === name)}
          shown={shown}
          onCriterion={(criterion) => onCriterion(name, criterion)}
        />
      ))}
    </div>
  );
}

/** Small note, because the rows are available without the counts. */
function SummaryFailure({ retry }: Pick<ShownSummary, 'retry'>) {
  return (
    <p className="mb-2 text-quiet text-small" role="status">
      Counts could not be loaded.{' '}
      <Button look="link" small onClick={retry}>
        Retry
      </Button>
    </p>
  );
}

/** Returns true when no record has a value, so that there is nothing to choose. */
const isNowhereStated = (values: readonly FacetValue[] = []): boolean =>
  values.every(({ value }) => value === null);

interface FacetProps {
  readonly list: ListDefinition;
  readonly name: string;
  readonly criterion: FieldCriterion | undefined;
  readonly shown: ShownSummary;
  readonly onCriterion: (criterion: FieldCriterion | undefined) => void;
}

function Facet({
  list,
  name,
  criterion,
  shown: { summary, stale, failed },
  onCriterion,
}: FacetProps) {
  const readerZone = useReaderZone();
  const isCriterion = isCriterionOnly(list, name);
  const stated = getField(list, name);
  const definition = isCriterion ? { ...stated, kind: 'flag' as const } : stated;
  const timeZone = dateZone(definition, readerZone);
  const field = { name, definition, criterion, timeZone, isCriterion };
  const values = summary?.facets[name];
  const further = summary?.furtherValues[name] ?? 0;
  const isKnown = summary !== undefined && !stale;
  if (isKnown && criterion === undefined && isNowhereStated(values)) return null;
  return (
    <FacetGroup
      definition={definition}
      values={buildShownValues(definition, { values, further }, getChosenValues(field), isKnown)}
      further={further}
      loading={summary === undefined && !failed}
      stale={stale}
      onPress={(value) => onCriterion(toggleValue(field, value))}
      lead={
        definition.kind === 'date' && definition.dueBy !== true ? (
          <RecentDays
            name={name}
            label={definition.label}
            criterion={criterion}
            onCriterion={onCriterion}
          />
        ) : null
      }
    />
  );
}

/** Buttons for the last 7, 30 or 90 days. The criterion is relative, so that a saved view stays current. */
const spans = [7, 30, 90] as const;

interface RecentDaysProps {
  readonly name: string;
  readonly label: string;
  readonly criterion: FieldCriterion | undefined;
  readonly onCriterion: (criterion: FieldCriterion | undefined) => void;
}

function RecentDays({ name, label, criterion, onCriterion }: RecentDaysProps) {
  return (
    <div
      role="group"
      aria-label={`${label} within`}
      className={`${styles['spans']} flex mb-1 rounded overflow-hidden`}
    >
      {spans.map((days) => {
        const value = `last_${days}_days`;
        const isChosen = criterion?.operator === 'equal' && criterion.value === value;
        return (
          <button
            key={days}
            type="button"
            className={`${styles['span']} flex-1 px-1 bg-surface text-small`}
            aria-pressed={isChosen}
            aria-label={`Last ${days} days`}
            title={`Last ${days} days`}
            onClick={() =>
              onCriterion(isChosen ? undefined : { paramName: name, operator: 'equal', value })
            }
          >
            {days} days
          </button>
        );
      })}
    </div>
  );
}
