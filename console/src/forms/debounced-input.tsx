/** A text box that asks when the typing pauses. */
import { Input, type InputProps } from 'antd';
import { useEffect, useRef, useState } from 'react';

/** How long a pause is. */
const typingRests = 300;

interface RestingInputProps
  extends Pick<InputProps, 'className' | 'placeholder' | 'maxLength' | 'type' | 'aria-label'> {
  /** What is asked for; empty for nothing. */
  readonly value: string;
  /** Without the blanks around it. */
  readonly onRest: (words: string) => void;
}

export function DebouncedInput({ value, onRest, ...rest }: RestingInputProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  /** What was asked for from here; more may have been typed since. */
  const [asked, setAsked] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Changed from outside: by Back, or by clearing all.
    if (value !== asked) {
      setAsked(value);
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
      if (words === asked) return;
      setAsked(words);
      onRest(words);
    }, typingRests);
  }

  return <Input {...rest} allowClear value={typed} onChange={({ target }) => type(target.value)} />;
}
