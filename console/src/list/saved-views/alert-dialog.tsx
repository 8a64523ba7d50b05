/** Dialog for the alert of a saved view: time, risk events, recipients, and a preview of the last days. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import {
  type AlertMode,
  type AlertSetting,
  defaultEpssAbove,
  type ViewAlert,
  watchableEvents,
} from '@patch/contract/alert-endpoints.ts';
import type { SavedView } from '@patch/contract/saved-view-endpoints.ts';
import { Form, type FormInstance, InputNumber, Modal, Radio, Select } from 'antd';
import { timeZone, useSession } from '../../api/session.ts';
import { RuleField } from '../../forms/rule-field.tsx';
import { RuleForm } from '../../forms/rule-form.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { Button } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { Notice } from '../../widgets/notice.tsx';
import styles from './alert-dialog.module.css';
import { AlertPreview } from './alert-preview.tsx';
import { AlertRecipients } from './alert-recipients.tsx';

interface AlertDialogProps {
  readonly view: Pick<SavedView, 'name' | 'list' | 'search'>;
  /** Undefined before an alert is set. */
  readonly alert: ViewAlert | undefined;
  readonly mailMissing: boolean;
  readonly onSet: (setting: AlertSetting) => Promise<unknown>;
  readonly onEnd: () => Promise<unknown>;
  readonly onClose: () => void;
}

interface AlertFormValues {
  readonly mode: AlertMode;
  readonly hour: number;
  readonly ownAddress: boolean;
  readonly furtherAddresses: readonly string[];
  readonly channels: readonly number[];
  readonly exploited: boolean;
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
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: hour,
  label: `${String(hour).padStart(2, '0')}:00`,
}));

export function AlertDialog({ view, alert, mailMissing, onSet, onEnd, onClose }: AlertDialogProps) {
  const { user } = useSession();
  const [form] = Form.useForm<AlertFormValues>();
  const initial = toFormValues(alert ?? defaultSetting);
  const mode = Form.useWatch('mode', form) ?? initial.mode;
  const hour = Form.useWatch('hour', form) ?? initial.hour;
  const mayAddOthers = user?.userType === 'Admin';

  async function save({ watchesEpss, epssAbove, ...entered }: AlertFormValues): Promise<void> {
    const furtherAddresses = mayAddOthers ? [...entered.furtherAddresses] : [];
    await onSet({
      ...entered,
      furtherAddresses,
      channels: mayAddOthers ? [...entered.channels] : [],
      timeZone: timeZone(),
      epssAbove: watchesEpss ? epssAbove : null,
    });
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
      <Warnings alert={alert} mailMissing={mailMissing} />
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
        <div className={styles['buttons']}>
          <SubmitButton>{alert === undefined ? 'Set alert' : 'Save'}</SubmitButton>
          <Button onClick={onClose}>Cancel</Button>
          {alert === undefined ? null : (
            <Button
              danger
              className={styles['end'] ?? ''}
              onClick={() => void onEnd().then(onClose, () => undefined)}
            >
              Remove alert
            </Button>
          )}
        </div>
      </RuleForm>
    </Modal>
  );
}

/** Reasons why no email is sent or why the last one failed. */
function Warnings({ alert, mailMissing }: Pick<AlertDialogProps, 'alert' | 'mailMissing'>) {
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
      <div hidden={mode !== 'digest'}>
        <RuleField
          name="hour"
          label="At"
          isChoice
          extra={`${timeZone()} time. No email on days without new records.`}
        >
          <Select options={hours} className={styles['hour'] ?? ''} />
        </RuleField>
      </div>
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
        <RuleField name="exploited" valuePropName="checked" isChoice>
          <CheckBox>Also when existing records become known exploited</CheckBox>
        </RuleField>
      </div>
      <div hidden={watchable.epss === undefined}>
        <RuleField name="watchesEpss" valuePropName="checked" isChoice>
          <CheckBox>Also when EPSS of existing records rises over a threshold</CheckBox>
        </RuleField>
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

const toFormValues = (setting: AlertSetting): AlertFormValues => ({
  mode: setting.mode,
  hour: setting.hour,
  ownAddress: setting.ownAddress,
  furtherAddresses: setting.furtherAddresses,
  channels: setting.channels,
  exploited: setting.exploited,
  watchesEpss: setting.epssAbove !== null,
  epssAbove: setting.epssAbove ?? defaultEpssAbove,
});
