/** Selects a list's columns and their order, and how its rows are shown. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { importChunk } from '../../theme/chunk-in-time.ts';
import { Button } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { LazyPart, lazyComponent } from '../../widgets/lazy-part.tsx';
import styles from './column-boxes.module.css';
import { type ColumnChoice, getAvailableColumns } from './column-choice.ts';

const SortableItems = lazyComponent(
  async () => (await importChunk(() => import('../../widgets/sortable-items.tsx'))).SortableItems,
);

export function ColumnBoxes({
  list,
  choice,
  narrow,
}: {
  readonly list: ListDefinition;
  readonly choice: ColumnChoice;
  readonly narrow: boolean;
}) {
  const { columns } = choice;
  const others = getAvailableColumns(list).filter((name) => !columns.includes(name));
  const getLabel = (name: string) => getField(list, name).label;
  const box = (name: string) => (
    <CheckBox
      checked={columns.includes(name)}
      disabled={columns.length === 1 && columns[0] === name}
      onChange={(checked) =>
        choice.setColumns(
          checked ? [...columns, name] : columns.filter((column) => column !== name),
        )
      }
    >
      {getLabel(name)}
    </CheckBox>
  );
  return (
    <div className={styles['menu']}>
      <div className="flex items-center justify-between mb-1">
        <strong>Columns</strong>
        <Button look="link" small disabled={!choice.changed} onClick={choice.reset}>
          Reset
        </Button>
      </div>
      <ul className={`${styles['columns']} relative plain-list overflow-auto`}>
        <LazyPart
          wheel
          fallback={columns.map((name) => (
            <li key={name} className={`${styles['other']} flex items-center`}>
              {box(name)}
            </li>
          ))}
        >
          <SortableItems
            keys={columns}
            getLabel={getLabel}
            render={box}
            onSort={choice.setColumns}
          />
        </LazyPart>
        {others.map((name) => (
          <li key={name} className={`${styles['other']} flex items-center`}>
            {box(name)}
          </li>
        ))}
      </ul>
      <fieldset className={styles['rows']}>
        <legend className="p-0 text-body font-600">Rows</legend>
        {!narrow && (
          <CheckBox
            checked={choice.density === 'dense'}
            onChange={(dense) => choice.prefer({ density: dense ? 'dense' : undefined })}
          >
            Dense
          </CheckBox>
        )}
        <CheckBox
          checked={choice.loadMode === 'loadmore'}
          onChange={(more) => choice.prefer({ loadMode: more ? 'loadmore' : undefined })}
        >
          Load more instead of pages
        </CheckBox>
      </fieldset>
    </div>
  );
}
