/** Asks before something happens: Yes or No. While Yes is at work, No is hidden; a click beside the dialog changes nothing. */
import { ExclamationCircleFilled } from '@ant-design/icons';
import { Button, Input, Modal } from 'antd';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './confirm-modal.module.css';

export interface Question {
  /** 'Are you sure?' when absent. */
  readonly title?: string;
  /** Names the object and the count. */
  readonly body?: ReactNode;
  readonly icon?: ReactNode;
  readonly yes?: string;
  readonly no?: string;
  /** Paints Yes in red and puts the focus on No. */
  readonly danger?: boolean;
  /** What has to be typed before Yes can be pressed: for what touches much. */
  readonly typed?: string;
  /** What Yes does; the dialog stays until it is done, and closes rejected when it throws. */
  readonly onYes?: () => Promise<unknown>;
}

interface Asked extends Question {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

let ask: (asked: Asked) => void = ({ reject }) => reject(new Error('cancelled'));

/** Resolves on Yes, once `onYes` is done; rejects with the message 'cancelled' on No. */
export function confirm(question: Question): Promise<void> {
  return new Promise((resolve, reject) => ask({ ...question, resolve, reject }));
}

/** Mounted once, in the main layout. */
export function ConfirmHost() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [open, setOpen] = useState(false);
  const [processing, setProcessing] = useState(false);
  const [entered, setEntered] = useState('');
  const typedId = useId();
  const safe = useRef<HTMLButtonElement>(null);
  const typed = asked?.typed;
  const sure = typed === undefined || entered.trim() === typed;

  useEffect(() => {
    const before = ask;
    ask = (next) => {
      setAsked(next);
      setEntered('');
      setOpen(true);
    };
    return () => {
      ask = before;
    };
  }, []);

  async function yes(): Promise<void> {
    setProcessing(true);
    try {
      await asked?.onYes?.();
      asked?.resolve();
    } catch (failure) {
      asked?.reject(failure);
    } finally {
      setProcessing(false);
      setOpen(false);
    }
  }

  function no(): void {
    setOpen(false);
    asked?.reject(new Error('cancelled'));
  }

  return (
    <Modal
      open={open}
      width={416}
      centered
      closable={false}
      keyboard={!processing}
      mask={{ closable: false }}
      // Mounted anew each time: it lies over whatever drawer has been opened since.
      destroyOnHidden
      onCancel={no}
      afterOpenChange={(opened) => opened && asked?.danger && safe.current?.focus()}
      title={
        <span className={styles['title']}>
          {asked?.icon ?? <ExclamationCircleFilled className={styles['icon']} data-danger={asked?.danger || undefined} />}
          {asked?.title ?? 'Are you sure?'}
        </span>
      }
      footer={
        <>
          {processing ? null : (
            <Button ref={safe} onClick={no}>
              {asked?.no ?? 'No'}
            </Button>
          )}
          <Button type="primary" danger={asked?.danger ?? false} loading={processing} disabled={!sure} onClick={() => void yes()}>
            {asked?.yes ?? 'Yes'}
          </Button>
        </>
      }
    >
      {asked?.body}
      {typed === undefined ? null : (
        <div className={styles['typed']}>
          <label htmlFor={typedId}>
            Type <strong>{typed}</strong> to confirm
          </label>
          <Input
            id={typedId}
            value={entered}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setEntered(event.target.value)}
            onPressEnter={() => sure && !processing && void yes()}
          />
        </div>
      )}
    </Modal>
  );
}
