/** Toolbar of the marked rows, shown while any are marked. */

import { CloseOutlined } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import type { Selection } from './selected-rows.ts';
import styles from './selection-bar.module.css';

interface SelectionBarProps {
  readonly selection: Selection;
  readonly totalCount: number;
  /** Further actions. */
  readonly children?: ReactNode;
}

export function SelectionBar({ selection, totalCount, children }: SelectionBarProps) {
  const { ids, allMatching } = selection;
  const markedCount = allMatching ? totalCount : ids.size;
  if (markedCount === 0) return null;
  return (
    <div role="toolbar" aria-label="Selected rows" className={styles['bar']}>
      <strong aria-live="polite" className="figures">
        {formatNumber(markedCount)} selected
      </strong>
      {allMatching || ids.size >= totalCount ? null : (
        <Button look="link" small onClick={selection.markAllMatching}>
          Select all {formatNumber(totalCount)} matching
        </Button>
      )}
      {children}
      <Button look="quiet" small icon={<Icon of={CloseOutlined} />} onClick={selection.clear}>
        Clear
      </Button>
    </div>
  );
}
