/** Facets as a modal sheet on narrow screens. It stays open while values are pressed. */
import { CloseOutlined } from '@ant-design/icons-svg';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from '../widgets/button.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { Icon } from '../widgets/icon.tsx';
import styles from './facet-sheet.module.css';

interface FacetSheetProps {
  /** Number of records found; undefined while unknown. */
  readonly totalCount: number | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FacetSheet({ totalCount, onClose, children }: FacetSheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current: sheet } = dialog;
    sheet?.showModal();
    return () => sheet?.close();
  }, []);
  return (
    // A click beside the sheet hits the dialog's backdrop; Escape closes it by key.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={`${styles['sheet']} p-0 bg-surface`}
      aria-label="Filters"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div className="flex flex-col h-full">
        <div className={`${styles['head']} flex items-center justify-between border-b text-lead`}>
          <strong>Filters</strong>
          <Button
            look="quiet"
            icon={<Icon of={CloseOutlined} />}
            aria-label="Close"
            onClick={onClose}
          />
        </div>
        <div className="relative flex-1 min-h-0 p-4 overflow-auto">{children}</div>
        <div className={`${styles['foot']} py-3 px-4 border-t`}>
          <Button look="primary" block onClick={onClose}>
            {totalCount === undefined ? 'Show records' : shownText(totalCount)}
          </Button>
        </div>
      </div>
    </dialog>
  );
}

const shownText = (total: number): string =>
  total === 1 ? 'Show 1 record' : `Show ${formatNumber(total)} records`;
