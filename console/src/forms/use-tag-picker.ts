/** The state of a tag picker: input mode, offered tags and keyboard handling. */
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
  /** The input, or the Add button instead of it. */
  readonly control: RefObject<(HTMLInputElement & HTMLButtonElement) | null>;
  /** Whether the input replaces the button. */
  readonly typing: boolean;
  readonly entry: TagEntry;
  readonly offered: readonly string[];
  /** Index of the active offered tag, or -1. */
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
  const focusAfterRender = useFocusAfterRender(control);

  function stopAdding(): void {
    setAdding(false);
    entry.clear();
  }
  function remove(tag: string): void {
    entry.remove(tag);
    focusAfterRender();
  }
  function removeLast(): void {
    const last = field.tags.at(-1);
    if (last !== undefined) remove(last);
  }
  function cancel(): void {
    if (offered.length > 0) offers.close();
    else {
      stopAdding();
      focusAfterRender();
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
      focusAfterRender();
    },
    type: (text) => {
      entry.type(text);
      offers.open();
    },
    remove,
    onKeyDown: handleTagKeys({ alwaysText, entry, offers, offered, removeLast, cancel }),
    onLeave: ({ currentTarget, relatedTarget }) => {
      if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
      offers.close();
      // Leaving the picker adds the typed text.
      if (entry.isBlank || entry.addTyped()) stopAdding();
      onBlur?.();
    },
  };
}

interface Offers {
  readonly isOpen: boolean;
  /** Opens the list without an active option. */
  readonly open: () => void;
  readonly close: () => void;
  readonly option: ActiveOption;
  /** Opens the list and moves the active option. Returns whether the key was an arrow key. */
  readonly moveBy: ActiveOption['moveBy'];
}

/** The list of known tags below the input. */
function useOffers(): Offers {
  const [isOpen, setOpen] = useState(false);
  const option = useActiveOption(-1);
  const setOpenState = (open: boolean) => {
    setOpen(open);
    option.activate(-1);
  };
  return {
    isOpen,
    open: () => setOpenState(true),
    close: () => setOpenState(false),
    option,
    moveBy: (event, optionCount) => {
      const moved = option.moveBy(event, optionCount);
      if (moved) setOpen(true);
      return moved;
    },
  };
}

/** Moves the focus to the control that replaces the previous one after rendering. */
function useFocusAfterRender(control: RefObject<HTMLElement | null>): () => void {
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

function handleTagKeys({ alwaysText, entry, offers, offered, removeLast, cancel }: TagKeys) {
  return (event: KeyboardEvent): void => {
    if (offers.moveBy(event, offered.length)) return;
    const { key } = event;
    const active = offered[offers.option.active];
    if (key === 'Enter') {
      // Enter in an empty input in text mode submits the form.
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
