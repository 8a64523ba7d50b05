/** Every call of the service, for OpenAPI and for the test that each has a route. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { Call } from './call.ts';
import { dashboardCall } from './dashboard-call.ts';
import { detailCall } from './detail-call.ts';
import { exportFileCall, exportTicketCall } from './export-calls.ts';
import { healthCall } from './health-call.ts';
import { languageMapCall } from './language-map-call.ts';
import { emailConfigCall, mailDeliveriesCall, saveEmailConfigCall, testEmailConfigCall } from './mail-calls.ts';
import { forgotPasswordCall, resetLinkCall, resetPasswordCall } from './password-reset-calls.ts';
import { preferencesCall, resetPreferenceCall, savePreferenceCall } from './preference-calls.ts';
import { noticeReleasePackagesCall, thirdpartyReleasePackagesCall } from './release-package-calls.ts';
import { changeViewCall, createViewCall, deleteViewCall, savedViewsCall } from './saved-view-calls.ts';
import { searchCall } from './search-call.ts';
import { identifierRecordsCall, sharingRecordsCall } from './shared-identifier-calls.ts';
import { authenticateCall, changePasswordCall, meCall, passwordPolicyCall, signOutCall } from './sign-in-calls.ts';
import {
  decideHeldCall,
  saveSourceSettingsCall,
  schedulePreviewCall,
  sourceSettingsCall,
  syncEventsCall,
} from './source-settings-calls.ts';
import {
  cancelSyncCall,
  fetchAuditCall,
  isRunningCall,
  linuxLastUpdatedCall,
  runChangesCall,
  runRejectionsCall,
  sourcesCall,
  startSyncCall,
  syncDetailsCall,
} from './sync-calls.ts';

export const calls: readonly Call[] = [
  authenticateCall,
  meCall,
  signOutCall,
  passwordPolicyCall,
  changePasswordCall,
  forgotPasswordCall,
  resetLinkCall,
  resetPasswordCall,
  emailConfigCall,
  saveEmailConfigCall,
  testEmailConfigCall,
  mailDeliveriesCall,
  ...catalogueLists.flatMap((list) => [searchCall(list), detailCall(list)]),
  noticeReleasePackagesCall,
  thirdpartyReleasePackagesCall,
  languageMapCall,
  identifierRecordsCall,
  sharingRecordsCall,
  exportTicketCall,
  exportFileCall,
  preferencesCall,
  savePreferenceCall,
  resetPreferenceCall,
  savedViewsCall,
  createViewCall,
  changeViewCall,
  deleteViewCall,
  dashboardCall,
  sourcesCall,
  syncEventsCall,
  startSyncCall,
  cancelSyncCall,
  isRunningCall,
  syncDetailsCall,
  linuxLastUpdatedCall,
  fetchAuditCall,
  runRejectionsCall,
  runChangesCall,
  sourceSettingsCall,
  saveSourceSettingsCall,
  schedulePreviewCall,
  decideHeldCall,
  healthCall,
];
