/** The state of a tag picker: input mode, offered tags and keyboard handling. */
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useActiveOption } from '../widgets/option-list.tsx';
import { type TagField, useKnownTags, useTagEntry } from './use-tag-entry.ts';

interface TagPickerModes {
  readonly alwaysText: boolean;
  readonly disabled: boolean;
  readonly onBlur: (() => void) | undefined;
}

export type TagPickerState = ReturnType<typeof useTagPicker>;

export function useTagPicker(field: TagField, { alwaysText, disabled, onBlur }: TagPickerModes) {
  const [adding, setAdding] = useState(false);
  const [isOffering, setOffering] = useState(false);
  const option = useActiveOption(-1);
  /** Opens or closes the list of known tags, without an active option. */
  const setOffers = (open: boolean) => {
    setOffering(open);
    option.activate(-1);
  };
  const entry = useTagEntry(field, () => setOffers(false));
  const offered = useKnownTags(field, entry.typed, isOffering);
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
  function cancel(): void {
    if (offered.length > 0) return setOffers(false);
    stopAdding();
    focusAfterRender();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (option.moveBy(event, offered.length)) return setOffering(true);
    const { key } = event;
    const active = offered[option.active];
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
    } else if (key === 'Backspace' && entry.typed === '') {
      const last = field.tags.at(-1);
      if (last !== undefined) remove(last);
    }
  }
  return {
    /** The input, or the Add button instead of it. */
    control,
    /** Whether the input replaces the button. */
    typing: (alwaysText || adding) && !disabled,
    entry,
    offered,
    /** Index of the active offered tag, or -1. */
    active: offered[option.active] === undefined ? -1 : option.active,
    startAdding: () => {
      setAdding(true);
      focusAfterRender();
    },
    type: (text: string) => {
      entry.type(text);
      setOffers(true);
    },
    remove,
    onKeyDown,
    onLeave: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
      setOffers(false);
      // Leaving the picker adds the typed text.
      if (entry.isBlank || entry.addTyped()) stopAdding();
      onBlur?.();
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
