/** Asks for the user's own password before a dangerous action, so that nobody can do it at an unlocked screen. */
import { LockOutlined } from '@ant-design/icons-svg';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { Modal } from 'antd';
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { PasswordField } from './password-field.tsx';
import styles from './password-prompt.module.css';
import { RuleField } from './rule-field.tsx';
import { RuleForm } from './rule-form.tsx';
import { SubmitButton } from './submit-button.tsx';

export interface PasswordQuestion {
  /** The action, such as 'Turn off two-factor sign-in'. */
  readonly title: string;
  readonly body?: ReactNode;
  /** The label of the button, 'Confirm' by default. */
  readonly yes?: string;
  /** The action. The prompt stays open until it resolves, and shows its error so that the user can try another password. */
  readonly onPassword?: (password: string) => Promise<unknown>;
}

interface PendingQuestion extends PasswordQuestion {
  readonly id: number;
  readonly resolve: (password: string) => void;
  readonly reject: (reason: Error) => void;
}

export interface PasswordPrompt {
  /** Resolves with the password after `onPassword` has resolved. Rejects with the message 'cancelled'. */
  readonly ask: (question: PasswordQuestion) => Promise<string>;
  /** The element to render, anywhere in the caller. */
  readonly prompt: ReactNode;
}

/** Refusals of the server that belong to the password field. */
const fieldErrors = { wrong_password: 'password' } as const;
const cancelled = () => new Error('cancelled');

export function usePasswordPrompt(): PasswordPrompt {
  const [current, setCurrent] = useState<PendingQuestion>();
  const [open, setOpen] = useState(false);
  const pending = useRef<PendingQuestion>(undefined);
  const formId = useId();
  useEffect(() => () => pending.current?.reject(cancelled()), []);

  const ask = useCallback(
    (question: PasswordQuestion) =>
      new Promise<string>((resolve, reject) => {
        const { current: before } = pending;
        before?.reject(cancelled());
        const next = { ...question, id: (before?.id ?? 0) + 1, resolve, reject };
        pending.current = next;
        setCurrent(next);
        setOpen(true);
      }),
    [],
  );
  function cancel(): void {
    setOpen(false);
    current?.reject(cancelled());
  }
  async function submit({ password }: { readonly password: string }): Promise<void> {
    await current?.onPassword?.(password);
    setOpen(false);
    current?.resolve(password);
  }

  const prompt =
    current === undefined ? null : (
      <Modal
        key={current.id}
        open={open}
        width={416}
        centered
        closable={false}
        destroyOnHidden
        mask={{ closable: false }}
        onCancel={cancel}
        title={
          <span className={styles['title']}>
            <Icon of={LockOutlined} /> {current.title}
          </span>
        }
        footer={null}
        afterOpenChange={(opened) =>
          opened && document.getElementById(`${formId}_password`)?.focus()
        }
      >
        {current.body === undefined ? null : <div className={styles['body']}>{current.body}</div>}
        <RuleForm<{ readonly password: string }>
          id={formId}
          onSubmit={submit}
          fieldErrors={fieldErrors}
          quiet
        >
          <RuleField
            name="password"
            label="Your password"
            nameInMessages="Password"
            rules={[required]}
          >
            <PasswordField autoComplete="current-password" />
          </RuleField>
          <div className={styles['buttons']}>
            <Button onClick={cancel}>Cancel</Button>
            <SubmitButton>{current.yes ?? 'Confirm'}</SubmitButton>
          </div>
        </RuleForm>
      </Modal>
    );
  return { ask, prompt };
}
