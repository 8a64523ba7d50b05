/** Saves the criteria of the list of machines as a group, or as the criteria of an existing one. */

import { requestCriteria } from '@patch/contract/base/requested-criteria.ts';
import {
  changeMachineGroupEndpoint,
  createMachineGroupEndpoint,
} from '@patch/contract/fleet/machine-group-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Modal, Select } from 'antd';
import { useId, useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { toast } from '../api/toast.ts';
import { Button } from '../widgets/button.tsx';
import { groupsPath } from '../widgets/list-paths.ts';
import { GroupForm } from './group-form.tsx';
import { useGroups } from './use-groups.ts';

interface SaveAsGroupProps {
  readonly open: boolean;
  /** As in the address of the list. */
  readonly criteria: string;
  readonly onClose: () => void;
}

export function SaveAsGroup({ open, criteria, onClose }: SaveAsGroupProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const groups = (useGroups(open).data ?? []).filter((group) => group.criteria !== null);

  async function done(name: string): Promise<void> {
    toast.success(`Group ${name} is saved.`);
    await queries.invalidateQueries({ queryKey: queryKeys.machineGroups.all() });
    onClose();
    void navigate({ to: groupsPath });
  }
  return (
    <Modal
      open={open}
      title="Save as group"
      mask={{ closable: false }}
      footer={null}
      onCancel={onClose}
      destroyOnHidden
    >
      <p>
        {criteria === ''
          ? 'The group has all machines, now and later.'
          : 'The group has the machines that meet the criteria of the list, now and later.'}
      </p>
      {groups.length > 0 && (
        <ExistingGroup
          groups={groups}
          onSave={async (id, name) => {
            await callApi(changeMachineGroupEndpoint, {
              params: { id: String(id) },
              body: { criteria: requestCriteria(criteria) },
            });
            await done(name);
          }}
        />
      )}
      <GroupForm
        group={null}
        submit="Save group"
        onCancel={onClose}
        onSave={async (values) => {
          await callApi(createMachineGroupEndpoint, {
            body: { ...values, criteria: requestCriteria(criteria) },
          });
          await done(values.name);
        }}
      />
    </Modal>
  );
}

interface ExistingGroupProps {
  readonly groups: readonly { readonly id: number; readonly name: string }[];
  readonly onSave: (id: number, name: string) => Promise<void>;
}

function ExistingGroup({ groups, onSave }: ExistingGroupProps) {
  const id = useId();
  const [chosen, setChosen] = useState<number>();
  const [busy, setBusy] = useState(false);
  const group = groups.find((one) => one.id === chosen);
  return (
    <div className="flex flex-wrap gap-2 items-center mb-4">
      <label htmlFor={id}>Replace the criteria of</label>
      <Select
        id={id}
        className="flex-1"
        placeholder="an existing group"
        value={chosen}
        options={groups.map((one) => ({ value: one.id, label: one.name }))}
        onChange={setChosen}
      />
      <Button
        disabled={group === undefined}
        loading={busy}
        onClick={() => {
          if (group === undefined) return;
          setBusy(true);
          onSave(group.id, group.name)
            .catch((failure: unknown) => toast.failure(failure))
            .finally(() => setBusy(false));
        }}
      >
        Replace
      </Button>
    </div>
  );
}
