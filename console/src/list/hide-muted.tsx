/** Hides the superseded records of a list in one press: a criterion like any other, set and removed. */
import { EyeInvisibleOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { hideableFlag } from '@patch/catalogue/definition/record-badges.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { withCriterion, withoutCriterion } from './asked-search.ts';

interface HideMutedProps {
  readonly list: ListDefinition;
  readonly criteria: readonly FieldCriterion[];
  readonly onCriteria: (criteria: readonly FieldCriterion[]) => void;
}

/** Nothing for a list without such a flag. */
export function HideMuted({ list, criteria, onCriteria }: HideMutedProps) {
  const flag = hideableFlag(list);
  if (flag === undefined) return null;
  const hidden = criteria.some(
    (criterion) => criterion.paramName === flag.name && hides(criterion),
  );
  // Records of which it is not known stay: only what is said to be superseded is hidden.
  const hiding: FieldCriterion = { paramName: flag.name, operator: 'not_equal', value: true };
  return (
    <Button
      look="quiet"
      icon={<Icon of={EyeInvisibleOutlined} />}
      aria-pressed={hidden}
      onClick={() =>
        onCriteria(hidden ? withoutCriterion(criteria, flag.name) : withCriterion(criteria, hiding))
      }
    >
      Hide {flag.label.toLowerCase()}
    </Button>
  );
}

/** Typed by hand it may be worded the other way round. */
const hides = ({ operator, value }: FieldCriterion): boolean =>
  (operator === 'not_equal' && value === true) || (operator === 'equal' && value === false);
