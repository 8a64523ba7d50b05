/** Confirmation dialog with Yes and No. No is hidden while the action of Yes runs; a click beside the dialog does nothing. */
import { ExclamationCircleFilled } from '@ant-design/icons-svg';
import { Input, Modal } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './confirm-modal.module.css';
import type { Asked } from './confirm-question.ts';
import { isFocusLost } from './focus.ts';
import { Icon } from './icon.tsx';

interface ConfirmDialogProps {
  readonly asked: Asked;
  readonly open: boolean;
  /** Called after the answer. */
  readonly onSettled: () => void;
  /** Called after the closing animation. */
  readonly onClosed: () => void;
}

export function ConfirmDialog({ asked, open, onSettled, onClosed }: ConfirmDialogProps) {
  const { processing, yes, no } = useAnswer(asked, onSettled);
  const [entered, setEntered] = useState('');
  const safe = useRef<HTMLButtonElement>(null);
  const { typed } = asked;
  const sure = typed === undefined || entered.trim() === typed;
  useLostFocusToMain();
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
        else if (asked.danger) safe.current?.focus();
      }}
      title={
        <span className={styles['title']}>
          {asked.icon ?? (
            <Icon
              of={ExclamationCircleFilled}
              className={asked.danger ? styles['dangerIcon'] : styles['icon']}
            />
          )}
          {asked.title ?? 'Are you sure?'}
        </span>
      }
      footer={
        <>
          {processing ? null : (
            <Button ref={safe} onClick={no}>
              {asked.no ?? 'No'}
            </Button>
          )}
          <Button
            look="primary"
            danger={asked.danger ?? false}
            loading={processing}
            disabled={!sure}
            onClick={() => void yes()}
          >
            {asked.yes ?? 'Yes'}
          </Button>
        </>
      }
    >
      {asked.body}
      {typed === undefined ? null : (
        <TypedWord
          word={typed}
          entered={entered}
          onEntered={setEntered}
          onEnter={() => sure && !processing && void yes()}
        />
      )}
    </Modal>
  );
}

/** Handlers of both answers; `processing` is true while the action of Yes runs. */
function useAnswer(asked: Asked, onSettled: () => void) {
  const [processing, setProcessing] = useState(false);

  async function yes(): Promise<void> {
    setProcessing(true);
    try {
      await asked.onYes?.();
      asked.resolve();
    } catch (failure) {
      asked.reject(failure);
    } finally {
      setProcessing(false);
      onSettled();
    }
  }

  function no(): void {
    onSettled();
    asked.reject(new Error('cancelled'));
  }
  return { processing, yes, no };
}

/** Moves the focus to the page when the confirmed action has removed the element that had it before. */
function useLostFocusToMain(): void {
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
