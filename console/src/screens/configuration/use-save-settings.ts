/** Saves settings, and makes the console go by them at once. */
import { type GeneralSettings, saveSettingsCall } from '@patch/contract/settings-calls.ts';
import { useQueryClient } from '@tanstack/react-query';
import { become } from '../../api/about.ts';
import { makeCall } from '../../api/make-call.ts';
import { toast } from '../../widgets/toast.tsx';

export function useSaveSettings(): (given: Partial<GeneralSettings>) => Promise<void> {
  const queries = useQueryClient();
  return async (given) => {
    const { settings } = await makeCall(saveSettingsCall, { body: given });
    become(settings);
    toast.success('Settings saved');
    await queries.invalidateQueries({ queryKey: ['settings'] });
  };
}
