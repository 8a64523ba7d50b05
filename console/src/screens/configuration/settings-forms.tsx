/** The settings by topic. Each topic is a form of its own, so that saving one does not affect the others. */
import { url } from '@patch/contract/form-rules/network-rules.ts';
import type { PasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import {
  type GeneralSetting,
  GeneralSettings,
  type SettingsReply,
  savePasswordPolicyEndpoint,
  saveSettingsEndpoint,
} from '@patch/contract/operations/settings-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { about, setAbout } from '../../api/about.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { findChanges } from '../../forms/form-changes.ts';
import { RuleForm } from '../../forms/rule-form.tsx';
import { UnsavedMark } from '../../forms/unsaved-mark.tsx';
import {
  CheckField,
  FormButtons,
  NumberField,
  SelectField,
  TextField,
  toOptions,
} from '../../resources/form-fields.tsx';
import { listTimeZones } from '../../resources/time-zone-options.ts';
import styles from './configuration-screen.module.css';

/** Null settings are empty in a form. */
type Draft<Names extends GeneralSetting> = {
  -readonly [Name in Names]: NonNullable<GeneralSettings[Name]> | '';
};

interface SettingsFormProps<Names extends GeneralSetting> extends SettingsReply {
  readonly names: readonly Names[];
  readonly children: ReactNode;
}

/** Shown when the user leaves a page with unsaved settings. */
const unsaved = { message: 'Your changes to the configuration are not saved.' };

const saveButton = (
  <FormButtons submit="Save" whenChanged>
    <UnsavedMark />
  </FormButtons>
);

function SettingsForm<Names extends GeneralSetting>({
  settings,
  fixed,
  names,
  children,
}: SettingsFormProps<Names>) {
  const queries = useQueryClient();
  const draft = Object.fromEntries(
    names.map((name) => [name, settings[name] ?? '']),
  ) as Draft<Names>;
  const editable = names.filter((name) => fixed[name] === undefined);
  const toSettings = (values: Partial<Draft<Names>>) =>
    Object.fromEntries(
      editable.map((name) => [name, blankToNull(values[name])]),
    ) as Partial<GeneralSettings>;

  async function save(body: Partial<GeneralSettings>): Promise<void> {
    const { name, timeZone } = (await callApi(saveSettingsEndpoint, { body })).settings;
    // The console shows them at once.
    setAbout({ ...about(), name, timeZone });
    toast.success('Settings saved');
    await queries.invalidateQueries({ queryKey: queryKeys.settings.all() });
  }
  return (
    <RuleForm<Draft<Names>>
      initialValues={draft as Partial<Draft<Names>>}
      unsaved={unsaved}
      onSubmit={(entered, before) => save(findChanges(toSettings(before), toSettings(entered)))}
    >
      {children}
      {editable.length === 0 ? null : saveButton}
    </RuleForm>
  );
}

const blankToNull = (value: unknown) =>
  typeof value !== 'string' ? (value ?? null) : value.trim() === '' ? null : value.trim();

/** Names the environment variable that sets the field, otherwise returns `words`. */
const describeSource = (fixed: SettingsReply['fixed'], name: GeneralSetting, words?: string) =>
  fixed[name] === undefined ? words : `Set by the ${fixed[name]} environment variable.`;

const sessionTimes = [
  ['sessionIdleMinutes', 'Ends when idle for', 'minutes'],
  ['sessionMaxHours', 'Ends at the latest after', 'hours'],
] as const;

const retention = [
  ['runsKept', 'Runs of each source', 'runs'],
  ['mailsKeptDays', 'Sent emails', 'days'],
  ['auditKeptDays', 'Audit log', 'days'],
  ['downloadsKeptDays', 'Downloads', 'days'],
] as const;

type NumberSetting = (typeof sessionTimes | typeof retention)[number];

interface NumberFieldsProps extends Pick<SettingsReply, 'fixed'> {
  readonly settings: readonly NumberSetting[];
}

const readLimits = ({ minValue, maxValue }: z.ZodNumber) => ({
  min: minValue ?? Number.NEGATIVE_INFINITY,
  max: maxValue ?? Number.POSITIVE_INFINITY,
});

/** Numbers side by side, with the limits of the contract. */
function NumberFields({ fixed, settings }: NumberFieldsProps) {
  return (
    <div className={styles['pair']}>
      {settings.map(([name, label, unit]) => (
        <NumberField
          key={name}
          name={name}
          label={label}
          rules={[required]}
          extra={describeSource(fixed, name)}
          input={{
            ...readLimits(GeneralSettings.shape[name]),
            suffix: unit,
            disabled: fixed[name] !== undefined,
          }}
        />
      ))}
    </div>
  );
}

interface AddressFieldProps extends Pick<SettingsReply, 'fixed'> {
  readonly name: GeneralSetting;
  readonly label: string;
  readonly words: string;
  readonly placeholder: string;
}

const AddressField = ({ fixed, name, label, words, placeholder }: AddressFieldProps) => (
  <TextField
    name={name}
    label={label}
    rules={[url]}
    extra={describeSource(fixed, name, words)}
    input={{ type: 'url', placeholder, spellCheck: false, disabled: fixed[name] !== undefined }}
  />
);

export function GeneralForm(current: SettingsReply) {
  return (
    <SettingsForm {...current} names={['name', 'baseUrl', 'timeZone']}>
      <TextField name="name" label="Name" rules={[required, shortText]} input={{ maxLength: 60 }} />
      <AddressField
        fixed={current.fixed}
        name="baseUrl"
        label="Address of the console"
        words="Used for links in emails. Empty: the address the service listens on."
        placeholder="https://patch.example.org"
      />
      <SelectField
        name="timeZone"
        label="Time zone"
        options={[{ value: '', label: 'Browser time zone' }, ...listTimeZones()]}
        select={{ showSearch: true }}
      />
    </SettingsForm>
  );
}

const groupLabels: Record<GeneralSettings['secondFactorRequired'], string> = {
  nobody: 'No one',
  administrators: 'Administrators',
  everybody: 'Everyone',
};

export function SessionForm(current: SettingsReply) {
  return (
    <SettingsForm
      {...current}
      names={[...sessionTimes.map(([name]) => name), 'secondFactorRequired']}
    >
      <NumberFields fixed={current.fixed} settings={sessionTimes} />
      <SelectField
        name="secondFactorRequired"
        label="Second factor required for"
        options={toOptions(groupLabels)}
        extra="Users without one set it up at their next sign-in with a password. Until then their API keys and feeds stop, too. Identity providers use their own."
      />
    </SettingsForm>
  );
}

export function VendorForm(current: SettingsReply) {
  return (
    <SettingsForm {...current} names={['feedMirror']}>
      <AddressField
        fixed={current.fixed}
        name="feedMirror"
        label="Mirror address"
        words="Documents are laid out below it as host/path. Empty: directly from the vendors. Each source can have its own mirror."
        placeholder="https://"
      />
    </SettingsForm>
  );
}

export function RetentionForm(current: SettingsReply) {
  return (
    <SettingsForm {...current} names={retention.map(([name]) => name)}>
      <NumberFields fixed={current.fixed} settings={retention} />
    </SettingsForm>
  );
}

const characterRules = [
  ['enableMixCase', 'Lower and upper case'],
  ['enableAlphabetAndNumber', 'Letters and digits'],
  ['enableSpecialChar', 'A special character'],
] as const;

export function PolicyForm({ policy }: { readonly policy: PasswordPolicy }) {
  const queries = useQueryClient();
  async function save(body: PasswordPolicy): Promise<void> {
    await callApi(savePasswordPolicyEndpoint, { body });
    toast.success('Password policy saved');
    await queries.invalidateQueries({ queryKey: queryKeys.settings.all() });
    await queries.invalidateQueries({ queryKey: queryKeys.passwords.policy() });
  }
  return (
    <RuleForm<PasswordPolicy> initialValues={policy} unsaved={unsaved} onSubmit={save}>
      <div className={styles['pair']}>
        <NumberField
          name="minLength"
          label="At least"
          rules={[required]}
          input={{
            ...readLimits(savePasswordPolicyEndpoint.body.shape.minLength),
            suffix: 'characters',
          }}
        />
      </div>
      <div className={styles['boxes']}>
        {characterRules.map(([name, words]) => (
          <CheckField key={name} name={name}>
            {words}
          </CheckField>
        ))}
      </div>
      {saveButton}
    </RuleForm>
  );
}
