/** The reader's time zone, determined once for a screen with many dates. */
import { createContext, useContext } from 'react';
import { timeZone } from '../api/session.ts';

export const ReaderZone = createContext<string | undefined>(undefined);

export function useReaderZone(): string {
  return useContext(ReaderZone) ?? timeZone();
}
