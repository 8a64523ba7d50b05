/** A value once it has rested for a while: what is typed is asked for when the typing pauses. */
import { useEffect, useState } from 'react';

export function useDebouncedValue<Value>(value: Value, restsFor: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), restsFor);
    return () => clearTimeout(timer);
  }, [value, restsFor]);
  return settled;
}
