/** Help on the search syntax, with examples from the list's fields and rows. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { Modal } from 'antd';
import { buildExamples } from './syntax-examples.ts';
import styles from './syntax-help.module.css';

interface SyntaxHelpProps {
  readonly list: ListDefinition;
  /** Shown rows, source of examples. */
  readonly rows: readonly WireRow[];
  readonly open: boolean;
  readonly onClose: () => void;
}

export function SyntaxHelp({ list, rows, open, onClose }: SyntaxHelpProps) {
  return (
    <Modal open={open} onCancel={onClose} footer={null} title="Searching this list" width={640}>
      <div className={`${styles['help']} grid gap-4 text-dense`}>
        <p>
          Type words, or a field with a colon. All criteria must hold; several values of one field
          are alternatives.
        </p>
        <dl className={`${styles['examples']} divide-y grid m-0 border rounded`}>
          {buildExamples(list, rows).map(({ typed, means }) => (
            <div key={typed}>
              <dt className="break-anywhere">
                <code>{typed}</code>
              </dt>
              <dd className="m-0 text-quiet">{means}</dd>
            </div>
          ))}
        </dl>
        <p>
          <strong>Fields:</strong>{' '}
          <code>{list.searchable.map((name) => list.filterName[name] ?? name).join(', ')}</code>
        </p>
        <p>
          <strong>Keys:</strong> <kbd>/</kbd> search, <kbd>Esc</kbd> leave, <kbd>↑</kbd>{' '}
          <kbd>↓</kbd> rows, <kbd>Enter</kbd> open, <kbd>←</kbd> <kbd>→</kbd> pages, <kbd>?</kbd>{' '}
          this help.
        </p>
      </div>
    </Modal>
  );
}
