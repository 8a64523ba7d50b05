/** Values of the service for tests: each function returns a complete one, with the given changes. */
import type { PasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import type { KnownEmailConfig } from '@patch/contract/mail-endpoints.ts';
import type { SavedView } from '@patch/contract/saved-view-endpoints.ts';

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
