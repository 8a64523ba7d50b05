/** The settings by what they are about, each part with a form of its own: saving one touches no other. */

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
import { changesOf } from '../../forms/form-changes.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { UnsavedMark } from '../../forms/unsaved-mark.tsx';
import styles from './configuration-screen.module.css';
import { useSaveSettings } from './use-save-settings.ts';

/** Words that stand for none are empty in a form. */
type Draft<Names extends GeneralSetting> = {
  -readonly [Name in Names]: NonNullable<GeneralSettings[Name]> | '';
};

interface PartProps<Names extends GeneralSetting> extends SettingsReply {
  readonly names: readonly Names[];
  readonly children: ReactNode;
}

/** Said when a page is left on which a part of the configuration was changed. */
export const unsavedSettings = { words: 'Your changes to the configuration are not saved.' };

function Part<Names extends GeneralSetting>({
  settings,
  fixed,
  names,
  children,
}: PartProps<Names>) {
  const save = useSaveSettings();
  const draft = Object.fromEntries(
    names.map((name) => [name, settings[name] ?? '']),
  ) as Draft<Names>;
  const free = names.filter((name) => fixed[name] === undefined);
  const settingsOf = (of: Partial<Draft<Names>>) =>
    Object.fromEntries(
      free.map((name) => [name, blankIsNone(of[name])]),
    ) as Partial<GeneralSettings>;
  return (
    <RuleForm<Draft<Names>>
      initialValues={draft as Partial<Draft<Names>>}
      unsaved={unsavedSettings}
      onSubmit={(entered, before) => save(changesOf(settingsOf(before), settingsOf(entered)))}
    >
      {children}
      {free.length === 0 ? null : (
        <div className={styles['buttons']}>
          <SubmitButton whenChanged>Save</SubmitButton>
          <UnsavedMark />
        </div>
      )}
    </RuleForm>
  );
}

const blankIsNone = (value: unknown) =>
  typeof value !== 'string' ? (value ?? null) : value.trim() === '' ? null : value.trim();

/** Said where the environment settles it. */
const settledBy = (fixed: SettingsReply['fixed'], name: GeneralSetting, words?: string) =>
  fixed[name] === undefined ? words : `Set by the ${fixed[name]} environment variable.`;

interface NumberProps extends SettingsReply {
  readonly name: GeneralSetting;
  readonly label: string;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
}

function NumberField({ fixed, name, label, unit, least, most }: NumberProps) {
  return (
    <RuleField name={name} label={label} rules={[required]} extra={settledBy(fixed, name)}>
      <InputNumber
        className={styles['number'] ?? ''}
        min={least}
        max={most}
        precision={0}
        suffix={unit}
        controls={false}
        disabled={fixed[name] !== undefined}
      />
    </RuleField>
  );
}

const zones = () => [
  { value: '', label: 'Browser time zone' },
  ...Intl.supportedValuesOf('timeZone').map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  })),
];

export function GeneralForm(kept: SettingsReply) {
  const { fixed } = kept;
  return (
    <Part {...kept} names={['name', 'baseUrl', 'timeZone']}>
      <RuleField name="name" label="Name" rules={[required, shortText]}>
        <Input maxLength={60} autoComplete="off" />
      </RuleField>
      <RuleField
        name="baseUrl"
        label="Address of the console"
        rules={[url]}
        extra={settledBy(
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
      <RuleField name="timeZone" label="Time zone" chosen>
        <Select showSearch options={zones()} />
      </RuleField>
    </Part>
  );
}

const groupWords: Record<GeneralSettings['secondFactorRequired'], string> = {
  nobody: 'No one',
  administrators: 'Administrators',
  everybody: 'Everyone',
};

export function SessionForm(kept: SettingsReply) {
  return (
    <Part {...kept} names={['sessionIdleMinutes', 'sessionMaxHours', 'secondFactorRequired']}>
      <div className={styles['pair']}>
        <NumberField
          {...kept}
          name="sessionIdleMinutes"
          label="Ends when idle for"
          unit="minutes"
          least={1}
          most={1440}
        />
        <NumberField
          {...kept}
          name="sessionMaxHours"
          label="Ends at the latest after"
          unit="hours"
          least={1}
          most={720}
        />
      </div>
      <RuleField
        name="secondFactorRequired"
        label="Second factor required for"
        chosen
        extra="Users without one set it up at their next sign-in with a password. Identity providers use their own."
      >
        <Select
          options={secondFactorGroups.map((group) => ({ value: group, label: groupWords[group] }))}
        />
      </RuleField>
    </Part>
  );
}

export function VendorForm(kept: SettingsReply) {
  const { fixed } = kept;
  return (
    <Part {...kept} names={['feedMirror']}>
      <RuleField
        name="feedMirror"
        label="Mirror address"
        rules={[url]}
        extra={settledBy(
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
    </Part>
  );
}

export function RetentionForm(kept: SettingsReply) {
  return (
    <Part {...kept} names={['runsKept', 'mailsKeptDays', 'auditKeptDays', 'downloadsKeptDays']}>
      <div className={styles['pair']}>
        <NumberField
          {...kept}
          name="runsKept"
          label="Runs of each source"
          unit="runs"
          least={10}
          most={10_000}
        />
        <NumberField
          {...kept}
          name="mailsKeptDays"
          label="Sent emails"
          unit="days"
          least={1}
          most={3650}
        />
        <NumberField
          {...kept}
          name="auditKeptDays"
          label="Audit log"
          unit="days"
          least={30}
          most={3650}
        />
        <NumberField
          {...kept}
          name="downloadsKeptDays"
          label="Downloads"
          unit="days"
          least={1}
          most={365}
        />
      </div>
    </Part>
  );
}
