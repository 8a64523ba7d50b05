/** The reader's time zone, read once for a whole screen of dates. */
import { createContext, useContext } from 'react';
import { timeZone } from '../api/session.ts';

export const ReaderZone = createContext<string | undefined>(undefined);

export function useReaderZone(): string {
  return useContext(ReaderZone) ?? timeZone();
}
