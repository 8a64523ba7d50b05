/** The state of a tag picker: whether it is typed into, the known tags that it offers, and what its keys do. */
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type ActiveOption, useActiveOption } from '../widgets/use-active-option.ts';
import { type TagEntry, type TagField, useKnownTags, useTagEntry } from './use-tag-entry.ts';

interface TagPickerModes {
  readonly alwaysText: boolean;
  readonly disabled: boolean;
  readonly onBlur: (() => void) | undefined;
}

export interface TagPickerState {
  /** The input, or the button that gives way to it. */
  readonly control: RefObject<(HTMLInputElement & HTMLButtonElement) | null>;
  /** Whether there is an input instead of the button. */
  readonly typing: boolean;
  readonly entry: TagEntry;
  readonly offered: readonly string[];
  /** Index of the offered tag that the arrow keys have reached; -1 while none is. */
  readonly active: number;
  readonly startAdding: () => void;
  readonly type: (text: string) => void;
  readonly remove: (tag: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onLeave: (event: FocusEvent) => void;
}

export function useTagPicker(
  field: TagField,
  { alwaysText, disabled, onBlur }: TagPickerModes,
): TagPickerState {
  const [adding, setAdding] = useState(false);
  const offers = useOffers();
  const entry = useTagEntry(field, offers.close);
  const offered = useKnownTags(field, entry.typed, offers.isOpen);
  const control = useRef<HTMLInputElement & HTMLButtonElement>(null);
  const keepFocus = useKeptFocus(control);

  function stopAdding(): void {
    setAdding(false);
    entry.clear();
  }
  function remove(tag: string): void {
    entry.remove(tag);
    keepFocus();
  }
  function removeLast(): void {
    const last = field.tags.at(-1);
    if (last !== undefined) remove(last);
  }
  function cancel(): void {
    if (offered.length > 0) offers.close();
    else {
      stopAdding();
      keepFocus();
    }
  }
  return {
    control,
    typing: (alwaysText || adding) && !disabled,
    entry,
    offered,
    active: offered[offers.option.active] === undefined ? -1 : offers.option.active,
    startAdding: () => {
      setAdding(true);
      keepFocus();
    },
    type: (text) => {
      entry.type(text);
      offers.open();
    },
    remove,
    onKeyDown: tagKeys({ alwaysText, entry, offers, offered, removeLast, cancel }),
    onLeave: ({ currentTarget, relatedTarget }) => {
      if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
      offers.close();
      // What was typed is meant.
      if (entry.isBlank || entry.addTyped()) stopAdding();
      onBlur?.();
    },
  };
}

interface Offers {
  readonly isOpen: boolean;
  /** With none of them active. */
  readonly open: () => void;
  readonly close: () => void;
  readonly option: ActiveOption;
  /** Opens them where an arrow key moves among them, and answers whether it does. */
  readonly moveBy: ActiveOption['moveBy'];
}

/** The list of known tags below the input. */
function useOffers(): Offers {
  const [isOpen, setOpen] = useState(false);
  const option = useActiveOption(-1);
  const become = (open: boolean) => {
    setOpen(open);
    option.activate(-1);
  };
  return {
    isOpen,
    open: () => become(true),
    close: () => become(false),
    option,
    moveBy: (event, optionCount) => {
      const moved = option.moveBy(event, optionCount);
      if (moved) setOpen(true);
      return moved;
    },
  };
}

/** The button gives way to the input, and the input to the button: the focus stays on what is there next. */
function useKeptFocus(control: RefObject<HTMLElement | null>): () => void {
  const focusNext = useRef(false);
  useEffect(() => {
    if (focusNext.current) control.current?.focus();
    focusNext.current = false;
  });
  return () => {
    focusNext.current = true;
  };
}

interface TagKeys {
  readonly alwaysText: boolean;
  readonly entry: TagEntry;
  readonly offers: Offers;
  readonly offered: readonly string[];
  readonly removeLast: () => void;
  readonly cancel: () => void;
}

function tagKeys({ alwaysText, entry, offers, offered, removeLast, cancel }: TagKeys) {
  return (event: KeyboardEvent): void => {
    if (offers.moveBy(event, offered.length)) return;
    const { key } = event;
    const active = offered[offers.option.active];
    if (key === 'Enter') {
      // Of an input that is always there, and empty, Enter sends the form.
      if (entry.isBlank && alwaysText) return;
      event.preventDefault();
      if (active !== undefined) entry.add([active]);
      else if (entry.isBlank) entry.requireWord();
      else entry.addTyped();
    } else if (key === 'Escape' && (offered.length > 0 || entry.typed !== '' || !alwaysText)) {
      event.stopPropagation();
      cancel();
    } else if (key === 'Backspace' && entry.typed === '') removeLast();
  };
}
