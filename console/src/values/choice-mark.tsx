/** Shows a choice as a tag; a severity as word, icon and colour, so that it does not depend on colour alone. */
import { SeverityIcon } from '../widgets/severity-icon.tsx';
import { toChoiceSeverity } from './choice-severity.ts';
import { labelFor, type ValueProps } from './value-view.tsx';
import styles from './values.module.css';

export function ChoiceMark({ field, value }: ValueProps<'choice'>) {
  const severity = toChoiceSeverity(field, value);
  if (severity === undefined)
    return <span className={styles['choice']}>{labelFor(field, value)}</span>;
  const isMapped = field.severityScale !== undefined;
  return (
    <span
      className={styles['severity']}
      data-quiet={(isMapped && severity === 'Unspecified') || undefined}
      data-tip={isMapped ? `In the vendor's words: ${value}` : undefined}
    >
      <SeverityIcon severity={severity} />
      {isMapped ? severity : value}
      {isMapped && <span className="visually-hidden"> ({value})</span>}
    </span>
  );
}
