/** Facts with labels, in as many columns as fit. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { WireValue } from '@patch/contract/row-schema.ts';
import { Fact } from '../values/fact-of-kind.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import styles from './fact-cells.module.css';

export interface ShownFact {
  readonly name: string;
  readonly field: Field<FieldKind, unknown>;
  readonly value: WireValue;
}

interface FactCellsProps {
  readonly facts: readonly ShownFact[];
  /** Gives each fact the full width. */
  readonly across?: boolean;
}

export function FactCells({ facts, across = false }: FactCellsProps) {
  if (facts.length === 0) return null;
  return (
    <dl className={styles[across ? 'across' : 'cells']}>
      {facts.map(({ name, field, value }) => (
        <FactCell key={name} field={field} value={value} />
      ))}
    </dl>
  );
}

function FactCell({ field, value }: Pick<ShownFact, 'field' | 'value'>) {
  const several = Array.isArray(value) && value.length > 1;
  return (
    <div className={styles['fact']}>
      <dt title={field.help}>
        {field.label}
        {several && (
          <>
            {' '}
            <span className={styles['count']}>{value.length}</span>{' '}
            <CopyButton text={value.join('\n')} what={`all ${field.label}`} />
          </>
        )}
      </dt>
      <dd>
        <Fact field={field} value={value} />
      </dd>
    </div>
  );
}
