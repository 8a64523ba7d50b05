/** Sets, changes and removes the alert of a saved view. */
import type { SavedView } from '@patch/contract/saved-view-endpoints.ts';
import { AlertDialog } from './alert-dialog.tsx';
import { useViewAlerts } from './use-view-alerts.ts';

interface SavedViewAlertProps {
  readonly view: SavedView;
  readonly onClose: () => void;
}

export function SavedViewAlert({ view, onClose }: SavedViewAlertProps) {
  const alerts = useViewAlerts();
  if (!alerts.isReady) return null;
  return (
    <AlertDialog
      key={view.id}
      view={view}
      alert={alerts.findAlert(view.id)}
      mailMissing={alerts.mailMissing}
      onSet={(setting) => alerts.set.mutateAsync({ view: view.id, setting })}
      onEnd={() => alerts.end.mutateAsync(view.id)}
      onClose={onClose}
    />
  );
}
