/** Button that hides superseded records with a criterion. */
import { EyeInvisibleOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { hideableFlag } from '@patch/catalogue/definition/record-badges.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { withCriterion, withoutCriterion } from './typed-search.ts';

interface HideMutedProps {
  readonly list: ListDefinition;
  readonly criteria: readonly FieldCriterion[];
  /** Shows the icon without its text. */
  readonly narrow: boolean;
  readonly onCriteria: (criteria: readonly FieldCriterion[]) => void;
}

/** Renders nothing for a list without such a flag. */
export function HideMuted({ list, criteria, narrow, onCriteria }: HideMutedProps) {
  const flag = hideableFlag(list);
  if (flag === undefined) return null;
  const hidden = criteria.some(
    (criterion) => criterion.paramName === flag.name && hides(criterion),
  );
  // Records with an unknown state stay visible.
  const hiding: FieldCriterion = { paramName: flag.name, operator: 'not_equal', value: true };
  const label = `Hide ${flag.label.toLowerCase()}`;
  return (
    <Button
      look="quiet"
      icon={<Icon of={EyeInvisibleOutlined} />}
      aria-pressed={hidden}
      aria-label={label}
      title={narrow ? label : undefined}
      onClick={() =>
        onCriteria(hidden ? withoutCriterion(criteria, flag.name) : withCriterion(criteria, hiding))
      }
    >
      {narrow ? null : label}
    </Button>
  );
}

/** Accepts both equivalent criteria. */
const hides = ({ operator, value }: FieldCriterion): boolean =>
  (operator === 'not_equal' && value === true) || (operator === 'equal' && value === false);
