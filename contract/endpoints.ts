/** The registry of all calls, for OpenAPI and for the test that each has a route. */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import { aboutEndpoint } from './about-endpoint.ts';
import {
  alertsEndpoint,
  endAlertEndpoint,
  previewAlertEndpoint,
  setAlertEndpoint,
} from './alert-endpoints.ts';
import {
  apiKeysEndpoint,
  createApiKeyEndpoint,
  endApiKeyEndpoint,
  endOwnApiKeyEndpoint,
  ownApiKeysEndpoint,
} from './api-key-endpoints.ts';
import { assessmentEndpoint } from './assessment-endpoint.ts';
import {
  atomFeedEndpoint,
  atomFeedsEndpoint,
  createSourceFeedEndpoint,
  createViewFeedEndpoint,
  revokeAtomFeedEndpoint,
} from './atom-feed-endpoints.ts';
import {
  auditActionsEndpoint,
  auditEndpoint,
  auditFileEndpoint,
  exportAuditEndpoint,
  verifyAuditEndpoint,
} from './audit-endpoints.ts';
import {
  applyBundleEndpoint,
  bundleImportsEndpoint,
  bundleKeysEndpoint,
  distrustBundleKeyEndpoint,
  trustBundleKeyEndpoint,
  uploadBundleEndpoint,
} from './bundle-endpoints.ts';
import {
  changeChannelEndpoint,
  channelDeliveriesEndpoint,
  channelsEndpoint,
  createChannelEndpoint,
  deleteChannelEndpoint,
  redeliverEndpoint,
  rotateSecretEndpoint,
  testChannelEndpoint,
} from './channel-endpoints.ts';
import {
  activateEndpoint,
  clientChangesEndpoint,
  heartbeatEndpoint,
} from './client-protocol-endpoints.ts';
import { csafAdvisoryEndpoint, csafFileEndpoint, csafIndexFileEndpoint } from './csaf-endpoints.ts';
import { dashboardEndpoint, dashboardVisitEndpoint } from './dashboard-endpoint.ts';
import { detailEndpoint } from './detail-endpoint.ts';
import {
  cancelDownloadEndpoint,
  deleteDownloadEndpoint,
  downloadFileEndpoint,
  downloadsEndpoint,
  downloadTicketEndpoint,
  newDownloadEndpoint,
} from './download-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { eventsEndpoint } from './event-endpoints.ts';
import { exportFileEndpoint, exportTicketEndpoint } from './export-endpoints.ts';
import { healthEndpoint, liveEndpoint, readyEndpoint } from './health-endpoint.ts';
import { languageMapEndpoint } from './language-map-endpoint.ts';
import {
  allowReactivationEndpoint,
  changeClientEndpoint,
  clientExposureEndpoint,
  createClientEndpoint,
  licensedClientEndpoint,
  newActivationCodeEndpoint,
  notYetFetchedEndpoint,
  recordNotFetchedEndpoint,
  renewClientEndpoint,
  restoreClientEndpoint,
  revokeClientEndpoint,
} from './licensed-client-endpoints.ts';
import {
  acceptMissingEndpoint,
  clientExceptionsEndpoint,
  clientMachinesEndpoint,
  endExceptionEndpoint,
  fleetSummaryEndpoint,
  machineMissingEndpoint,
  recordMachinesEndpoint,
  removeMachineEndpoint,
} from './machine-endpoints.ts';
import {
  removeReportedMachineEndpoint,
  reportMachinesEndpoint,
} from './machine-report-endpoints.ts';
import {
  emailConfigEndpoint,
  lastEmailTestEndpoint,
  mailDeliveriesEndpoint,
  saveEmailConfigEndpoint,
  testEmailConfigEndpoint,
} from './mail-endpoints.ts';
import { osvBatchEndpoint, osvQueryEndpoint, osvRecordEndpoint } from './osv-endpoints.ts';
import { osvFileEndpoint, osvIndexFileEndpoint } from './osv-file-endpoints.ts';
import {
  addPasskeyEndpoint,
  beginPasskeyEndpoint,
  passkeysEndpoint,
  removePasskeyEndpoint,
} from './passkey-endpoints.ts';
import {
  forgotPasswordEndpoint,
  resetLinkEndpoint,
  resetPasswordEndpoint,
} from './password-reset-endpoints.ts';
import {
  preferencesEndpoint,
  resetPreferenceEndpoint,
  saveFramePreferenceEndpoint,
  savePreferenceEndpoint,
} from './preference-endpoints.ts';
import { acceptQuarantineEndpoint, rejectQuarantineEndpoint } from './quarantine-endpoints.ts';
import { relaxedSearchEndpoint } from './relaxed-search-endpoint.ts';
import {
  noticeReleasePackagesEndpoint,
  thirdpartyReleasePackagesEndpoint,
} from './release-package-endpoints.ts';
import { fetchAuditEndpoint, runChangesEndpoint, runRejectionsEndpoint } from './run-endpoints.ts';
import {
  changeViewEndpoint,
  createViewEndpoint,
  deleteViewEndpoint,
  savedViewsEndpoint,
} from './saved-view-endpoints.ts';
import { searchEndpoint } from './search-endpoint.ts';
import { searchMemoryEndpoint } from './search-memory-endpoint.ts';
import { searchSummaryEndpoint } from './search-summary-endpoint.ts';
import { searchTagsEndpoint } from './search-tags-endpoint.ts';
import { proofFactorsEndpoint, signInFactorsEndpoint } from './second-factor-endpoints.ts';
import {
  endOwnSessionEndpoint,
  endOwnSessionsEndpoint,
  endUserSessionEndpoint,
  endUserSessionsEndpoint,
  ownSessionsEndpoint,
  userSessionsEndpoint,
} from './session-endpoints.ts';
import {
  savePasswordPolicyEndpoint,
  saveSettingsEndpoint,
  settingsEndpoint,
} from './settings-endpoints.ts';
import {
  identifierRecordsEndpoint,
  nearestIdentifiersEndpoint,
  sharingRecordsEndpoint,
} from './shared-identifier-endpoints.ts';
import {
  authenticateEndpoint,
  changePasswordEndpoint,
  meEndpoint,
  passwordPolicyEndpoint,
  proveIdentityEndpoint,
  signOutEndpoint,
} from './sign-in-endpoints.ts';
import {
  saveSourceSettingsEndpoint,
  schedulePreviewEndpoint,
  sourceSettingsEndpoint,
  testMirrorEndpoint,
} from './source-settings-endpoints.ts';
import {
  saveSsoConfigEndpoint,
  ssoCallbackEndpoint,
  ssoConfigEndpoint,
  ssoStatusEndpoint,
  startSsoEndpoint,
  testSsoConfigEndpoint,
} from './sso-endpoints.ts';
import {
  cancelSyncEndpoint,
  isRunningEndpoint,
  linuxLastUpdatedEndpoint,
  sourcesEndpoint,
  startSyncEndpoint,
  syncDetailsEndpoint,
} from './sync-endpoints.ts';
import { syncEventsEndpoint } from './sync-events-endpoint.ts';
import { saveSyncSummaryEndpoint, syncSummaryEndpoint } from './sync-summary-endpoints.ts';
import {
  beginTwoFactorEndpoint,
  disableTwoFactorEndpoint,
  enableTwoFactorEndpoint,
  removeUserTwoFactorEndpoint,
  renewBackupCodesEndpoint,
  twoFactorEndpoint,
} from './two-factor-endpoints.ts';
import { updateCountEndpoint } from './update-count-endpoint.ts';
import { updateinfoFileEndpoint } from './updateinfo-endpoints.ts';
import {
  avatarImageEndpoint,
  changeOwnProfileEndpoint,
  changeUserEndpoint,
  createUserEndpoint,
  deleteUserEndpoint,
  inviteUserEndpoint,
  removeOwnAvatarEndpoint,
  removeUserAvatarEndpoint,
  setOwnAvatarEndpoint,
  setUserAvatarEndpoint,
  userOptionsEndpoint,
  usersEndpoint,
} from './user-endpoints.ts';
import { cveMachinesEndpoint, vulnerabilityEndpoint } from './vulnerability-endpoint.ts';

