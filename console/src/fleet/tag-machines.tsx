/** Adds tags to the machines of a search or to marked ones, and removes tags from them. */

import { requestCriteria } from '@patch/contract/base/requested-criteria.ts';
import { tagMachinesEndpoint } from '@patch/contract/fleet/machine-group-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Modal } from 'antd';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { toast } from '../api/toast.ts';
import { RuleForm } from '../forms/rule-form.tsx';
import { FormButtons, TextField } from '../resources/form-fields.tsx';
import { formatCount } from '../widgets/format-number.ts';

interface TagMachinesProps {
  readonly open: boolean;
  /** Their ids, or the criteria of the list. */
  readonly machines: readonly number[] | { readonly criteria: string };
  readonly onClose: () => void;
}

interface TagInput {
  readonly add: string;
  readonly remove: string;
}

const toTags = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export function TagMachines({ open, machines, onClose }: TagMachinesProps) {
  const queries = useQueryClient();
  const which =
    'criteria' in machines
      ? { criteria: requestCriteria(machines.criteria) }
      : { machines: [...machines] };

  async function save({ add, remove }: TagInput): Promise<void> {
    const body = { ...which, add: toTags(add), remove: toTags(remove) };
    const { changed } = await callApi(tagMachinesEndpoint, { body });
    toast.success(`Tags of ${formatCount(changed, ['machine', 'machines'])} changed.`);
    await queries.invalidateQueries({ queryKey: queryKeys.lists.all('machines') });
    onClose();
  }
  return (
    <Modal
      open={open}
      title="Change tags"
      mask={{ closable: false }}
      footer={null}
      onCancel={onClose}
      destroyOnHidden
    >
      <p>
        {'criteria' in machines
          ? 'Of all machines that the list finds. Tags that a machine reports by itself stay.'
          : `Of ${formatCount(machines.length, ['marked machine', 'marked machines'])}. Tags that a machine reports by itself stay.`}
      </p>
      <RuleForm<TagInput> initialValues={{ add: '', remove: '' }} onSubmit={save}>
        <TextField
          name="add"
          label="Add"
          extra="Separated by commas: production, dmz"
          input={{ maxLength: 1000 }}
        />
        <TextField name="remove" label="Remove" input={{ maxLength: 1000 }} />
        <FormButtons submit="Change tags" onCancel={onClose} />
      </RuleForm>
    </Modal>
  );
}
