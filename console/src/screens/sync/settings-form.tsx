/** The form of a source's settings: whether, when, from where, which parts, and what of a shrunken publication is believed. */

import { formInvalid } from '@patch/contract/form-rules/form-rule.ts';
import {
  type SourceSettingsReply,
  standardShrinkageShare,
} from '@patch/contract/source-settings-endpoints.ts';
import { Form, type FormInstance, Input, InputNumber, Switch } from 'antd';
import type { ReactNode } from 'react';
import { toast } from '../../api/toast.ts';
import { durations } from '../../theme/tokens.ts';
import { PartsField } from './parts-field.tsx';
import { ScheduleField } from './schedule-field.tsx';
import { draftOf, type SettingsDraft } from './settings-draft.ts';
import styles from './settings-form.module.css';
import { mirrorRule, partsRule, shareRule, useScheduleRule } from './settings-rules.ts';

export interface SettingsFormProps {
  readonly form: FormInstance<SettingsDraft>;
  /** The Save button is outside the form. */
  readonly id: string;
  readonly label: string;
  readonly reply: SourceSettingsReply;
  readonly onSave: (draft: SettingsDraft) => void;
  /** What failed as a whole. */
  readonly alert: ReactNode;
}

export function SettingsForm({ form, id, label, reply, onSave, alert }: SettingsFormProps) {
  const { settings, standardSchedule, generalMirror, parts, addable } = reply;
  const scheduleRule = useScheduleRule();
  const general =
    generalMirror === null ? `directly from ${label}` : `from the general mirror, ${generalMirror}`;
  return (
    <Form
      form={form}
      id={id}
      layout="vertical"
      requiredMark={false}
      className={styles['form'] ?? ''}
      initialValues={draftOf(settings)}
      onFinish={onSave}
      onFinishFailed={({ errorFields: [first] }) => {
        toast.error('Error', formInvalid);
        if (first !== undefined) showWrongField(form, first.name[0] as keyof SettingsDraft);
      }}
    >
      {alert}
      <Form.Item
        name="enabled"
        label={`Sync ${label}`}
        valuePropName="checked"
        layout="horizontal"
        colon={false}
        className={styles['switch'] ?? ''}
        extra="A disabled source is not synced, neither on schedule nor by hand; its records stay."
      >
        <Switch />
      </Form.Item>
      <Form.Item
        name="schedule"
        label="Schedule"
        tooltip="Five fields, UTC: minute, hour, day of the month, month, day of the week (0 is Sunday)"
        rules={[scheduleRule]}
        validateDebounce={durations.formValidates}
      >
        <ScheduleField standard={standardSchedule} />
      </Form.Item>
      <MirrorItem general={general} />
      <Form.Item name="parts" label="Parts to follow" rules={[partsRule(parts.length)]}>
        <PartsField known={parts} addable={addable} />
      </Form.Item>
      <ShareItem />
    </Form>
  );
}

/** `general` says where the source is read from without a mirror of its own. */
function MirrorItem({ general }: { readonly general: string }) {
  return (
    <Form.Item
      name="mirror"
      label="Mirror address"
      rules={[mirrorRule]}
      validateDebounce={durations.formValidates}
      extra={
        <>
          A mirror for this source only, laid out as <code>&lt;address&gt;/host/path</code>. Empty:{' '}
          {general}.
        </>
      }
    >
      <Input
        inputMode="url"
        placeholder="https://"
        spellCheck={false}
        autoComplete="off"
        maxLength={2000}
        allowClear
      />
    </Form.Item>
  );
}

function ShareItem() {
  return (
    <Form.Item
      name="shrinkageShare"
      label="Withdraw without approval up to"
      rules={[shareRule]}
      extra={
        <>
          If a publication withdraws more than this share of a part’s records at once, or loses that
          share of their content, the records stay unchanged until an administrator approves. New
          records are written immediately. The default is {standardShrinkageShare} %; 100 % never
          asks for approval.
        </>
      }
    >
      <InputNumber className={styles['share'] ?? ''} min={1} max={100} precision={0} suffix="%" />
    </Form.Item>
  );
}

/** Goes to a field and brings its end into view, where it says what is wrong; the style sheet leaves room for that. */
export function showWrongField(
  form: FormInstance<SettingsDraft>,
  field: keyof SettingsDraft,
): void {
  form.focusField(field);
  document.getElementById(field)?.scrollIntoView({ block: 'nearest' });
}
