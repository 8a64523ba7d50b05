/** Chooses a list's columns and their order. */
import { DownOutlined, TableOutlined, UpOutlined } from '@ant-design/icons';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { Button, Checkbox, Popover } from 'antd';
import { type ColumnChoice, columnsOffered } from './column-choice.ts';
import styles from './column-menu.module.css';

export function ColumnMenu({ list, choice }: { readonly list: ListDefinition; readonly choice: ColumnChoice }) {
  return (
    <Popover trigger="click" placement="bottomRight" arrow={false} content={<Columns list={list} choice={choice} />}>
      <Button type="text" icon={<TableOutlined />} aria-label="Columns" title="Columns" />
    </Popover>
  );
}

function Columns({ list, choice }: { readonly list: ListDefinition; readonly choice: ColumnChoice }) {
  const { columns } = choice;
  const others = columnsOffered(list).filter((name) => !columns.includes(name));

  function toggle(name: string, shown: boolean): void {
    choice.setColumns(shown ? [...columns, name] : columns.filter((column) => column !== name));
  }
  function move(name: string, step: 1 | -1): void {
    const place = columns.indexOf(name);
    const without = columns.filter((column) => column !== name);
    choice.setColumns(without.toSpliced(place + step, 0, name));
  }
  return (
    <section aria-label="Columns" className={styles['menu']}>
      <div className={styles['head']}>
        <strong>Columns</strong>
        <Button type="link" size="small" disabled={!choice.changed} onClick={choice.reset}>
          Reset
        </Button>
      </div>
      <ul className={styles['columns']}>
        {[...columns, ...others].map((name) => {
          const { label } = fieldOf(list, name);
          const place = columns.indexOf(name);
          return (
            <li key={name} className={styles['column']}>
              <Checkbox
                checked={place >= 0}
                disabled={place >= 0 && columns.length === 1}
                onChange={({ target }) => toggle(name, target.checked)}
              >
                {label}
              </Checkbox>
              {place >= 0 && (
                <span className={styles['moves']}>
                  <Button
                    type="text"
                    size="small"
                    icon={<UpOutlined />}
                    aria-label={`Move ${label} to the left`}
                    disabled={place === 0}
                    onClick={() => move(name, -1)}
                  />
                  <Button
                    type="text"
                    size="small"
                    icon={<DownOutlined />}
                    aria-label={`Move ${label} to the right`}
                    disabled={place === columns.length - 1}
                    onClick={() => move(name, 1)}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
