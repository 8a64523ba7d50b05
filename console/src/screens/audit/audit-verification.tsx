/** The result of verifying the audit log. */
import type { AuditVerification } from '@patch/contract/audit-endpoints.ts';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Notice } from '../../widgets/notice.tsx';

interface AuditVerificationResultProps {
  readonly result: AuditVerification;
  readonly onClose: () => void;
}

export function AuditVerificationResult({ result, onClose }: AuditVerificationResultProps) {
  const { intact, firstBroken, checked, firstId, lastId, lastHash, otherKey, anchored } = result;
  const isProven = intact && otherKey === 0;
  return (
    <Notice
      kind={isProven ? 'success' : intact ? 'warning' : 'error'}
      onClose={onClose}
      title={
        intact
          ? `${isProven ? `All ${formatNumber(checked)} entries are unaltered` : `All ${formatNumber(checked)} entries are in sequence, but not all can be verified`}${firstId > 1 ? `, from entry ${formatNumber(firstId)} on: older entries were deleted at the end of their retention` : ''}.`
          : `Entry ${firstBroken === null ? lastId : formatNumber(firstBroken.id)} has been altered.`
      }
      description={
        intact ? (
          <>
            The hash of the last entry, {formatNumber(lastId)}, is{' '}
            <code>{lastHash.slice(0, 16)}…</code>
            <CopyButton text={lastHash} what="hash" /> Store it elsewhere to prove later that no
            entry up to here was rewritten. {formatNumber(anchored)} entries were compared with the
            service’s record outside the database.
            {otherKey === 0
              ? null
              : ` ${formatNumber(otherKey)} are keyed with a different SECRET_KEY and cannot be verified here.`}
          </>
        ) : (
          `${firstBroken?.reason ?? ''} The ${formatNumber(checked)} entries before it are intact. Compare it with the service's log, which has the hash of every entry.`
        )
      }
    />
  );
}
