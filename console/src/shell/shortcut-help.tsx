/** The keyboard shortcuts, and the actions of the open page, which the command box runs by name. */
import { Modal } from 'antd';
import { Fragment, useState } from 'react';
import { useReturnFocus } from '../widgets/use-return-focus.ts';
import { listPageActions } from './page-actions.ts';
import { mainId } from './page-announcer.tsx';
import styles from './shortcut-help.module.css';

interface KeyGroup {
  readonly heading: string;
  readonly keys: readonly (readonly [keys: readonly string[], does: string])[];
}

const groups: readonly KeyGroup[] = [
  {
    heading: 'Everywhere',
    keys: [
      [['Ctrl K'], 'Search, open a screen or run a command'],
      [['?'], 'Show these shortcuts; in a list, show search help'],
      [['Esc'], 'Close the topmost dialog or panel'],
    ],
  },
  {
    heading: 'In a list',
    keys: [
      [['/'], 'Search'],
      [['↑', '↓'], 'Previous or next row'],
      [['Home', 'End'], 'First or last row'],
      [['Enter'], 'Open the row'],
      [['Space'], 'Select the row'],
      [['←', '→'], 'Previous or next page'],
    ],
  },
];

export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  useReturnFocus();
  const [actions] = useState(() => listPageActions(document.getElementById(mainId)));
  return (
    <Modal open onCancel={onClose} footer={null} title="Keyboard shortcuts" width={640}>
      <div className={styles['groups']}>
        {groups.map(({ heading, keys }) => (
          <section key={heading} aria-label={heading}>
            <h3 className={styles['heading']}>{heading}</h3>
            <dl className={styles['keys']}>
              {keys.map(([names, does]) => (
                <Fragment key={does}>
                  <dt>
                    {names.map((name) => (
                      <kbd key={name} className={styles['key']}>
                        {name}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
        {actions.length === 0 ? null : (
          <section aria-label="On this page">
            <h3 className={styles['heading']}>On this page</h3>
            <p className={styles['words']}>
              Press <kbd className={styles['key']}>Ctrl K</kbd> and type a part of the name:
            </p>
            <ul className={styles['actions']}>
              {actions.map(({ label }) => (
                <li key={label}>{label}</li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Modal>
  );
}
