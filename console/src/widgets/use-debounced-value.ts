/** Returns the value once it has not changed for `restsFor` milliseconds. */
import { useEffect, useState } from 'react';

export function useDebouncedValue<Value>(value: Value, restsFor: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), restsFor);
    return () => clearTimeout(timer);
  }, [value, restsFor]);
  return settled;
}
