/** The form of a new note. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { addNoteEndpoint, maxNoteLength } from '@patch/contract/records/note-endpoints.ts';
import { Input } from 'antd';
import { callApi } from '../api/call-api.ts';
import { RuleField } from '../forms/rule-field.tsx';
import { RuleForm } from '../forms/rule-form.tsx';
import { FormButtons } from '../resources/form-fields.tsx';
import { type Finding, toParams, useNotesChanged } from './use-notes.ts';

interface NoteFormProps {
  readonly finding: Finding;
  readonly onClose: () => void;
}

export function NoteForm({ finding, onClose }: NoteFormProps) {
  const changed = useNotesChanged();
  return (
    <RuleForm<{ readonly text: string }>
      name="note"
      initialValues={{ text: '' }}
      onSubmit={async ({ text }) => {
        const body = { text, machineId: finding.machineId };
        await callApi(addNoteEndpoint, { ...toParams(finding), body });
        await changed();
        onClose();
      }}
    >
      <RuleField name="text" label="Note" rules={[required]}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} maxLength={maxNoteLength} />
      </RuleField>
      <FormButtons submit="Save note" onCancel={onClose} />
    </RuleForm>
  );
}
