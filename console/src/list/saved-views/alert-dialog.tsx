/** Dialog that sets, changes and removes the alert of a saved view: time, risk events, recipients, and a preview of the last days. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { SavedView } from '@patch/contract/records/saved-view-endpoints.ts';
import {
  type AlertSetting,
  defaultEpssAbove,
  type ViewAlert,
  watchableEvents,
} from '@patch/contract/reports/alert-endpoints.ts';
import { Form, type FormInstance, InputNumber, Modal, Radio } from 'antd';
import { timeZone, useSession } from '../../api/session.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { CheckField, FormButtons, HourField } from '../../resources/form-fields.tsx';
import { Button } from '../../widgets/button.tsx';
import { Notice } from '../../widgets/notice.tsx';
import { useReturnFocus } from '../../widgets/use-return-focus.ts';
import styles from './alert-dialog.module.css';
import { AlertPreview } from './alert-preview.tsx';
import { AlertRecipients } from './alert-recipients.tsx';
import { useViewAlerts } from './use-view-alerts.ts';

interface AlertFormValues extends Omit<AlertSetting, 'timeZone' | 'epssAbove'> {
  readonly watchesEpss: boolean;
  /** Keeps its value while `watchesEpss` is false. */
  readonly epssAbove: number;
}

const defaultSetting: AlertSetting = {
  mode: 'digest',
  hour: 8,
  timeZone: 'UTC',
  ownAddress: true,
  furtherAddresses: [],
  channels: [],
  exploited: false,
  epssAbove: null,
};

const modes = [
  { value: 'digest', label: 'Once a day' },
  { value: 'at_once', label: 'Immediately after each sync' },
];

interface SavedViewAlertProps {
  readonly view: SavedView;
  readonly onClose: () => void;
}

export function SavedViewAlert(props: SavedViewAlertProps) {
  useReturnFocus();
  const alerts = useViewAlerts();
  return alerts.isReady ? <AlertDialog key={props.view.id} {...props} alerts={alerts} /> : null;
}

interface AlertDialogProps extends SavedViewAlertProps {
  readonly alerts: ReturnType<typeof useViewAlerts>;
}

function AlertDialog({ view, alerts, onClose }: AlertDialogProps) {
  const alert = alerts.findAlert(view.id);
  const { user } = useSession();
  const [form] = Form.useForm<AlertFormValues>();
  const initial = toFormValues(alert ?? defaultSetting);
  const mode = Form.useWatch('mode', form) ?? initial.mode;
  const hour = Form.useWatch('hour', form) ?? initial.hour;
  const mayAddOthers = user?.userType === 'Admin';

  async function save({ watchesEpss, epssAbove, ...entered }: AlertFormValues): Promise<void> {
    const setting = {
      ...entered,
      furtherAddresses: mayAddOthers ? [...entered.furtherAddresses] : [],
      channels: mayAddOthers ? [...entered.channels] : [],
      timeZone: timeZone(),
      epssAbove: watchesEpss ? epssAbove : null,
    };
    await alerts.set.mutateAsync({ view: view.id, setting });
    onClose();
  }
  return (
    <Modal
      open
      width={560}
      title={`Alert for '${view.name}'`}
      footer={null}
      mask={{ closable: false }}
      onCancel={onClose}
    >
      <p className={styles['about']}>
        We tell you when new records match. Existing records are not included.
      </p>
      <Warnings alert={alert} mailMissing={alerts.mailMissing} />
      <RuleForm<AlertFormValues>
        form={form}
        className={styles['form'] ?? ''}
        initialValues={initial}
        fieldErrors={{ no_address: 'ownAddress', no_recipient: 'ownAddress' }}
        onSubmit={save}
      >
        <WhenFields mode={mode} />
        <RiskFields form={form} initial={initial} list={view.list} />
        <AlertRecipients email={user?.email ?? ''} mayAddOthers={mayAddOthers} />
        <AlertPreview list={view.list} search={view.search} mode={mode} hour={hour} />
        <FormButtons
          className={styles['buttons']}
          submit={alert === undefined ? 'Set alert' : 'Save'}
          onCancel={onClose}
        >
          {alert === undefined ? null : (
            <Button
              danger
              className={styles['end'] ?? ''}
              onClick={() => void alerts.end.mutateAsync(view.id).then(onClose, () => undefined)}
            >
              Remove alert
            </Button>
          )}
        </FormButtons>
      </RuleForm>
    </Modal>
  );
}

interface WarningsProps {
  /** Undefined before an alert is set. */
  readonly alert: ViewAlert | undefined;
  readonly mailMissing: boolean;
}

/** Reasons why no email is sent or why the last one failed. */
function Warnings({ alert, mailMissing }: WarningsProps) {
  return (
    <>
      {mailMissing ? (
        <Notice
          kind="warning"
          title="No email is sent until an administrator configures the mail server."
        />
      ) : null}
      {alert === undefined || alert.problem === '' ? null : (
        <Notice
          kind="warning"
          title={alert.problem}
          description="Unsent alerts are included in the next email."
        />
      )}
    </>
  );
}

/** Shows the hour for a daily email only; it keeps its value while hidden. */
function WhenFields({ mode }: Pick<AlertFormValues, 'mode'>) {
  return (
    <>
      <RuleField name="mode" label="When" isChoice>
        <Radio.Group options={modes} />
      </RuleField>
      <HourField hidden={mode !== 'digest'} words=". No email on days without new records." />
    </>
  );
}

interface RiskFieldsProps {
  readonly form: FormInstance<AlertFormValues>;
  readonly initial: AlertFormValues;
  readonly list: SavedView['list'];
}

/** Risk events to report besides new records, as far as the list has the fields. The threshold keeps its value while hidden. */
function RiskFields({ form, initial, list }: RiskFieldsProps) {
  const watchesEpss = Form.useWatch('watchesEpss', form) ?? initial.watchesEpss;
  const definition = catalogueLists.find(({ key }) => key === list);
  const watchable = definition === undefined ? {} : watchableEvents(definition);
  return (
    <>
      <div hidden={watchable.exploited === undefined}>
        <CheckField name="exploited">Also when existing records become known exploited</CheckField>
      </div>
      <div hidden={watchable.epss === undefined}>
        <CheckField name="watchesEpss">
          Also when EPSS of existing records rises over a threshold
        </CheckField>
      </div>
      <div hidden={!watchesEpss}>
        <RuleField
          name="epssAbove"
          label="EPSS threshold"
          isChoice
          extra="From 0.01 to 0.99. A new EPSS model, which moves all scores at once, is not reported."
        >
          <InputNumber min={0.01} max={0.99} step={0.05} />
        </RuleField>
      </div>
    </>
  );
}

const toFormValues = ({ epssAbove, ...same }: AlertSetting): AlertFormValues => ({
  ...same,
  watchesEpss: epssAbove !== null,
  epssAbove: epssAbove ?? defaultEpssAbove,
});
