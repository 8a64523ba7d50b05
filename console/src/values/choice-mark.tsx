/** Shows a choice as a tag; a severity as word, icon and colour, so that it does not depend on colour alone. */
import { severities } from '@patch/catalogue/schemas/severities.ts';
import { SeverityIcon } from '../widgets/severity-icon.tsx';
import { labelFor, type ValueProps } from './value-view.tsx';
import styles from './values.module.css';

export function ChoiceMark({ field, value }: ValueProps<'choice'>) {
  if (field.look !== 'severity')
    return <span className={styles['choice']}>{labelFor(field, value)}</span>;
  return (
    <span className={styles['severity']}>
      <SeverityIcon severity={severities.find((severity) => severity === value) ?? 'Unspecified'} />
      {value}
    </span>
  );
}
