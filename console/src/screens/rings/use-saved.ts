/** What the dialogs of the screen do after they have saved. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../api/toast.ts';

/** Returns a function that reports what was saved, fetches it again and closes the dialog. */
export function useSaved(onClose: () => void) {
  const queries = useQueryClient();
  return async (words: string, ...queryKeys: readonly QueryKey[]) => {
    toast.success(words);
    await Promise.all(queryKeys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    onClose();
  };
}
