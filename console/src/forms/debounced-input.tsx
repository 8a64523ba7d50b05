/** A text box that reports its value when typing pauses. */
import { Input, type InputProps } from 'antd';
import { useEffect, useRef, useState } from 'react';

/** Milliseconds without a keystroke. */
const pauseMs = 300;

interface DebouncedInputProps
  extends Pick<InputProps, 'className' | 'placeholder' | 'maxLength' | 'type' | 'aria-label'> {
  /** The current search text; empty for none. */
  readonly value: string;
  /** Receives the text without surrounding blanks. */
  readonly onPause: (words: string) => void;
}

export function DebouncedInput({ value, onPause, ...rest }: DebouncedInputProps) {
  const [typed, setTyped] = useState(value);
  const [previousValue, setPreviousValue] = useState(value);
  /** The last reported text; the user may have typed more since. */
  const [reported, setReported] = useState(value);
  if (value !== previousValue) {
    setPreviousValue(value);
    // The value changed outside, by Back or by clearing all filters.
    if (value !== reported) {
      setReported(value);
      setTyped(value);
    }
  }
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);

  function type(text: string): void {
    setTyped(text);
    clearTimeout(pause.current);
    const words = text.trim();
    pause.current = setTimeout(() => {
      if (words === reported) return;
      setReported(words);
      onPause(words);
    }, pauseMs);
  }

  return <Input {...rest} allowClear value={typed} onChange={({ target }) => type(target.value)} />;
}
