/** Confirmation dialog with Yes and No. No is hidden while the action of Yes runs; a click beside the dialog does nothing. */
import { ExclamationCircleFilled } from '@ant-design/icons-svg';
import { Input, Modal } from 'antd';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './confirm-modal.module.css';
import { isFocusLost } from './focus.ts';
import { Icon } from './icon.tsx';

export interface Question {
  /** Default: 'Are you sure?' */
  readonly title?: string;
  /** States the affected object or count. */
  readonly body?: ReactNode;
  readonly icon?: ReactNode;
  readonly yes?: string;
  readonly no?: string;
  /** Shows Yes in red and focuses No. */
  readonly danger?: boolean;
  /** Word to type before Yes is enabled, for actions with a large effect. */
  readonly typed?: string;
  /** Action of Yes. The dialog stays open until it ends, and the question rejects when it throws. */
  readonly onYes?: () => Promise<unknown>;
}

export interface PendingQuestion extends Question {
  readonly id: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

interface ConfirmDialogProps {
  readonly question: PendingQuestion;
  readonly open: boolean;
  /** Called after the answer. */
  readonly onSettled: () => void;
  /** Called after the closing animation. */
  readonly onClosed: () => void;
}

export function ConfirmDialog({ question, open, onSettled, onClosed }: ConfirmDialogProps) {
  const { processing, yes, no } = useAnswer(question, onSettled);
  const [entered, setEntered] = useState('');
  const noButton = useRef<HTMLButtonElement>(null);
  const { typed } = question;
  const isEnabled = typed === undefined || entered.trim() === typed;
  useFocusFallback();
  return (
    <Modal
      open={open}
      width={416}
      centered
      closable={false}
      keyboard={!processing}
      mask={{ closable: false }}
      onCancel={no}
      afterOpenChange={(opened) => {
        if (!opened) onClosed();
        else if (question.danger) noButton.current?.focus();
      }}
      title={
        <span className={styles['title']}>
          {question.icon ?? (
            <Icon
              of={ExclamationCircleFilled}
              className={question.danger ? styles['dangerIcon'] : styles['icon']}
            />
          )}
          {question.title ?? 'Are you sure?'}
        </span>
      }
      footer={
        <div className="flex justify-end gap-2">
          {processing ? null : (
            <Button ref={noButton} onClick={no}>
              {question.no ?? 'No'}
            </Button>
          )}
          <Button
            look="primary"
            danger={question.danger ?? false}
            loading={processing}
            disabled={!isEnabled}
            onClick={() => void yes()}
          >
            {question.yes ?? 'Yes'}
          </Button>
        </div>
      }
    >
      {question.body}
      {typed === undefined ? null : (
        <TypedWord
          word={typed}
          entered={entered}
          onEntered={setEntered}
          onEnter={() => isEnabled && !processing && void yes()}
        />
      )}
    </Modal>
  );
}

/** Handlers of both answers; `processing` is true while the action of Yes runs. */
function useAnswer(question: PendingQuestion, onSettled: () => void) {
  const [processing, setProcessing] = useState(false);

  async function yes(): Promise<void> {
    setProcessing(true);
    try {
      await question.onYes?.();
      question.resolve();
    } catch (failure) {
      question.reject(failure);
    } finally {
      setProcessing(false);
      onSettled();
    }
  }

  function no(): void {
    onSettled();
    question.reject(new Error('cancelled'));
  }
  return { processing, yes, no };
}

/** Moves the focus to the page when the confirmed action has removed the element that had it before. */
function useFocusFallback(): void {
  useEffect(
    () => () => {
      if (isFocusLost()) document.querySelector('main')?.focus({ preventScroll: true });
    },
    [],
  );
}

interface TypedWordProps {
  readonly word: string;
  readonly entered: string;
  readonly onEntered: (entered: string) => void;
  readonly onEnter: () => void;
}

/** Input of the word that enables Yes. */
function TypedWord({ word, entered, onEntered, onEnter }: TypedWordProps) {
  const id = useId();
  return (
    <div className={styles['typed']}>
      <label htmlFor={id}>
        Type <strong>{word}</strong> to confirm
      </label>
      <Input
        id={id}
        value={entered}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onEntered(event.target.value)}
        onPressEnter={onEnter}
      />
    </div>
  );
}
