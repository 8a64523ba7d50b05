/** Values of one field as checkboxes: the first ones, all on request, with a filter input for many values. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { type ReactNode, useId, useState } from 'react';
import { toChoiceSeverity } from '../values/choice-severity.ts';
import { Button } from '../widgets/button.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { SeverityIcon } from '../widgets/severity-icon.tsx';
import type { FacetWord } from './facet-choice.ts';
import styles from './facet-group.module.css';
import { type ShownValue, toAccessibleName } from './facet-values.ts';

const initialCount = 6;
/** A longer list gets a filter input. */
const maxWithoutFilter = 12;

interface FacetGroupProps {
  readonly definition: Field<FieldKind, unknown>;
  readonly values: readonly ShownValue[];
  /** Number of values that the reply left out. */
  readonly further: number;
  /** True before the first reply. */
  readonly loading: boolean;
  readonly stale: boolean;
  readonly onPress: (value: FacetWord) => void;
  /** Shown above the values. */
  readonly lead: ReactNode;
}

export function FacetGroup(props: FacetGroupProps) {
  const { definition, values, further, loading, stale, onPress, lead } = props;
  const [expanded, setExpanded] = useState(false);
  const [typed, setTyped] = useState('');
  const id = useId();
  const total = values.length + further;
  const isLong = total > initialCount + 1;
  const isFiltered = typed.trim() !== '';
  const matching = values.filter(({ label }) => fold(label).includes(fold(typed.trim())));
  return (
    <fieldset className={`${styles['group']} border-t`} data-stale={stale || undefined}>
      <legend className={`${styles['legend']} w-full mb-1 p-0 text-dense font-600`}>
        {definition.label}
      </legend>
      {lead}
      {loading ? <Skeleton /> : null}
      {total > maxWithoutFilter ? (
        <ValueFilter
          label={definition.label}
          typed={typed}
          onType={setTyped}
          onEnter={() => {
            const first = isFiltered ? matching.find(({ chosen }) => !chosen) : undefined;
            if (first === undefined) return;
            setTyped('');
            onPress(first.value);
          }}
        />
      ) : null}
      <div id={id} className={styles['values']} data-expanded={expanded || isFiltered || undefined}>
        {limitValues(matching, expanded || isFiltered || !isLong).map((shown) => (
          <FacetBox key={String(shown.value)} {...props} shown={shown} />
        ))}
      </div>
      <FacetNotes
        nothing={!loading && matching.length === 0}
        further={expanded || isFiltered ? further : 0}
        shown={values.length}
      />
      {isLong && !isFiltered ? (
        <Button
          look="link"
          small
          className={styles['more'] ?? ''}
          aria-expanded={expanded}
          aria-controls={id}
          onClick={() => setExpanded(!expanded)}
        >
          {expanded ? 'Show fewer' : `Show all ${formatNumber(total)}`}
          <span className="visually-hidden"> of {definition.label}</span>
        </Button>
      ) : null}
    </fieldset>
  );
}

interface ValueFilterProps {
  readonly label: string;
  readonly typed: string;
  readonly onType: (words: string) => void;
  /** Chooses the first match. */
  readonly onEnter: () => void;
}

function ValueFilter({ label, typed, onType, onEnter }: ValueFilterProps) {
  return (
    <input
      type="search"
      className={`${styles['filter']} w-full mb-1 py-0 px-2 bg-surface text-dense`}
      aria-label={`Filter ${label}`}
      placeholder="Filter"
      title="Enter chooses the first match"
      value={typed}
      onChange={({ target }) => onType(target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}

/** Returns the first values and chosen ones after them. */
const limitValues = (values: readonly ShownValue[], all: boolean): readonly ShownValue[] =>
  all ? values : values.filter(({ chosen }, index) => chosen || index < initialCount);

function FacetNotes({
  nothing,
  further,
  shown,
}: {
  readonly nothing: boolean;
  readonly further: number;
  readonly shown: number;
}) {
  if (nothing) return <p className={`${styles['note']} text-quiet text-small`}>No values</p>;
  if (further === 0) return null;
  return (
    <p className={`${styles['note']} text-quiet text-small`}>
      {formatNumber(shown)} most frequent. Find the other {formatNumber(further)} with the search
      bar.
    </p>
  );
}

function FacetBox({
  definition,
  shown,
  onPress,
}: Pick<FacetGroupProps, 'definition' | 'onPress'> & { readonly shown: ShownValue }) {
  const { value, label, chosen, count } = shown;
  const severity = value === null ? undefined : toChoiceSeverity(definition, value);
  return (
    <label
      className={`${styles['value']} flex items-start gap-2 text-dense cursor-pointer`}
      data-chosen={chosen || undefined}
    >
      <input
        type="checkbox"
        className={`${styles['box']} flex-none cursor-pointer`}
        aria-label={toAccessibleName(shown)}
        checked={chosen}
        onChange={() => onPress(value)}
      />
      {severity !== undefined ? <SeverityIcon severity={severity} /> : null}
      <span
        className={`${styles['label']} flex-1 min-w-0 overflow-hidden break-anywhere`}
        data-quiet={value === null || undefined}
        data-tip-when-cut={label}
      >
        {label}
      </span>
      <span
        className={`${styles['count']} flex-none text-quiet figures`}
        data-none={count === 0 || undefined}
      >
        {count === undefined ? '' : formatNumber(count)}
      </span>
    </label>
  );
}

/** Placeholder with the height of the values. */
function Skeleton() {
  return (
    <div className={`${styles['skeleton']} flex flex-col`} aria-hidden="true">
      {[80, 64, 72, 48].map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
