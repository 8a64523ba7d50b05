import { TableOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { useState } from 'react';
import { importChunk } from '../../theme/chunk-in-time.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { lazyComponent } from '../../widgets/lazy-part.tsx';
import { Popover } from '../../widgets/popover.tsx';
import type { ColumnChoice } from './column-choice.ts';

/** Loaded when the menu is first opened. Suspends the popover. */
const ColumnBoxes = lazyComponent(
  async () => (await importChunk(() => import('./column-boxes.tsx'))).ColumnBoxes,
);

export function ColumnMenu({
  list,
  choice,
  narrow,
}: {
  readonly list: ListDefinition;
  readonly choice: ColumnChoice;
  /** Rows are cards, which have one density. */
  readonly narrow: boolean;
}) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      open={open}
      onClose={() => setOpen(false)}
      placement="bottom-end"
      label="Columns"
      content={<ColumnBoxes list={list} choice={choice} narrow={narrow} />}
    >
      <Button
        look="quiet"
        icon={<Icon of={TableOutlined} />}
        aria-label="Columns"
        title="Columns"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {!narrow && 'Columns'}
      </Button>
    </Popover>
  );
}
