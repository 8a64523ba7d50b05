/** The settings by topic. Each section is a form of its own, so that saving one does not affect the others. */

import { url } from '@patch/contract/form-rules/network-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type GeneralSetting,
  type GeneralSettings,
  type SettingsReply,
  secondFactorGroups,
} from '@patch/contract/settings-endpoints.ts';
import { Input, InputNumber, Select } from 'antd';
import type { ReactNode } from 'react';
import { findChanges } from '../../forms/form-changes.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { UnsavedMark } from '../../forms/unsaved-mark.tsx';
import styles from './configuration-screen.module.css';
import { useSaveSettings } from './use-save-settings.ts';

/** Null settings are empty in a form. */
type Draft<Names extends GeneralSetting> = {
  -readonly [Name in Names]: NonNullable<GeneralSettings[Name]> | '';
};

interface SettingsSectionProps<Names extends GeneralSetting> extends SettingsReply {
  readonly names: readonly Names[];
  readonly children: ReactNode;
}

/** Shown when the user leaves a page with unsaved settings. */
export const unsavedSettings = { message: 'Your changes to the configuration are not saved.' };

function SettingsSection<Names extends GeneralSetting>({
  settings,
  fixed,
  names,
  children,
}: SettingsSectionProps<Names>) {
  const save = useSaveSettings();
  const draft = Object.fromEntries(
    names.map((name) => [name, settings[name] ?? '']),
  ) as Draft<Names>;
  const editable = names.filter((name) => fixed[name] === undefined);
  const toSettings = (values: Partial<Draft<Names>>) =>
    Object.fromEntries(
      editable.map((name) => [name, blankToNull(values[name])]),
    ) as Partial<GeneralSettings>;
  return (
    <RuleForm<Draft<Names>>
      initialValues={draft as Partial<Draft<Names>>}
      unsaved={unsavedSettings}
      onSubmit={(entered, before) => save(findChanges(toSettings(before), toSettings(entered)))}
    >
      {children}
      {editable.length === 0 ? null : (
        <div className={styles['buttons']}>
          <SubmitButton whenChanged>Save</SubmitButton>
          <UnsavedMark />
        </div>
      )}
    </RuleForm>
  );
}

const blankToNull = (value: unknown) =>
  typeof value !== 'string' ? (value ?? null) : value.trim() === '' ? null : value.trim();

/** Names the environment variable that sets the field, otherwise returns `words`. */
const describeSource = (fixed: SettingsReply['fixed'], name: GeneralSetting, words?: string) =>
  fixed[name] === undefined ? words : `Set by the ${fixed[name]} environment variable.`;

interface NumberFieldProps extends SettingsReply {
  readonly name: GeneralSetting;
  readonly label: string;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
}

function NumberField({ fixed, name, label, unit, min, max }: NumberFieldProps) {
  return (
    <RuleField name={name} label={label} rules={[required]} extra={describeSource(fixed, name)}>
      <InputNumber
        className={styles['number'] ?? ''}
        min={min}
        max={max}
        precision={0}
        suffix={unit}
        controls={false}
        disabled={fixed[name] !== undefined}
      />
    </RuleField>
  );
}

const listTimeZones = () => [
  { value: '', label: 'Browser time zone' },
  ...Intl.supportedValuesOf('timeZone').map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  })),
];

export function GeneralForm(current: SettingsReply) {
  const { fixed } = current;
  return (
    <SettingsSection {...current} names={['name', 'baseUrl', 'timeZone']}>
      <RuleField name="name" label="Name" rules={[required, shortText]}>
        <Input maxLength={60} autoComplete="off" />
      </RuleField>
      <RuleField
        name="baseUrl"
        label="Address of the console"
        rules={[url]}
        extra={describeSource(
          fixed,
          'baseUrl',
          'Used for links in emails. Empty: the address the service listens on.',
        )}
      >
        <Input
          type="url"
          placeholder="https://patch.example.org"
          spellCheck={false}
          autoComplete="off"
          disabled={fixed.baseUrl !== undefined}
        />
      </RuleField>
      <RuleField name="timeZone" label="Time zone" isChoice>
        <Select showSearch options={listTimeZones()} />
      </RuleField>
    </SettingsSection>
  );
}

const groupLabels: Record<GeneralSettings['secondFactorRequired'], string> = {
  nobody: 'No one',
  administrators: 'Administrators',
  everybody: 'Everyone',
};

export function SessionForm(current: SettingsReply) {
  return (
    <SettingsSection
      {...current}
      names={['sessionIdleMinutes', 'sessionMaxHours', 'secondFactorRequired']}
    >
      <div className={styles['pair']}>
        <NumberField
          {...current}
          name="sessionIdleMinutes"
          label="Ends when idle for"
          unit="minutes"
          min={1}
          max={1440}
        />
        <NumberField
          {...current}
          name="sessionMaxHours"
          label="Ends at the latest after"
          unit="hours"
          min={1}
          max={720}
        />
      </div>
      <RuleField
        name="secondFactorRequired"
        label="Second factor required for"
        isChoice
        extra="Users without one set it up at their next sign-in with a password. Identity providers use their own."
      >
        <Select
          options={secondFactorGroups.map((group) => ({ value: group, label: groupLabels[group] }))}
        />
      </RuleField>
    </SettingsSection>
  );
}

export function VendorForm(current: SettingsReply) {
  const { fixed } = current;
  return (
    <SettingsSection {...current} names={['feedMirror']}>
      <RuleField
        name="feedMirror"
        label="Mirror address"
        rules={[url]}
        extra={describeSource(
          fixed,
          'feedMirror',
          'Documents are laid out below it as host/path. Empty: directly from the vendors. Each source can have its own mirror.',
        )}
      >
        <Input
          type="url"
          placeholder="https://"
          spellCheck={false}
          autoComplete="off"
          disabled={fixed.feedMirror !== undefined}
        />
      </RuleField>
    </SettingsSection>
  );
}

export function RetentionForm(current: SettingsReply) {
  return (
    <SettingsSection
      {...current}
      names={['runsKept', 'mailsKeptDays', 'auditKeptDays', 'downloadsKeptDays']}
    >
      <div className={styles['pair']}>
        <NumberField
          {...current}
          name="runsKept"
          label="Runs of each source"
          unit="runs"
          min={10}
          max={10_000}
        />
        <NumberField
          {...current}
          name="mailsKeptDays"
          label="Sent emails"
          unit="days"
          min={1}
          max={3650}
        />
        <NumberField
          {...current}
          name="auditKeptDays"
          label="Audit log"
          unit="days"
          min={30}
          max={3650}
        />
        <NumberField
          {...current}
          name="downloadsKeptDays"
          label="Downloads"
          unit="days"
          min={1}
          max={365}
        />
      </div>
    </SettingsSection>
  );
}
