/** Chooses a list's columns and their order. What sorts them is fetched when the menu is first opened. */
import { TableOutlined } from '@ant-design/icons';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { Button, Checkbox, Popover } from 'antd';
import { lazy, Suspense } from 'react';
import { type ColumnChoice, columnsOffered } from './column-choice.ts';
import styles from './column-menu.module.css';

const SortableItems = lazy(async () => ({ default: (await import('../widgets/sortable-items.tsx')).SortableItems }));

export function ColumnMenu({ list, choice }: { readonly list: ListDefinition; readonly choice: ColumnChoice }) {
  return (
    <Popover trigger="click" placement="bottomRight" arrow={false} destroyOnHidden content={<Columns list={list} choice={choice} />}>
      <Button type="text" icon={<TableOutlined />} aria-label="Columns" title="Columns" />
    </Popover>
  );
}

function Columns({ list, choice }: { readonly list: ListDefinition; readonly choice: ColumnChoice }) {
  const { columns } = choice;
  const others = columnsOffered(list).filter((name) => !columns.includes(name));
  const labelOf = (name: string) => fieldOf(list, name).label;
  const box = (name: string) => (
    <Checkbox
      checked={columns.includes(name)}
      disabled={columns.length === 1 && columns[0] === name}
      onChange={({ target }) => choice.setColumns(target.checked ? [...columns, name] : columns.filter((column) => column !== name))}
    >
      {labelOf(name)}
    </Checkbox>
  );
  return (
    <section aria-label="Columns" className={styles['menu']}>
      <div className={styles['head']}>
        <strong>Columns</strong>
        <Button type="link" size="small" disabled={!choice.changed} onClick={choice.reset}>
          Reset
        </Button>
      </div>
      <ul className={styles['columns']}>
        <Suspense
          fallback={columns.map((name) => (
            <li key={name} className={styles['other']}>
              {box(name)}
            </li>
          ))}
        >
          <SortableItems keys={columns} labelOf={labelOf} render={box} onSort={choice.setColumns} />
        </Suspense>
        {others.map((name) => (
          <li key={name} className={styles['other']}>
            {box(name)}
          </li>
        ))}
      </ul>
    </section>
  );
}
