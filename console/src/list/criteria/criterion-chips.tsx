/** Chips of the current criteria: a click edits one, × removes it. */

import { CloseOutlined } from '@ant-design/icons-svg';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { keywordTerms } from '@patch/contract/filter/keyword-terms.ts';
import type { ReactNode } from 'react';
import { criterionText } from '../../values/criterion-text.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import { Button } from '../../widgets/button.tsx';
import { confirm } from '../../widgets/confirm-modal.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Popover } from '../../widgets/popover.tsx';
import styles from './criterion-chips.module.css';
import { useDefaultSearch } from './criterion-defaults.ts';
import { LazyCriterionPicker } from './lazy-criterion-picker.tsx';
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
}

export function CriterionChips(props: CriterionChipsProps) {
  const { list, currentSearch, onEditKeyword, onFocusLost, onAsk } = props;
  const { criteria, keyword } = currentSearch;
  const criterionCount = criteria.length + (keyword === '' ? 0 : 1);
  const defaults = useDefaultSearch(list);
  const changed =
    keyword !== defaults.keyword ||
    writeCriteria(list, criteria) !== writeCriteria(list, defaults.criteria);
  if (criterionCount === 0 && !changed) return null;
  return (
    <ul className={styles['chips']} aria-label="Criteria">
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
          <Button look="link" small onClick={() => void clearAll(criterionCount, onAsk)}>
            Clear all
          </Button>
        )}
      </li>
    </ul>
  );
}

/** Clears all criteria after confirmation. */
async function clearAll(count: number, onAsk: CriterionChipsProps['onAsk']): Promise<void> {
  const body = count === 1 ? 'The criterion is removed.' : `All ${count} criteria are removed.`;
  await confirm({ title: 'Clear the search?', body, yes: 'Yes' }).then(
    () => onAsk({ criteria: [], keyword: '' }),
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
  return (
    <Chip
      {...criterionText(getField(list, paramName), criterion, zone)}
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
  readonly onEdit: () => void;
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
  return (
    <li className={styles['chip']}>
      <Popover open={editor !== false} onClose={onEdited} content={editor}>
        <button
          type="button"
          className={styles['words']}
          title={`${label} ${operator} ${value}`}
          onClick={onEdit}
        >
          <span className={styles['quiet']}>
            {label} {operator}
          </span>
          {value !== '' && <strong className={styles['value']}>{value}</strong>}
        </button>
      </Popover>
      <button
        type="button"
        className={styles['remove']}
        aria-label={`Remove ${label}`}
        onClick={({ detail }) => onRemove(detail === 0)}
      >
        <Icon of={CloseOutlined} />
      </button>
    </li>
  );
}
