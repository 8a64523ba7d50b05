/** Asks for the own password before something dangerous: who has found the screen unlocked cannot do it. */
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
  /** Names what happens: 'Turn off two-factor sign-in'. */
  readonly title: string;
  readonly body?: ReactNode;
  /** What the button says; 'Confirm' when absent. */
  readonly yes?: string;
  /** What the password is for. The prompt stays until it is done; what it throws is shown, and another password can be tried. */
  readonly onPassword?: (password: string) => Promise<unknown>;
}

interface Asked extends PasswordQuestion {
  readonly id: number;
  readonly resolve: (password: string) => void;
  readonly reject: (reason: Error) => void;
}

export interface PasswordPrompt {
  /** Resolves with the password once `onPassword` is done; rejects with the message 'cancelled'. */
  readonly ask: (question: PasswordQuestion) => Promise<string>;
  /** Stands anywhere in what asks. */
  readonly prompt: ReactNode;
}

/** The server's refusals that are about what was typed. */
const fieldErrors = { wrong_password: 'password' } as const;
const cancelled = () => new Error('cancelled');

export function usePasswordPrompt(): PasswordPrompt {
  const [asked, setAsked] = useState<Asked>();
  const [open, setOpen] = useState(false);
  const waiting = useRef<Asked>(undefined);
  const form = useId();
  useEffect(() => () => waiting.current?.reject(cancelled()), []);

  const ask = useCallback(
    (question: PasswordQuestion) =>
      new Promise<string>((resolve, reject) => {
        const { current: before } = waiting;
        before?.reject(cancelled());
        const next = { ...question, id: (before?.id ?? 0) + 1, resolve, reject };
        waiting.current = next;
        setAsked(next);
        setOpen(true);
      }),
    [],
  );
  function no(): void {
    setOpen(false);
    asked?.reject(cancelled());
  }
  async function yes({ password }: { readonly password: string }): Promise<void> {
    await asked?.onPassword?.(password);
    setOpen(false);
    asked?.resolve(password);
  }

  const prompt =
    asked === undefined ? null : (
      <Modal
        key={asked.id}
        open={open}
        width={416}
        centered
        closable={false}
        destroyOnHidden
        mask={{ closable: false }}
        onCancel={no}
        title={
          <span className={styles['title']}>
            <Icon of={LockOutlined} /> {asked.title}
          </span>
        }
        footer={null}
        afterOpenChange={(opened) => opened && document.getElementById(`${form}_password`)?.focus()}
      >
        {asked.body === undefined ? null : <div className={styles['body']}>{asked.body}</div>}
        <RuleForm<{ readonly password: string }>
          id={form}
          onSubmit={yes}
          fieldErrors={fieldErrors}
          quiet
        >
          <RuleField name="password" label="Your password" called="Password" rules={[required]}>
            <PasswordField autoComplete="current-password" />
          </RuleField>
          <div className={styles['buttons']}>
            <Button onClick={no}>Cancel</Button>
            <SubmitButton>{asked.yes ?? 'Confirm'}</SubmitButton>
          </div>
        </RuleForm>
      </Modal>
    );
  return { ask, prompt };
}
