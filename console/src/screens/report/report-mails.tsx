/** The dialog of the emails of a report: its schedules, what prevents them, and the form of one. For administrators. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { knownTimeZone } from '@patch/contract/dates/time-zone.ts';
import { tagsRule } from '@patch/contract/form-rules/tag-rules.ts';
import {
  changeReportMailEndpoint,
  createReportMailEndpoint,
  maxReportAddresses,
  type ReportMail,
  type ReportMailDay,
  type ReportMailSetting,
  removeReportMailEndpoint,
  reportMailsEndpoint,
} from '@patch/contract/reports/report-mail-endpoints.ts';
import { reportPeriods } from '@patch/contract/reports/report-periods.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Modal } from 'antd';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { TagPicker } from '../../forms/tag-picker.tsx';
import { FormButtons, hourOptions, SelectField, toOptions } from '../../resources/form-fields.tsx';
import { Loaded } from '../../resources/loaded.tsx';
import { ResourceRows, RowButton } from '../../resources/resource-list.tsx';
import { listTimeZones } from '../../resources/time-zone-options.ts';
import { Button } from '../../widgets/button.tsx';
import { formatCount } from '../../widgets/format-number.ts';
import rows from '../../widgets/row-list.module.css';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './report.module.css';

const dayWords: Readonly<Record<ReportMailDay, string>> = {
  monday: 'Each Monday',
  tuesday: 'Each Tuesday',
  wednesday: 'Each Wednesday',
  thursday: 'Each Thursday',
  friday: 'Each Friday',
  saturday: 'Each Saturday',
  sunday: 'Each Sunday',
  first_of_month: 'On the first of each month',
};

interface ReportMailsProps {
  /** The name or #number of the group; undefined: all machines. */
  readonly group: string | undefined;
  readonly days: number;
}

const nameOf = ({ group }: Pick<ReportMailsProps, 'group'>) => group ?? 'all machines';

const isOf = ({ group }: ReportMail, named: string | undefined) =>
  named === undefined
    ? group === null
    : group !== null && [group.name, `#${group.id}`].some((one) => fold(one) === fold(named));

export function ReportMails(report: ReportMailsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button small onClick={() => setIsOpen(true)}>
        Send by email
      </Button>
      <Modal
        open={isOpen}
        width={640}
        title={`Report of ${nameOf(report)} by email`}
        mask={{ closable: false }}
        footer={null}
        onCancel={() => setIsOpen(false)}
        destroyOnHidden
      >
        <Schedules {...report} />
      </Modal>
    </>
  );
}

/** `new`: a further one. */
type Edited = ReportMail | 'new' | null;

function Schedules(report: ReportMailsProps) {
  const mails = useQuery(apiQuery(queryKeys.reportMails.all(), reportMailsEndpoint));
  const [edited, setEdited] = useState<Edited>(null);
  return (
    <Loaded query={mails} what="emails of reports" rows={3}>
      {({ objList }) => {
        const own = objList.filter((mail) => isOf(mail, report.group));
        return edited !== null || own.length === 0 ? (
          <ScheduleForm
            mail={edited === 'new' ? null : edited}
            report={report}
            onDone={() => setEdited(null)}
            canCancel={own.length > 0}
          />
        ) : (
          <>
            <ScheduleRows mails={own} onEdit={setEdited} />
            <Button onClick={() => setEdited('new')}>Add another</Button>
          </>
        );
      }}
    </Loaded>
  );
}

const hourWords = ({ day, hour, timeZone: zone }: ReportMail) =>
  `${dayWords[day]} at ${String(hour).padStart(2, '0')}:00 (${zone})`;

interface ScheduleRowsProps {
  readonly mails: readonly ReportMail[];
  readonly onEdit: (mail: ReportMail) => void;
}

function ScheduleRows({ mails, onEdit }: ScheduleRowsProps) {
  const remove = useConfirmedAction({
    question: (mail: ReportMail) => ({
      title: 'Send this report no more?',
      body: `${hourWords(mail)}, to ${mail.addresses.join(', ')}.`,
      danger: true,
      yes: 'Remove it',
    }),
    run: ({ id }) => callApi(removeReportMailEndpoint, { params: { id: String(id) } }),
    success: () => 'The report is sent no more.',
    invalidates: [queryKeys.reportMails.all()],
  });
  return (
    <ResourceRows
      label="Emails of the report"
      items={mails}
      action={(mail) => (
        <div className={styles['mailActions']}>
          <RowButton label="Edit" object={hourWords(mail)} onClick={() => onEdit(mail)} />
          <RowButton label="Remove" object={hourWords(mail)} onClick={() => void remove(mail)} />
        </div>
      )}
    >
      {(mail) => (
        <>
          <strong>{hourWords(mail)}</strong>
          <p className={rows['quiet']}>
            Last {mail.days} days, to {formatCount(mail.addresses.length, ['address', 'addresses'])}
            : {mail.addresses.join(', ')}
          </p>
          <p className={rows['quiet']}>
            Next {momentWords(mail.nextAt, mail.timeZone)}
            {mail.sentAt !== null && `, last ${momentWords(mail.sentAt, mail.timeZone)}`}
          </p>
          {mail.problem !== null && <p className={rows['late']}>{mail.problem}</p>}
        </>
      )}
    </ResourceRows>
  );
}

const momentWords = (time: number, zone: string) =>
  new Date(time).toLocaleString('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: knownTimeZone(zone),
  });

type ScheduleInput = Omit<ReportMailSetting, 'group'>;

interface ScheduleFormProps {
  readonly report: ReportMailsProps;
  /** Null: a new one. */
  readonly mail: ReportMail | null;
  readonly canCancel: boolean;
  readonly onDone: () => void;
}

function ScheduleForm({ mail, report, canCancel, onDone }: ScheduleFormProps) {
  const queries = useQueryClient();
  return (
    <RuleForm<ScheduleInput>
      initialValues={{
        day: mail?.day ?? 'monday',
        hour: mail?.hour ?? 8,
        timeZone: mail?.timeZone ?? timeZone(),
        days: mail?.days ?? report.days,
        addresses: mail?.addresses ?? [],
      }}
      onSubmit={async (input) => {
        const body = { ...input, addresses: [...input.addresses], group: report.group ?? null };
        await (mail === null
          ? callApi(createReportMailEndpoint, { body })
          : callApi(changeReportMailEndpoint, { params: { id: String(mail.id) }, body }));
        toast.success(`The report of ${nameOf(report)} will be sent.`);
        await queries.invalidateQueries({ queryKey: queryKeys.reportMails.all() });
        onDone();
      }}
    >
      <SelectField name="day" label="When" options={toOptions(dayWords)} />
      <SelectField name="hour" label="At" options={hourOptions} />
      <SelectField
        name="timeZone"
        label="Time zone"
        options={listTimeZones(mail?.timeZone ?? timeZone())}
        select={{ showSearch: true }}
      />
      <SelectField
        name="days"
        label="Period"
        options={reportPeriods.map((value) => ({ value, label: `Last ${value} days` }))}
      />
      <RuleField
        name="addresses"
        label="Addresses"
        extra={`At most ${maxReportAddresses}. They need no account; the links of the numbers do.`}
        rules={[tagsRule('email', { most: maxReportAddresses })]}
      >
        <TagPicker label="Addresses" kind="email" alwaysText maxTags={maxReportAddresses} />
      </RuleField>
      <FormButtons
        submit={mail === null ? 'Send by email' : 'Save'}
        {...(canCancel && { onCancel: onDone })}
      />
    </RuleForm>
  );
}
