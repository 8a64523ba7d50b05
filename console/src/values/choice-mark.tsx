/** One of a field's choices: a severity as word, icon and colour, so that none of the three has to be seen; any other as a plain tag. */
import { severities } from '@patch/catalogue/schemas/severities.ts';
import { SeverityIcon } from '../widgets/severity-icon.tsx';
import { labelFor, type ValueProps } from './value-view.tsx';
import styles from './values.module.css';

export function ChoiceMark({ field, value }: ValueProps<'choice'>) {
  if (field.look !== 'severity')
    return <span className={styles['choice']}>{labelFor(field, value)}</span>;
  return (
    <span className={styles['severity']}>
      <SeverityIcon severity={severities.find((known) => known === value) ?? 'Unspecified'} />
      {value}
    </span>
  );
}
