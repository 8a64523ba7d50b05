/** Saves settings and applies them to the console at once. */

import { type GeneralSettings, saveSettingsEndpoint } from '@patch/contract/settings-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { about, setAbout } from '../../api/about.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';

export function useSaveSettings(): (changes: Partial<GeneralSettings>) => Promise<void> {
  const queries = useQueryClient();
  return async (changes) => {
    const { settings } = await callApi(saveSettingsEndpoint, { body: changes });
    const { name, timeZone } = settings;
    setAbout({ ...about(), name, timeZone });
    toast.success('Settings saved');
    await queries.invalidateQueries({ queryKey: queryKeys.settings.all() });
  };
}
