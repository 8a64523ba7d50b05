/** Dialog that edits a criterion: operator and value. */

import { operatorsOfKind } from '@patch/catalogue/definition/field-kinds.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRelativeTime } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { Select } from 'antd';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import {
  type Draft,
  draftProblem,
  type InputProps,
  needsValue,
  newDraft,
  toCriterion,
  withOperator,
} from '../../values/criterion-rules.ts';
import { inputOfKind } from '../../values/input-of-kind.tsx';
import { operatorLabel } from '../../values/operator-label.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import { Button } from '../../widgets/button.tsx';
import styles from './criterion-picker.module.css';

interface CriterionPickerProps {
  readonly list: ListDefinition;
  readonly paramName: string;
  /** Undefined for a new criterion. */
  readonly criterion: FieldCriterion | undefined;
  readonly onDone: (criterion: FieldCriterion) => void;
  readonly onCancel: () => void;
}

export function CriterionPicker({
  list,
  paramName,
  criterion,
  onDone,
  onCancel,
}: CriterionPickerProps) {
  const field = getField(list, paramName);
  const [draft, setDraft] = useState<Draft>(() =>
    criterion === undefined
      ? newDraft(field)
      : { operator: criterion.operator, value: criterion.value, toValue: criterion.toValue },
  );
  const [isSubmitted, setIsSubmitted] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const problemId = useId();
  const problem = draftProblem(field, draft, useReaderZone());
  const shownProblem = isSubmitted ? problem : undefined;
  const Input = inputOfKind[field.kind];
  useFirstInputFocus(panel);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keeps the keys of its inputs from the list behind it
    <div
      ref={panel}
      role="dialog"
      aria-label={`${criterion === undefined ? 'Add' : 'Edit'} criterion: ${field.label}`}
      aria-describedby={shownProblem === undefined ? undefined : problemId}
      onKeyDown={(event: KeyboardEvent) => {
        // The popover handles these two keys.
        if (event.key !== 'Escape' && event.key !== 'Tab') event.stopPropagation();
      }}
    >
      <form
        className={`${styles['panel']} grid gap-3`}
        onSubmit={(event) => {
          event.preventDefault();
          setIsSubmitted(true);
          if (problem === undefined) onDone(toCriterion(paramName, field, draft));
        }}
      >
        <div className="flex items-center justify-between gap-3">
          <strong>{field.label}</strong>
          <OperatorSelect field={field} draft={draft} onDraft={setDraft} />
        </div>
        {field.help !== undefined && <p className="text-quiet text-small">{field.help}</p>}
        {needsValue(draft.operator) && (
          <div data-value>
            <Input field={field} draft={draft} onDraft={setDraft} />
          </div>
        )}
        {shownProblem !== undefined && (
          <p id={problemId} role="alert" className="text-danger text-small">
            {shownProblem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button small onClick={onCancel}>
            Cancel
          </Button>
          <Button small look="primary" type="submit">
            Done
          </Button>
        </div>
      </form>
    </div>
  );
}

/** Operator of the criterion; hidden for a relative time, which has only one. */
function OperatorSelect({ field, draft, onDraft }: InputProps) {
  if (typeof draft.value === 'string' && field.kind === 'date' && isRelativeTime(draft.value))
    return null;
  return (
    <Select
      size="small"
      variant="filled"
      aria-label={`${field.label}: comparison`}
      className={styles['operator'] ?? ''}
      value={draft.operator}
      options={operatorsOfKind[field.kind].map((operator) => ({
        value: operator,
        label: operatorLabel(field.kind, operator),
      }))}
      onChange={(operator) => onDraft(withOperator(field, draft, operator))}
      popupMatchSelectWidth={false}
    />
  );
}

/** Focuses the checked input, else the first, when the panel opens. */
function useFirstInputFocus(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const inputs = [
      ...(panel.current?.querySelectorAll<HTMLElement>('[data-value] input, [data-value] button') ??
        []),
    ];
    (inputs.find((input) => (input as HTMLInputElement).checked) ?? inputs[0])?.focus({
      preventScroll: true,
    });
  }, [panel]);
}
