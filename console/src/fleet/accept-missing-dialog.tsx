/** The dialog in which an administrator excepts a missing record, with a kind, a reason, an end and an owner. */

import { acceptMissingEndpoint } from '@patch/contract/fleet/exception-endpoints.ts';
import type { MachineMissingRecord } from '@patch/contract/fleet/machine-endpoints.ts';
import { Modal } from 'antd';
import { callApi } from '../api/call-api.ts';
import { useIsLimited } from '../api/session.ts';
import { toast } from '../api/toast.ts';
import { SelectField } from '../resources/form-fields.tsx';
import { formatCount } from '../widgets/format-number.ts';
import { ExceptionForm } from './exception-form.tsx';
import { useGroups } from './use-groups.ts';

interface AcceptMissingDialogProps {
  readonly machineId: number;
  /** The dialog is closed while this is undefined. */
  readonly record: MachineMissingRecord | undefined;
  readonly onAccepted: () => Promise<void>;
  readonly onClose: () => void;
}

export function AcceptMissingDialog({
  machineId,
  record,
  onAccepted,
  onClose,
}: AcceptMissingDialogProps) {
  const name = record?.identifier ?? record?.title ?? 'the record';
  return (
    <Modal
      title={`Exception for ${name}`}
      open={record !== undefined}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={null}
      width={480}
      destroyOnHidden
    >
      {record !== undefined && (
        <ExceptionForm
          exception={null}
          onCancel={onClose}
          onSave={async (values, where) => {
            const { list, recordId } = record;
            await callApi(acceptMissingEndpoint, {
              params: { id: String(machineId) } as never,
              body: { list, recordId, ...values, ...toScope(where) },
            });
            onClose();
            toast.success(`${name} no longer counts as missing`);
            await onAccepted();
          }}
        >
          <WhereField />
        </ExceptionForm>
      )}
    </Modal>
  );
}

function toScope(where = 'machine') {
  const [scope, groupId] = where.split(':');
  return groupId === undefined
    ? { scope: scope as 'machine' | 'client' | 'all' }
    : { scope: 'group' as const, groupId: Number(groupId) };
}

function WhereField() {
  const groups = useGroups();
  const isLimited = useIsLimited();
  return (
    <SelectField
      name="where"
      label="On"
      options={[
        { value: 'machine', label: 'This machine' },
        ...(isLimited ? [] : [{ value: 'client', label: 'All machines of its client' }]),
        ...(groups.data ?? [])
          .filter(({ machines }) => machines !== null)
          .map(({ id, name, machines }) => ({
            value: `group:${id}`,
            label: `Group ${name}: ${formatCount(machines ?? 0, ['machine', 'machines'])} now`,
          })),
        ...(isLimited ? [] : [{ value: 'all', label: 'All machines' }]),
      ]}
      select={{ loading: groups.isPending, showSearch: true, optionFilterProp: 'label' }}
    />
  );
}
