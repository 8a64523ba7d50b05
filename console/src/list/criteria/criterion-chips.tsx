/** Chips of the current criteria: a click edits one, × removes it. */

import { CloseOutlined } from '@ant-design/icons-svg';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getSortLabel } from '@patch/catalogue/definition/sort-fields.ts';
import { newestFirst } from '@patch/catalogue/records/all-patches-list.ts';
import { readCriteria, writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { keywordTerms } from '@patch/contract/filter/keyword-terms.ts';
import type { ReactNode } from 'react';
import { criterionText } from '../../values/criterion-text.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import { Button } from '../../widgets/button.tsx';
import { confirm } from '../../widgets/confirm-modal.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Popover } from '../../widgets/popover.tsx';
import { useSavedViews } from '../saved-views/use-saved-views.ts';
import styles from './criterion-chips.module.css';
import { LazyCriterionPicker } from './lazy-criterion-picker.tsx';
import { useNamedCriterion } from './referenced-names.ts';
import { type RequestedSearch, withCriterion, withoutCriterion } from './typed-search.ts';

interface CriterionChipsProps {
  readonly list: ListDefinition;
  readonly currentSearch: RequestedSearch;
  /** Field of the criterion being edited. */
  readonly editing: string | undefined;
  readonly onEditing: (paramName: string | undefined) => void;
  readonly onEditKeyword: () => void;
  /** Called when a focused chip is removed by keyboard. */
  readonly onFocusLost: () => void;
  readonly onAsk: (change: Partial<RequestedSearch>) => void;
  /** The order without a choice. */
  readonly usualSort: string;
}

export function CriterionChips(props: CriterionChipsProps) {
  const { list, currentSearch, onEditKeyword, onFocusLost, onAsk, usualSort } = props;
  const { criteria, keyword, sort } = currentSearch;
  const isNewestFirst = sort === newestFirst && sort !== usualSort;
  const criterionCount = criteria.length + (keyword === '' ? 0 : 1) + (isNewestFirst ? 1 : 0);
  const defaults = useDefaultSearch(list);
  const changed =
    keyword !== defaults.keyword ||
    writeCriteria(list, criteria) !== writeCriteria(list, defaults.criteria);
  if (criterionCount === 0 && !changed) return null;
  return (
    <ul
      className="flex flex-wrap items-center gap-y-1 gap-x-2 min-w-0 plain-list"
      aria-label="Criteria"
    >
      {isNewestFirst && (
        <Chip
          label="Order"
          operator="is"
          value={getSortLabel(list, sort)}
          onRemove={(byKey) => {
            if (byKey) onFocusLost();
            onAsk({ sort: null });
          }}
        />
      )}
      {criteria.map((criterion) => (
        <CriterionChip key={criterion.paramName} {...props} criterion={criterion} />
      ))}
      {keyword !== '' && (
        <Chip
          label="Keyword"
          operator={keywordTerms(keyword).length > 1 ? 'contains all of' : 'contains'}
          value={keyword}
          onEdit={onEditKeyword}
          onRemove={(byKey) => {
            if (byKey) onFocusLost();
            onAsk({ keyword: '' });
          }}
        />
      )}
      <li>
        {changed && (
          <Button
            look="link"
            small
            title="Back to the default search"
            onClick={() => onAsk(defaults)}
          >
            Reset
          </Button>
        )}
        {criterionCount > 0 && (
          <Button
            look="link"
            small
            onClick={() => void clearAll(criterionCount, onAsk, isNewestFirst)}
          >
            Clear all
          </Button>
        )}
      </li>
    </ul>
  );
}

/** Clears all criteria after confirmation. */
async function clearAll(
  count: number,
  onAsk: CriterionChipsProps['onAsk'],
  withOrder: boolean,
): Promise<void> {
  const body = count === 1 ? 'The criterion is removed.' : `All ${count} criteria are removed.`;
  await confirm({ title: 'Clear the search?', body, yes: 'Yes' }).then(
    () => onAsk({ ...emptySearch, ...(withOrder && { sort: null }) }),
    () => {},
  );
}

/** Chip of a criterion, with the picker that edits it. */
function CriterionChip({
  list,
  currentSearch: { criteria },
  criterion,
  editing,
  onEditing,
  onFocusLost,
  onAsk,
}: CriterionChipsProps & { readonly criterion: FieldCriterion }) {
  const zone = useReaderZone();
  const { paramName } = criterion;
  const named = useNamedCriterion(list, criterion);
  return (
    <Chip
      {...criterionText(getField(list, paramName), named, zone)}
      onEdit={() => onEditing(paramName)}
      onRemove={(byKey) => {
        if (byKey) onFocusLost();
        onAsk({ criteria: withoutCriterion(criteria, paramName) });
      }}
      editor={
        editing === paramName && (
          <LazyCriterionPicker
            list={list}
            paramName={paramName}
            criterion={criterion}
            onCancel={() => onEditing(undefined)}
            onDone={(edited) => {
              onEditing(undefined);
              onAsk({ criteria: withCriterion(criteria, edited) });
            }}
          />
        )
      }
      onEdited={() => onEditing(undefined)}
    />
  );
}

interface ChipProps {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
  /** Absent: the chip can only be removed. */
  readonly onEdit?: () => void;
  readonly onRemove: (byKey: boolean) => void;
  /** Editor while the chip is edited. */
  readonly editor?: ReactNode;
  readonly onEdited?: () => void;
}

function Chip({
  label,
  operator,
  value,
  onEdit,
  onRemove,
  editor = false,
  onEdited = () => undefined,
}: ChipProps) {
  const className = `${styles['words']} flex items-center gap-1 min-w-0 nowrap`;
  const words = (
    <>
      <span className="text-quiet">
        {label} {operator}
      </span>
      {value !== '' && (
        <strong className={`${styles['value']} overflow-hidden font-550`}>{value}</strong>
      )}
    </>
  );
  return (
    <li className={`${styles['chip']} inline-flex max-w-full border rounded bg-surface text-dense`}>
      {onEdit === undefined ? (
        <span className={className}>{words}</span>
      ) : (
        <Popover open={editor !== false} onClose={onEdited} content={editor}>
          <button
            type="button"
            className={className}
            title={`${label} ${operator} ${value}`}
            onClick={onEdit}
          >
            {words}
          </button>
        </Popover>
      )}
      <button
        type="button"
        className={`${styles['remove']} text-quiet`}
        aria-label={`Remove ${label}`}
        onClick={({ detail }) => onRemove(detail === 0)}
      >
        <Icon of={CloseOutlined} />
      </button>
    </li>
  );
}

/** Returns the initial search of a list: that of the user's default view, or an empty one. */
const emptySearch: RequestedSearch = { criteria: [], keyword: '' };

function useDefaultSearch(list: ListDefinition): RequestedSearch {
  const { views } = useSavedViews(list);
  const timeZone = useReaderZone();
  const defaultView = views?.find(({ isDefault }) => isDefault);
  if (defaultView === undefined) return emptySearch;
  const { criteria, keyword } = defaultView.search;
  return { criteria: readCriteria(list, criteria, { now: 0, timeZone }).criteria, keyword };
}
