/** Values of the service for tests: each function returns a complete one, with the given changes. */
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import type { PasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import type { KnownEmailConfig } from '@patch/contract/operations/mail-endpoints.ts';
import type { SavedView } from '@patch/contract/records/saved-view-endpoints.ts';

export const buildView = (changes: Partial<SavedView> = {}): SavedView => ({
  id: 4,
  list: 'almalinux_patch',
  name: 'Critical ones',
  shared: false,
  ownerName: 'stan',
  mayChange: true,
  isDefault: false,
  search: { criteria: 'severity.in.Critical', keyword: '', sort: null, columns: null },
  updatedAt: 1,
  ...changes,
});

export const buildPasswordPolicy = (changes: Partial<PasswordPolicy> = {}): PasswordPolicy => ({
  minLength: 8,
  enableSpecialChar: true,
  enableAlphabetAndNumber: true,
  enableMixCase: true,
  ...changes,
});

export const buildEmailConfig = (changes: Partial<KnownEmailConfig> = {}): KnownEmailConfig => ({
  server: 'smtp.example.org',
  port: 587,
  protocol: 'smtp',
  securityType: 'starttls',
  email: 'patch@example.org',
  replyToEmail: '',
  toEmailId: 'ops@example.org',
  senderName: 'Patch Repository',
  passwordSet: true,
  ...changes,
});

/** A critical record that a machine with AlmaLinux 8 misses. */
export const missingRecord = {
  list: 'almalinux_patch',
  recordId: 7,
  identifier: 'ALSA-2024:2',
  title: 'bash update',
  severity: 'Critical',
  exploited: true,
  cvss: 9.8,
  epss: 0.5,
  releaseDate: 1,
  state: 'missing' as const,
  reason: null,
  evidence: [{ name: 'bash', installed: '4.4.20-4.el8', fixed: '4.4.20-6.el8' }],
  supersededBy: [],
};

/** What a machine of `packages` packages is judged by, one of which misses a record. */
export const buildJudgement = (packages: number): Pick<Assessment, 'sources' | 'verdicts'> => ({
  sources: [
    {
      service: 'almaLinux',
      label: 'AlmaLinux',
      upTo: Date.UTC(2025, 1, 12),
      concern: null,
      lastSuccessAt: 1,
    },
  ],
  verdicts: {
    read: packages,
    compared: packages,
    fixed: packages - 1,
    missing: 1,
    uncertain: 0,
    notJudged: 0,
    noAdvisory: 0,
    noFix: 0,
  },
});
