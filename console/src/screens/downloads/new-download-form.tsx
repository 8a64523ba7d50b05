/** The form that requests a file with its kind and contents. */

import { type SourceKey, sourceKeys, sourceLabels } from '@patch/catalogue/sources.ts';
import type { FormRule } from '@patch/contract/form-rules/form-rule.ts';
import { minDate } from '@patch/contract/form-rules/number-rules.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import {
  type DownloadKind,
  downloadKinds,
  logLevels,
} from '@patch/contract/operations/download-endpoints.ts';
import { fetchAuditEndpoint } from '@patch/contract/sources/run-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Form, Input, Select } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { useReaderZone } from '../../values/reader-zone.ts';
import { ZonedDatePicker } from '../../values/zoned-date-picker.tsx';
import { writeInstant } from '../../values/zoned-picker-time.ts';
import { absoluteTime } from '../../widgets/time-text.ts';
import { kindNames } from './download-rows.tsx';
import styles from './new-download-form.module.css';
import { type DownloadRequest, useDownloadActions } from './use-download-jobs.ts';

export interface DownloadDraft {
  readonly kind: DownloadKind;
  readonly sources: readonly SourceKey[];
  /** 0 includes all listed records. */
  readonly sinceRun: number;
  /** 0 means no limit. */
  readonly from: number;
  readonly to: number;
  readonly level: (typeof logLevels)[number];
  readonly requestId: string;
}

const kindDescriptions: Readonly<Record<DownloadKind, string>> = {
  database_dump:
    'The complete database as SQL, for psql or npm run restore. Stored secrets stay encrypted; sessions are not included.',
  catalogue_bundle:
    'Signed records of selected families and risk sources, to import on another installation.',
  logs: 'Service log lines of a period or of one request.',
  support_bundle: 'Versions, settings, runs, warnings and sizes for troubleshooting. No secrets.',
};

const empty: DownloadDraft = {
  kind: 'database_dump',
  sources: [],
  sinceRun: 0,
  from: 0,
  to: 0,
  level: 'trace',
  requestId: '',
};

export function toDownloadRequest({
  kind,
  sources,
  sinceRun,
  from,
  to,
  level,
  requestId,
}: DownloadDraft): DownloadRequest {
  if (kind === 'catalogue_bundle')
    return {
      kind,
      options: {
        sources: [...sources],
        sinceRun: sources.length === 1 && sinceRun !== 0 ? sinceRun : null,
      },
    };
  if (kind === 'logs')
    return {
      kind,
      options: { from: from === 0 ? null : from, to: to === 0 ? null : to, level, requestId },
    };
  return { kind };
}

const idRule: FormRule<string | null | undefined> = (value) =>
  value === null || value === undefined || /^[\w-]{0,50}$/.test(value.trim())
    ? null
    : 'Enter the request id as the error message shows it';

export function NewDownloadForm() {
  const [form] = Form.useForm<DownloadDraft>();
  const { make } = useDownloadActions();
  const zone = useReaderZone();
  const { kind, sources, from } = {
    ...empty,
    ...(Form.useWatch([], form) as Partial<DownloadDraft> | undefined),
  };
  const notBeforeFrom: FormRule<number> = (to, field) => {
    const start = (form.getFieldValue('from') as number | undefined) ?? 0;
    return to === 0 || start === 0 || to >= start
      ? null
      : minDate(start, writeInstant(zone))(to, field);
  };
  return (
    <RuleForm<DownloadDraft>
      form={form}
      initialValues={empty}
      className={styles['form'] ?? ''}
      onSubmit={async (draft) => {
        await make.mutateAsync(toDownloadRequest({ ...empty, ...draft }));
        toast.success(`${kindNames[kind]} started; it will appear under Files.`);
      }}
    >
      <RuleField name="kind" label="Kind" isChoice extra={kindDescriptions[kind]}>
        <Select options={downloadKinds.map((value) => ({ value, label: kindNames[value] }))} />
      </RuleField>
      {kind === 'catalogue_bundle' ? (
        <>
          <RuleField name="sources" label="Families" isChoice rules={[required as FormRule<never>]}>
            <Select
              mode="multiple"
              placeholder="Choose families"
              optionFilterProp="label"
              options={sourceKeys.map((value) => ({ value, label: sourceLabels[value] }))}
            />
          </RuleField>
          {sources.length === 1 && sources[0] !== undefined ? (
            <SinceRunField source={sources[0]} />
          ) : null}
        </>
      ) : null}
      {kind === 'logs' ? (
        <>
          <div className={`${styles['pair']} grid gap-x-4`}>
            <RuleField name="from" label="From" isChoice>
              <ZonedDatePicker />
            </RuleField>
            <RuleField
              name="to"
              label="To"
              isChoice
              dependsOn={['from']}
              rules={[notBeforeFrom as FormRule<never>]}
            >
              <ZonedDatePicker endOfDay min={from === 0 ? undefined : from} />
            </RuleField>
          </div>
          <div className={`${styles['pair']} grid gap-x-4`}>
            <RuleField name="level" label="Level" isChoice>
              <Select
                options={logLevels.map((value) => ({
                  value,
                  label: value === 'trace' ? 'All' : `${value} and above`,
                }))}
              />
            </RuleField>
            <RuleField name="requestId" label="Request id" rules={[idRule as FormRule<never>]}>
              <Input spellCheck={false} autoComplete="off" maxLength={50} />
            </RuleField>
          </div>
        </>
      ) : null}
      <SubmitButton>Create</SubmitButton>
    </RuleForm>
  );
}

/** Chooses all listed records, or the changes since a past run. */
function SinceRunField({ source }: { readonly source: SourceKey }) {
  const runs = useQuery({
    queryKey: queryKeys.runs.forBundles(source),
    queryFn: async ({ signal }) =>
      (
        await callApi(fetchAuditEndpoint, {
          params: { type: source },
          query: { size: '50' },
          signal,
        })
      ).objList,
  });
  const past = (runs.data ?? []).map(({ id, time, patchCount }) => ({
    value: id,
    label: `Since run ${id}, ${absoluteTime(time, timeZone())} (${patchCount} records)`,
  }));
  return (
    <RuleField name="sinceRun" label="Records" isChoice>
      <Select loading={runs.isPending} options={[{ value: 0, label: 'All records' }, ...past]} />
    </RuleField>
  );
}
