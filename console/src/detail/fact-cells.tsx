/** Facts with labels, in as many columns as fit. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { WireValue } from '@patch/contract/base/row-schema.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import { Fact } from '../values/fact-of-kind.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { FigureLink } from '../widgets/figure-link.tsx';
import styles from './fact-cells.module.css';

export interface ShownFact {
  readonly name: string;
  readonly field: Field<FieldKind, unknown>;
  readonly value: WireValue;
  /** The search behind a number; absent or null for other values. */
  readonly figure?: Figure | null;
}

interface FactCellsProps {
  readonly facts: readonly ShownFact[];
  /** Gives each fact the full width. */
  readonly across?: boolean;
}

export function FactCells({ facts, across = false }: FactCellsProps) {
  if (facts.length === 0) return null;
  return (
    <dl className={`${across ? '' : styles['cells']} grid gap-y-4 gap-x-6 m-0`}>
      {facts.map(({ name, ...fact }) => (
        <FactCell key={name} {...fact} />
      ))}
    </dl>
  );
}

function FactCell({ field, value, figure = null }: Omit<ShownFact, 'name'>) {
  const several = Array.isArray(value) && value.length > 1;
  return (
    <div className="min-w-0">
      <dt
        className={`${styles['label']} flex items-center gap-1 text-quiet text-small`}
        title={field.help}
      >
        {field.label}
        {several && (
          <>
            {' '}
            <span className="figures">{value.length}</span>{' '}
            <CopyButton text={value.join('\n')} what={`all ${field.label}`} />
          </>
        )}
      </dt>
      <dd className={`${styles['value']} m-0 text-dense`}>
        {figure === null ? (
          <Fact field={field} value={value} />
        ) : (
          <FigureLink figure={figure} counts={field.label} />
        )}
      </dd>
    </div>
  );
}
