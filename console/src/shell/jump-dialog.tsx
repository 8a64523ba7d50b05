/**
 * Ctrl-K: a box that takes an identifier, a screen or a command. The box itself is here at once and takes the first key; what
 * it offers is fetched with `jump-options.tsx`, and an Enter that was pressed before waits for it.
 */
import { SearchOutlined } from '@ant-design/icons-svg';
import {
  type KeyboardEvent,
  lazy,
  Suspense,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { chunkInTime } from '../theme/chunk-in-time.ts';
import { Icon } from '../widgets/icon.tsx';
import { useActiveOption } from '../widgets/use-active-option.ts';
import type { FrameActions } from './jump-commands.ts';
import styles from './jump-dialog.module.css';

const JumpOptions = lazy(async () => ({
  default: (await chunkInTime(import('./jump-options.tsx'))).JumpOptions,
}));

interface JumpDialogProps extends FrameActions {
  readonly onClose: () => void;
}

export function JumpDialog({ onClose, ...frame }: JumpDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  /** Enter was pressed and nothing has answered it yet. */
  const [entered, setEntered] = useState(false);
  const [optionCount, setOptionCount] = useState(0);
  const option = useActiveOption(0);
  const id = useId();
  const chosen = Math.min(option.active, optionCount - 1);

  // Before the next key can arrive. Closed, it gives the focus back.
  useLayoutEffect(() => {
    const { current: box } = dialog;
    if (box?.isConnected !== true) return undefined;
    box.showModal();
    input.current?.focus();
    return () => box.close();
  }, []);

  const run = useCallback(
    (action: () => void) => {
      // The page has the focus again before the action moves it.
      dialog.current?.close();
      onClose();
      action();
    },
    [onClose],
  );

  function onKeyDown(event: KeyboardEvent): void {
    // The page and what else is open below hear nothing.
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      setEntered(true);
    } else option.moveBy(event, optionCount);
  }
  return (
    // The keys are those of the input in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={styles['box']}
      aria-label="Search everything"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={onKeyDown}
    >
      <div className={styles['line']}>
        <Icon of={SearchOutlined} />
        <input
          ref={input}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-label="Identifier, screen or command"
          aria-expanded={optionCount > 0}
          aria-controls={`${id}list`}
          aria-activedescendant={chosen < 0 ? undefined : `${id}${chosen}`}
          placeholder="KB, CVE, bulletin, notice, uuid, package, screen or command"
          className={styles['input']}
          value={typed}
          maxLength={255}
          onChange={({ target }) => {
            setTyped(target.value);
            setEntered(false);
            option.activate(0);
          }}
        />
        <kbd aria-hidden="true" className={styles['escape']}>
          Esc
        </kbd>
      </div>
      <Suspense fallback={<p className={styles['note']}>{entered ? 'Looking…' : ''}</p>}>
        <JumpOptions
          id={id}
          typed={typed}
          active={chosen}
          entered={entered}
          frame={frame}
          onCount={setOptionCount}
          onRun={run}
          onUnanswered={() => setEntered(false)}
        />
      </Suspense>
    </dialog>
  );
}