export const endpoints: readonly Endpoint[] = [
  authenticateEndpoint,
  meEndpoint,
  signOutEndpoint,
  passwordPolicyEndpoint,
  changePasswordEndpoint,
  proveIdentityEndpoint,
  forgotPasswordEndpoint,
  resetLinkEndpoint,
  resetPasswordEndpoint,
  twoFactorEndpoint,
  beginTwoFactorEndpoint,
  enableTwoFactorEndpoint,
  renewBackupCodesEndpoint,
  disableTwoFactorEndpoint,
  removeUserTwoFactorEndpoint,
  signInFactorsEndpoint,
  proofFactorsEndpoint,
  passkeysEndpoint,
  beginPasskeyEndpoint,
  addPasskeyEndpoint,
  removePasskeyEndpoint,
  ssoStatusEndpoint,
  startSsoEndpoint,
  ssoCallbackEndpoint,
  ssoConfigEndpoint,
  saveSsoConfigEndpoint,
  testSsoConfigEndpoint,
  usersEndpoint,
  userOptionsEndpoint,
  createUserEndpoint,
  changeUserEndpoint,
  inviteUserEndpoint,
  deleteUserEndpoint,
  setUserAvatarEndpoint,
  removeUserAvatarEndpoint,
  userSessionsEndpoint,
  endUserSessionsEndpoint,
  endUserSessionEndpoint,
  apiKeysEndpoint,
  endApiKeyEndpoint,
  changeOwnProfileEndpoint,
  setOwnAvatarEndpoint,
  removeOwnAvatarEndpoint,
  ownSessionsEndpoint,
  endOwnSessionsEndpoint,
  endOwnSessionEndpoint,
  ownApiKeysEndpoint,
  createApiKeyEndpoint,
  endOwnApiKeyEndpoint,
  avatarImageEndpoint,
  emailConfigEndpoint,
  lastEmailTestEndpoint,
  saveEmailConfigEndpoint,
  testEmailConfigEndpoint,
  mailDeliveriesEndpoint,
  ...catalogueLists.flatMap((list) => [searchEndpoint(list), detailEndpoint(list)]),
  ...catalogueLists.map(relaxedSearchEndpoint),
  ...catalogueLists.map(searchSummaryEndpoint),
  assessmentEndpoint,
  osvQueryEndpoint,
  osvBatchEndpoint,
  osvRecordEndpoint,
  osvIndexFileEndpoint,
  osvFileEndpoint,
  csafIndexFileEndpoint,
  csafFileEndpoint,
  csafAdvisoryEndpoint,
  updateinfoFileEndpoint,
  machineMissingEndpoint,
  recordMachinesEndpoint,
  removeMachineEndpoint,
  acceptMissingEndpoint,
  endExceptionEndpoint,
  clientExceptionsEndpoint,
  clientMachinesEndpoint,
  fleetSummaryEndpoint,
  ...catalogueLists.filter(({ countedBy }) => countedBy !== undefined).map(updateCountEndpoint),
  noticeReleasePackagesEndpoint,
  thirdpartyReleasePackagesEndpoint,
  languageMapEndpoint,
  searchTagsEndpoint,
  identifierRecordsEndpoint,
  nearestIdentifiersEndpoint,
  sharingRecordsEndpoint,
  vulnerabilityEndpoint,
  cveMachinesEndpoint,
  exportTicketEndpoint,
  exportFileEndpoint,
  preferencesEndpoint,
  savePreferenceEndpoint,
  saveFramePreferenceEndpoint,
  resetPreferenceEndpoint,
  savedViewsEndpoint,
  createViewEndpoint,
  changeViewEndpoint,
  deleteViewEndpoint,
  alertsEndpoint,
  setAlertEndpoint,
  endAlertEndpoint,
  previewAlertEndpoint,
  atomFeedsEndpoint,
  createViewFeedEndpoint,
  createSourceFeedEndpoint,
  revokeAtomFeedEndpoint,
  atomFeedEndpoint,
  eventsEndpoint,
  channelsEndpoint,
  createChannelEndpoint,
  changeChannelEndpoint,
  deleteChannelEndpoint,
  testChannelEndpoint,
  rotateSecretEndpoint,
  channelDeliveriesEndpoint,
  redeliverEndpoint,
  syncSummaryEndpoint,
  saveSyncSummaryEndpoint,
  dashboardEndpoint,
  dashboardVisitEndpoint,
  licensedClientEndpoint,
  createClientEndpoint,
  changeClientEndpoint,
  renewClientEndpoint,
  revokeClientEndpoint,
  restoreClientEndpoint,
  allowReactivationEndpoint,
  newActivationCodeEndpoint,
  clientExposureEndpoint,
  notYetFetchedEndpoint,
  recordNotFetchedEndpoint,
  activateEndpoint,
  heartbeatEndpoint,
  clientChangesEndpoint,
  reportMachinesEndpoint,
  removeReportedMachineEndpoint,
  sourcesEndpoint,
  syncEventsEndpoint,
  startSyncEndpoint,
  cancelSyncEndpoint,
  isRunningEndpoint,
  syncDetailsEndpoint,
  linuxLastUpdatedEndpoint,
  fetchAuditEndpoint,
  runRejectionsEndpoint,
  runChangesEndpoint,
  sourceSettingsEndpoint,
  saveSourceSettingsEndpoint,
  testMirrorEndpoint,
  schedulePreviewEndpoint,
  acceptQuarantineEndpoint,
  rejectQuarantineEndpoint,
  searchMemoryEndpoint,
  settingsEndpoint,
  saveSettingsEndpoint,
  savePasswordPolicyEndpoint,
  aboutEndpoint,
  auditEndpoint,
  auditActionsEndpoint,
  verifyAuditEndpoint,
  exportAuditEndpoint,
  auditFileEndpoint,
  newDownloadEndpoint,
  downloadsEndpoint,
  cancelDownloadEndpoint,
  deleteDownloadEndpoint,
  downloadTicketEndpoint,
  downloadFileEndpoint,
  uploadBundleEndpoint,
  bundleImportsEndpoint,
  applyBundleEndpoint,
  bundleKeysEndpoint,
  trustBundleKeyEndpoint,
  distrustBundleKeyEndpoint,
  healthEndpoint,
  liveEndpoint,
  readyEndpoint,
];
