/** Criterion input of each field kind. The operator decides between one value, several, or a range. */

import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { Input, InputNumber, Radio, Select, Space, Switch } from 'antd';
import { type ComponentType, useState } from 'react';
import { CheckBox } from '../widgets/check-box.tsx';
import { type Draft, type InputProps, takesSeveral } from './criterion-rules.ts';
import { DateInput } from './date-input.tsx';
import { sizeUnits } from './file-size.ts';
import styles from './inputs.module.css';
import { type GivenOption, normalizeOptions, offeredOptions } from './normal-options.ts';
import { KnownWordsSelect, WordsSelect } from './words-select.tsx';

export const inputOfKind: { readonly [Kind in FieldKind]: ComponentType<InputProps> } = {
  text: WordsInput,
  prose: WordsInput,
  identifier: WordsInput,
  identifiers: WordsInput,
  tags: WordsInput,
  link: WordsInput,
  choice: ChoiceInput,
  number: (props) => <NumberInput {...props} units={noUnits} />,
  decimal: (props) => <NumberInput {...props} units={noUnits} decimals={maxDecimals} />,
  size: (props) => <NumberInput {...props} units={sizeUnits} decimals={2} />,
  date: DateInput,
  flag: FlagInput,
};

const toStrings = (draft: Draft): string[] =>
  Array.isArray(draft.value) ? draft.value.map(String) : [];

function WordsInput({ field, draft, onDraft }: InputProps) {
  if (takesSeveral(draft.operator)) {
    const Several = field.kind === 'tags' ? KnownWordsSelect : WordsSelect;
    return (
      <Several
        label={field.label}
        separators={[',', ';', '\n', '\t']}
        value={toStrings(draft)}
        onChange={(words) =>
          onDraft({
            ...draft,
            value: words.map((word) => word.trim()).filter((word) => word !== ''),
          })
        }
      />
    );
  }
  return (
    <Input
      placeholder={field.label}
      aria-label={field.label}
      maxLength={1000}
      value={typeof draft.value === 'string' ? draft.value : ''}
      onChange={({ target }) => onDraft({ ...draft, value: target.value })}
    />
  );
}

/** Checkboxes for several choices, radio buttons for one, highest rank first. For other operators the user types text. */
function ChoiceInput(props: InputProps) {
  const { field, draft, onDraft } = props;
  const several = takesSeveral(draft.operator);
  const options = normalizeOptions(((field.choices ?? []) as readonly GivenOption[]).toReversed(), {
    several,
  });
  if (options.length === 0 || !['in', 'not_in', 'equal', 'not_equal'].includes(draft.operator))
    return <WordsInput {...props} />;
  if (!several) {
    return (
      <Radio.Group
        className={styles['choices'] ?? ''}
        aria-label={field.label}
        options={offeredOptions(options, typeof draft.value === 'string' ? [draft.value] : []).map(
          ({ key, label, disabled }) => ({
            value: key,
            label,
            disabled,
          }),
        )}
        value={draft.value}
        onChange={({ target }) => onDraft({ ...draft, value: target.value as string })}
      />
    );
  }
  const chosen = toStrings(draft);
  return (
    <fieldset className={styles['fieldset']} aria-label={field.label}>
      <div className={styles['choices']}>
        {offeredOptions(options, chosen).map(({ key, label, disabled }) => (
          <CheckBox
            key={key}
            value={key}
            disabled={disabled}
            checked={chosen.includes(key)}
            onChange={(checked) =>
              onDraft({
                ...draft,
                value: checked ? [...chosen, key] : chosen.filter((choice) => choice !== key),
              })
            }
          >
            {label}
          </CheckBox>
        ))}
      </div>
    </fieldset>
  );
}

interface Unit {
  readonly word: string;
  readonly bytes: number;
}
const noUnits: readonly Unit[] = [{ word: '', bytes: 1 }];

/** Decimals of an EPSS probability. */
const maxDecimals = 5;

/** Numbers from 0 with up to `decimals` decimals. A size is typed in a unit and stored in bytes. */
function NumberInput({
  field,
  draft,
  onDraft,
  units,
  decimals = 0,
}: InputProps & { readonly units: readonly Unit[]; readonly decimals?: number }) {
  const [unit, setUnit] = useState(() => findUnit(draft.value, units));
  if (takesSeveral(draft.operator)) {
    return (
      <WordsSelect
        label={field.label}
        separators={[',', ';', ' ']}
        {...(units.length > 1 && { placeholder: 'Bytes, separated by commas' })}
        value={toStrings(draft)}
        onChange={(words) =>
          onDraft({ ...draft, value: words.filter(isNumberWord(field.kind)).map(Number) })
        }
      />
    );
  }
  const toStored = (number: number) => (field.kind === 'decimal' ? number : Math.round(number));
  const box = (label: string, bytes: unknown, onBytes: (bytes: number | undefined) => void) => (
    <InputNumber
      className={styles['number'] ?? ''}
      aria-label={label}
      min={0}
      precision={decimals}
      max={Number.MAX_SAFE_INTEGER}
      value={typeof bytes === 'number' ? bytes / unit.bytes : null}
      onChange={(number) => onBytes(number === null ? undefined : toStored(number * unit.bytes))}
    />
  );
  const between = draft.operator === 'between';
  return (
    <Space.Compact block>
      {box(between ? `${field.label} from` : field.label, draft.value, (value) =>
        onDraft({ ...draft, value }),
      )}
      {between &&
        box(`${field.label} to`, draft.toValue, (toValue) => onDraft({ ...draft, toValue }))}
      {units.length > 1 && (
        <Select
          className={styles['unit'] ?? ''}
          aria-label="Unit"
          options={units.map(({ word }) => ({ value: word, label: word }))}
          value={unit.word}
          onChange={(word) => {
            const next = units.find((candidate) => candidate.word === word) ?? unit;
            const inNext = (bytes: unknown) =>
              typeof bytes === 'number' ? Math.round((bytes / unit.bytes) * next.bytes) : undefined;
            setUnit(next);
            onDraft({ ...draft, value: inNext(draft.value), toValue: inNext(draft.toValue) });
          }}
        />
      )}
    </Space.Compact>
  );
}

const isNumberWord = (kind: FieldKind) => (word: string) =>
  (kind === 'decimal' ? /^\d{1,15}(\.\d{1,15})?$/ : /^\d{1,15}$/).test(word);

/** Returns the largest unit that does not exceed the value. */
function findUnit(value: Draft['value'], units: readonly Unit[]): Unit {
  const [smallest = { word: '', bytes: 1 }] = units;
  const megabytes = units.find(({ word }) => word === 'MB');
  if (typeof value !== 'number') return megabytes ?? smallest;
  return units.findLast(({ bytes }) => value >= bytes) ?? smallest;
}

function FlagInput({ field, draft, onDraft }: InputProps) {
  return (
    <Switch
      aria-label={field.label}
      checkedChildren="Yes"
      unCheckedChildren="No"
      checked={draft.value === true}
      onChange={(value) => onDraft({ ...draft, value })}
    />
  );
}
