/** The form of a source's settings: state, schedule, mirror, parts, and the share of records that may be withdrawn without approval. */

import { formInvalid } from '@patch/contract/form-rules/form-rule.ts';
import {
  type SourceSettingsReply,
  standardShrinkageShare,
} from '@patch/contract/sources/source-settings-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Form, type FormInstance, Input, InputNumber, Switch } from 'antd';
import type { ReactNode } from 'react';
import { ApiCallError } from '../../api/call-api.ts';
import { toast } from '../../api/toast.ts';
import { durations } from '../../theme/tokens.ts';
import { safeAddress } from '../../values/safe-address.ts';
import { PartsField } from './parts-field.tsx';
import { ScheduleField } from './schedule-field.tsx';
import { toSchedulePreviewQuery } from './schedule-preview.tsx';
import {
  type FollowedParts,
  normaliseBlanks,
  type SettingsDraft,
  toSettingsDraft,
} from './settings-draft.ts';
import styles from './settings-form.module.css';

export interface SettingsFormProps {
  readonly form: FormInstance<SettingsDraft>;
  /** Connects the Save button, which is outside the form. */
  readonly id: string;
  readonly label: string;
  readonly reply: SourceSettingsReply;
  readonly onSave: (draft: SettingsDraft) => void;
  /** A failure that concerns no field. */
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
      initialValues={toSettingsDraft(settings)}
      onFinish={onSave}
      onFinishFailed={({ errorFields: [firstError] }) => {
        toast.error('Error', formInvalid);
        if (firstError !== undefined)
          scrollToInvalidField(form, firstError.name[0] as keyof SettingsDraft);
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
      <Form.Item name="parts" label="Parts to follow" rules={[createPartsRule(parts.length)]}>
        <PartsField known={parts} addable={addable} />
      </Form.Item>
      <ShareItem />
    </Form>
  );
}

/** `general` says what the source is read from without its own mirror. */
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

/** Focuses a field and scrolls to its end, where its error is shown. The style sheet leaves space for that. */
export function scrollToInvalidField(
  form: FormInstance<SettingsDraft>,
  field: keyof SettingsDraft,
): void {
  form.focusField(field);
  document.getElementById(field)?.scrollIntoView({ block: 'nearest' });
}

/** Validates a schedule on the server, like the preview. If the server is unreachable, the schedule passes and is validated when saved. */
function useScheduleRule() {
  const queryClient = useQueryClient();
  return {
    async validator(_: unknown, value: string | null) {
      if (value === null) return;
      const cron = normaliseBlanks(value);
      if (cron === '') throw new Error('Schedule field is required');
      const failure = await queryClient.fetchQuery(toSchedulePreviewQuery(cron)).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure instanceof ApiCallError && failure.status >= 400 && failure.status < 500)
        throw new Error(failure.userMessage);
    },
  };
}

const mirrorRule = {
  async validator(_: unknown, value: string) {
    const address = value.trim();
    if (address !== '' && safeAddress(address) === undefined)
      throw new Error('Mirror address must begin with http:// or https://.');
  },
};

const createPartsRule = (known: number) => ({
  async validator(_: unknown, { leftOut, added }: FollowedParts) {
    if (known > 0 && leftOut.length >= known + added.length)
      throw new Error('Select at least one part. To sync none, disable the source.');
  },
});

const shareRule = {
  async validator(_: unknown, value: number | null) {
    if (value === null) throw new Error('The share is required');
  },
};
