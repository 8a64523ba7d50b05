/** The dialog with notes and assignee of a record, or of what one machine misses. */
import { Modal } from 'antd';
import { FindingNotes } from './record-notes.tsx';
import type { Finding } from './use-notes.ts';

interface FindingNotesDialogProps {
  /** The dialog is closed while this is undefined. */
  readonly finding: Finding | undefined;
  /** Names the finding. */
  readonly name: string;
  readonly onClose: () => void;
}

export function FindingNotesDialog({ finding, name, onClose }: FindingNotesDialogProps) {
  return (
    <Modal
      title={`Notes and assignee: ${name}`}
      open={finding !== undefined}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={null}
      width={560}
      destroyOnHidden
    >
      {finding !== undefined && (
        <div className="grid grid-cols-1 gap-3 min-w-0">
          <FindingNotes finding={finding} />
        </div>
      )}
    </Modal>
  );
}
