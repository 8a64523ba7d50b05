/** Fields of a `RuleForm` with their inputs, and the buttons below them. */
import {
  Input,
  InputNumber,
  type InputNumberProps,
  type InputProps,
  Select,
  type SelectProps,
} from 'antd';
import type { ComponentProps, ReactNode } from 'react';
import { timeZone } from '../api/session.ts';
import { RuleField } from '../forms/rule-field.tsx';
import { SubmitButton } from '../forms/submit-button.tsx';
import { Button } from '../widgets/button.tsx';
import { CheckBox } from '../widgets/check-box.tsx';
import styles from './form-fields.module.css';

type FieldProps = Omit<ComponentProps<typeof RuleField>, 'children'>;

/** `input` has the attributes of the input. The browser completes nothing unless it says so. */
export function TextField({ input, ...field }: FieldProps & { readonly input?: InputProps }) {
  return (
    <RuleField {...field}>
      <Input autoComplete="off" {...input} />
    </RuleField>
  );
}

interface NumberFieldProps extends FieldProps {
  readonly input: InputNumberProps<number>;
}

/** A whole number. */
export function NumberField({ input, ...field }: NumberFieldProps) {
  return (
    <RuleField {...field}>
      <InputNumber<number>
        className={styles['number'] ?? ''}
        precision={0}
        controls={false}
        {...input}
      />
    </RuleField>
  );
}

interface SelectFieldProps extends FieldProps {
  readonly options?: NonNullable<SelectProps['options']>;
  readonly select?: SelectProps;
}

export function SelectField({ options = [], select, ...field }: SelectFieldProps) {
  return (
    <RuleField isChoice {...field}>
      <Select options={options} {...select} />
    </RuleField>
  );
}

export const toOptions = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));

/** Each hour of a day. */
export const hourOptions = Array.from({ length: 24 }, (_, hour) => ({
  value: hour,
  label: `${String(hour).padStart(2, '0')}:00`,
}));

interface HourFieldProps {
  /** A hidden field keeps its value. */
  readonly hidden: boolean;
  /** Follows the time zone. */
  readonly words?: string;
}

/** The hour of a daily email, in the user's time zone. */
export function HourField({ hidden, words = '' }: HourFieldProps) {
  return (
    <div hidden={hidden}>
      <SelectField
        name="hour"
        label="At"
        extra={`${timeZone()} time${words}`}
        options={hourOptions}
        select={{ className: styles['hour'] ?? '' }}
      />
    </div>
  );
}

export function CheckField({ children, ...field }: ComponentProps<typeof RuleField>) {
  return (
    <RuleField valuePropName="checked" isChoice {...field}>
      <CheckBox>{children as ReactNode}</CheckBox>
    </RuleField>
  );
}

interface ChoicesFieldProps extends FieldProps {
  readonly label: string;
  /** Labels by value, in the order of the boxes. */
  readonly choices: readonly (readonly [value: string, label: string])[];
}

/** A checkbox for each choice. The value lists the chosen ones in their order. */
export function ChoicesField({ choices, ...field }: ChoicesFieldProps) {
  return (
    <RuleField isChoice {...field}>
      <ChoiceBoxes label={field.label} choices={choices} />
    </RuleField>
  );
}

interface ChoiceBoxesProps extends Pick<ChoicesFieldProps, 'label' | 'choices'> {
  readonly id?: string;
  readonly value?: readonly string[];
  readonly onChange?: (values: readonly string[]) => void;
}

function ChoiceBoxes({ id, label, choices, value = [], onChange }: ChoiceBoxesProps) {
  const choose = (choice: string, isChosen: boolean) =>
    choices
      .map(([each]) => each)
      .filter((each) => (each === choice ? isChosen : value.includes(each)));
  return (
    <div id={id} role="group" aria-label={label} className={styles['choices']}>
      {choices.map(([choice, words]) => (
        <CheckBox
          key={choice}
          checked={value.includes(choice)}
          onChange={(isChosen) => onChange?.(choose(choice, isChosen))}
        >
          {words}
        </CheckBox>
      ))}
    </div>
  );
}

interface FormButtonsProps extends Pick<ComponentProps<typeof SubmitButton>, 'whenChanged'> {
  readonly submit: string;
  /** Adds a button that cancels. */
  readonly onCancel?: () => void;
  readonly className?: string | undefined;
  /** Further buttons. */
  readonly children?: ReactNode;
}

export function FormButtons({ submit, onCancel, className, children, ...rest }: FormButtonsProps) {
  return (
    <div className={`${styles['buttons'] ?? ''} ${className ?? ''}`}>
      <SubmitButton {...rest}>{submit}</SubmitButton>
      {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
      {children}
    </div>
  );
}
