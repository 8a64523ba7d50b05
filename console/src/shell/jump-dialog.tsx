/** The Ctrl-K box for identifiers, screens and commands. The input is available at once; its options load with `jump-options.tsx`, and Enter waits for them. */
import { SearchOutlined } from '@ant-design/icons-svg';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { importChunk } from '../theme/chunk-in-time.ts';
import { Icon } from '../widgets/icon.tsx';
import { LazyPart, lazyComponent } from '../widgets/lazy-part.tsx';
import { useActiveOption } from '../widgets/option-list.tsx';
import type { FrameActions } from './jump-commands.ts';
import styles from './jump-dialog.module.css';

const JumpOptions = lazyComponent(
  async () => (await importChunk(() => import('./jump-options.tsx'))).JumpOptions,
);

interface JumpDialogProps extends FrameActions {
  readonly onClose: () => void;
}

export function JumpDialog({ onClose, ...frame }: JumpDialogProps) {
  const { dialog, input } = useModal();
  const [typed, setTyped] = useState('');
  /** Whether an Enter is still waiting for the options. */
  const [isEnterPending, setEnterPending] = useState(false);
  const [optionCount, setOptionCount] = useState(0);
  const option = useActiveOption(0);
  const id = useId();
  const chosen = Math.min(option.active, optionCount - 1);

  const run = useCallback(
    (action: () => void) => {
      // The page has the focus again before the action moves it.
      dialog.current?.close();
      onClose();
      action();
    },
    [dialog, onClose],
  );

  function onKeyDown(event: KeyboardEvent): void {
    // The page and other open layers must not receive the key.
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      setEnterPending(true);
    } else option.moveBy(event, optionCount);
  }
  return (
    // The dialog handles the keys of its input.
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
      <JumpInput
        ref={input}
        id={id}
        active={chosen}
        typed={typed}
        onType={(words) => {
          setTyped(words);
          setEnterPending(false);
          option.activate(0);
        }}
      />
      <LazyPart
        wheel
        fallback={<p className={styles['note']}>{isEnterPending ? 'Looking…' : ''}</p>}
      >
        <JumpOptions
          id={id}
          typed={typed}
          active={chosen}
          isEnterPending={isEnterPending}
          frame={frame}
          onCount={setOptionCount}
          onRun={run}
          onNoMatch={() => setEnterPending(false)}
        />
      </LazyPart>
    </dialog>
  );
}

/** Opens the dialog and focuses its input before the next key. Closing returns the focus. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const { current: element } = dialog;
    if (element?.isConnected !== true) return undefined;
    element.showModal();
    input.current?.focus();
    return () => element.close();
  }, []);
  return { dialog, input };
}

interface JumpInputProps {
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly id: string;
  /** -1 without an option. */
  readonly active: number;
  readonly typed: string;
  readonly onType: (words: string) => void;
}

function JumpInput({ ref, id, active, typed, onType }: JumpInputProps) {
  return (
    <div className={styles['line']}>
      <Icon of={SearchOutlined} />
      <input
        ref={ref}
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-label="Identifier, screen or command"
        aria-expanded={active >= 0}
        aria-controls={`${id}list`}
        aria-activedescendant={active < 0 ? undefined : `${id}${active}`}
        placeholder="KB, CVE, bulletin, notice, uuid, package, screen or command"
        className={styles['input']}
        value={typed}
        maxLength={255}
        onChange={({ target }) => onType(target.value)}
      />
      <kbd aria-hidden="true" className={styles['escape']}>
        Esc
      </kbd>
    </div>
  );
}
