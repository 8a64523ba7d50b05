/** Dialog that saves a search as a view: name, sharing, default. */

import { brokenRule } from '@patch/contract/form-rules/form-rule.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { shortText } from '@patch/contract/form-rules/text-rules.ts';
import { Input, Modal } from 'antd';
import { useId, useState } from 'react';
import { CheckBox } from '../../widgets/check-box.tsx';
import styles from './save-view-dialog.module.css';

interface NewView {
  readonly name: string;
  readonly shared: boolean;
  readonly isDefault: boolean;
}

interface SaveViewDialogProps {
  readonly open: boolean;
  readonly busy: boolean;
  readonly onCancel: () => void;
  readonly onSave: (view: NewView) => Promise<void>;
}

const emptyView: NewView = { name: '', shared: false, isDefault: false };

export function SaveViewDialog({ open, busy, onCancel, onSave }: SaveViewDialogProps) {
  const [view, setView] = useState(emptyView);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const id = useId();
  const problem = isSubmitted ? brokenRule(view.name.trim(), 'Name', [required, shortText]) : null;
  function save(): void {
    setIsSubmitted(true);
    if (brokenRule(view.name.trim(), 'Name', [required, shortText]) !== null) return;
    // A toast shows the refusal; the typed values stay.
    onSave({ ...view, name: view.name.trim() }).catch(() => undefined);
  }
  return (
    <Modal
      open={open}
      width={416}
      title="Save view"
      okText="Save"
      confirmLoading={busy}
      mask={{ closable: false }}
      onOk={save}
      onCancel={onCancel}
      afterOpenChange={(opened) => {
        if (opened) document.getElementById(id)?.focus();
        else {
          setView(emptyView);
          setIsSubmitted(false);
        }
      }}
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <label htmlFor={id}>Name</label>
        <Input
          id={id}
          value={view.name}
          maxLength={200}
          status={problem === null ? '' : 'error'}
          aria-invalid={problem !== null}
          aria-describedby={`${id}problem`}
          onChange={({ target }) => setView({ ...view, name: target.value })}
        />
        <p id={`${id}problem`} role="alert" className={styles['problem']}>
          {problem}
        </p>
        <CheckBox checked={view.shared} onChange={(shared) => setView({ ...view, shared })}>
          Share with everyone
        </CheckBox>
        <CheckBox
          checked={view.isDefault}
          onChange={(isDefault) => setView({ ...view, isDefault })}
        >
          Open this list with this view
        </CheckBox>
      </form>
    </Modal>
  );
}
