/** The form that chooses who deals with a record. */
import type { Assignee } from '@patch/contract/records/note-endpoints.ts';
import { RuleForm } from '../forms/rule-form.tsx';
import { FormButtons } from '../resources/form-fields.tsx';
import { OwnerFields, type OwnerInput, toOwner, toOwnerInput } from './owner-fields.tsx';
import { type Finding, useAssign } from './use-notes.ts';

interface AssigneeFormProps {
  readonly finding: Finding;
  readonly assignee: Assignee | null;
  readonly onClose: () => void;
}

export function AssigneeForm({ finding, assignee, onClose }: AssigneeFormProps) {
  const assign = useAssign(finding);
  return (
    <RuleForm<OwnerInput>
      name="assignee"
      initialValues={toOwnerInput(assignee)}
      onSubmit={async (input) => {
        await assign.mutateAsync(toOwner(input));
        onClose();
      }}
    >
      <OwnerFields label="Assignee" stored={assignee} />
      <FormButtons submit="Save assignee" onCancel={onClose} />
    </RuleForm>
  );
}
