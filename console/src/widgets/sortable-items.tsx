/** Items that the user sorts by dragging their handles, with the pointer or with Space and arrow keys. */

import { HolderOutlined } from '@ant-design/icons-svg';
import {
  type Active,
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './sortable-items.module.css';

interface SortableItemsProps {
  /** Keys of the items, in order. */
  readonly keys: readonly string[];
  readonly getLabel: (key: string) => string;
  readonly render: (key: string) => ReactNode;
  readonly onSort: (keys: readonly string[]) => void;
}

/** Renders `<li>` elements; the caller renders the list around them. */
export function SortableItems({ keys, getLabel, render, onSort }: SortableItemsProps) {
  const sensors = useSensors(
    // A press without movement is a click on the content of the item.
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  function onDragEnd({ active, over }: DragEndEvent): void {
    const sorted = over === null ? keys : moveKey(keys, String(active.id), String(over.id));
    if (sorted !== keys) onSort(sorted);
  }
  const position = ({ id }: Pick<Active, 'id'>) => keys.indexOf(String(id)) + 1;
  const label = ({ id }: Active) => getLabel(String(id));
  const announcements: Announcements = {
    onDragStart: ({ active }) => `${label(active)} is picked up at position ${position(active)}.`,
    onDragOver: ({ active, over }) =>
      over ? `${label(active)} is over position ${position(over)} of ${keys.length}.` : undefined,
    onDragEnd: ({ active, over }) =>
      `${label(active)} is put down${over ? ` at position ${position(over)}` : ''}.`,
    onDragCancel: ({ active }) => `${label(active)} is back at its original position.`,
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{ announcements, container: document.body }}
    >
      <SortableContext items={[...keys]} strategy={verticalListSortingStrategy}>
        {keys.map((key) => (
          <SortableItem key={key} id={key} label={getLabel(key)}>
            {render(key)}
          </SortableItem>
        ))}
      </SortableContext>
    </DndContext>
  );
}

/** Returns the same array when nothing moves. */
export function moveKey(keys: readonly string[], from: string, to: string): readonly string[] {
  return from === to ? keys : arrayMove([...keys], keys.indexOf(from), keys.indexOf(to));
}

interface SortableItemProps {
  readonly id: string;
  readonly label: string;
  readonly children: ReactNode;
}

function SortableItem({ id, label, children }: SortableItemProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, ...item } = useSortable({ id });
  return (
    <li
      ref={setNodeRef}
      className={styles['item']}
      data-dragging={item.isDragging || undefined}
      style={{ transform: CSS.Translate.toString(item.transform), transition: item.transition }}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        className={styles['handle']}
        {...attributes}
        {...listeners}
        aria-label={`Move ${label}`}
        title="Drag, or press Space and the arrow keys"
      >
        <Icon of={HolderOutlined} />
      </button>
      {children}
    </li>
  );
}
