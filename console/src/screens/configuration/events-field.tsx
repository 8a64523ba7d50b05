/** The field with the events that a channel receives by itself. */
import { subscribableTypes } from '@patch/contract/channel-endpoints.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { eventLabels } from './channel-labels.ts';
import styles from './channels.module.css';

export const EventsField = () => (
  <RuleField
    name="types"
    label="Events"
    isChoice
    extra="Beside these, alerts of saved views can send to the channel."
  >
    <EventBoxes />
  </RuleField>
);

interface EventBoxesProps {
  readonly id?: string;
  readonly value?: readonly string[];
  readonly onChange?: (types: readonly string[]) => void;
}

function EventBoxes({ id, value = [], onChange }: EventBoxesProps) {
  return (
    <div id={id} role="group" aria-label="Events" className={styles['boxes']}>
      {subscribableTypes.map((type) => (
        <CheckBox
          key={type}
          checked={value.includes(type)}
          onChange={(checked) =>
            onChange?.(checked ? [...value, type] : value.filter((each) => each !== type))
          }
        >
          {Object.hasOwn(eventLabels, type) ? eventLabels[type as keyof typeof eventLabels] : type}
        </CheckBox>
      ))}
    </div>
  );
}
