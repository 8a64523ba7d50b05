/** The registry of all calls, for OpenAPI and for the test that each has a route. */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import { aboutEndpoint } from './about-endpoint.ts';
import * as alert from './alert-endpoints.ts';
import * as apiKey from './api-key-endpoints.ts';
import { assessmentEndpoint } from './assessment-endpoint.ts';
import * as atomFeed from './atom-feed-endpoints.ts';
import * as audit from './audit-endpoints.ts';
import * as bundle from './bundle-endpoints.ts';
import * as channel from './channel-endpoints.ts';
import * as checkpoint from './checkpoint-endpoints.ts';
import * as checkpointRule from './checkpoint-rule-endpoints.ts';
import * as clientProtocol from './client-protocol-endpoints.ts';
import * as csaf from './csaf-endpoints.ts';
import * as dashboard from './dashboard-endpoint.ts';
import { detailEndpoint } from './detail-endpoint.ts';
import * as download from './download-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { eventsEndpoint } from './event-endpoints.ts';
import * as exception from './exception-endpoints.ts';
import * as listExport from './export-endpoints.ts';
import { groupReportEndpoint } from './group-report-endpoint.ts';
import { groupedSearchEndpoint } from './grouped-search-endpoint.ts';
import * as health from './health-endpoint.ts';
import { languageMapEndpoint } from './language-map-endpoint.ts';
import * as licensedClient from './licensed-client-endpoints.ts';
import * as machine from './machine-endpoints.ts';
import * as machineEnrolment from './machine-enrolment-endpoints.ts';
import * as machineGroup from './machine-group-endpoints.ts';
import * as machinePlan from './machine-plan-endpoints.ts';
import * as machineReport from './machine-report-endpoints.ts';
import * as mail from './mail-endpoints.ts';
import * as month from './month-endpoints.ts';
import * as note from './note-endpoints.ts';
import * as osv from './osv-endpoints.ts';
import * as osvFile from './osv-file-endpoints.ts';
import * as passkey from './passkey-endpoints.ts';
import * as passwordReset from './password-reset-endpoints.ts';
import * as preference from './preference-endpoints.ts';
import * as publishing from './publishing-endpoint.ts';
import * as quarantine from './quarantine-endpoints.ts';
import { queryReadingEndpoint } from './query-reading-endpoint.ts';
import { relaxedSearchEndpoint } from './relaxed-search-endpoint.ts';
import * as releasePackage from './release-package-endpoints.ts';
import * as reportMail from './report-mail-endpoints.ts';
import * as ring from './ring-endpoints.ts';
import * as run from './run-endpoints.ts';
import * as savedView from './saved-view-endpoints.ts';
import { searchEndpoint } from './search-endpoint.ts';
import { searchMemoryEndpoint } from './search-memory-endpoint.ts';
import { searchSummaryEndpoint } from './search-summary-endpoint.ts';
import { searchTagsEndpoint } from './search-tags-endpoint.ts';
import * as secondFactor from './second-factor-endpoints.ts';
import * as session from './session-endpoints.ts';
import * as settings from './settings-endpoints.ts';
import * as sharedIdentifier from './shared-identifier-endpoints.ts';
import * as signIn from './sign-in-endpoints.ts';
import * as sourceSettings from './source-settings-endpoints.ts';
import * as sso from './sso-endpoints.ts';
import * as sync from './sync-endpoints.ts';
import { syncEventsEndpoint } from './sync-events-endpoint.ts';
import * as syncSummary from './sync-summary-endpoints.ts';
import * as tree from './tree-endpoints.ts';
import * as twoFactor from './two-factor-endpoints.ts';
import { updateCountEndpoint } from './update-count-endpoint.ts';
import { updateinfoFileEndpoint } from './updateinfo-endpoints.ts';
import * as user from './user-endpoints.ts';
import * as vulnerability from './vulnerability-endpoint.ts';

export const endpoints: readonly Endpoint[] = [
  signIn.authenticateEndpoint,
  signIn.meEndpoint,
  signIn.signOutEndpoint,
  signIn.passwordPolicyEndpoint,
  signIn.changePasswordEndpoint,
  signIn.proveIdentityEndpoint,
  passwordReset.forgotPasswordEndpoint,
  passwordReset.resetLinkEndpoint,
  passwordReset.resetPasswordEndpoint,
  twoFactor.twoFactorEndpoint,
  twoFactor.beginTwoFactorEndpoint,
  twoFactor.enableTwoFactorEndpoint,
  twoFactor.renewBackupCodesEndpoint,
  twoFactor.disableTwoFactorEndpoint,
  twoFactor.removeUserTwoFactorEndpoint,
  secondFactor.signInFactorsEndpoint,
  secondFactor.proofFactorsEndpoint,
  passkey.passkeysEndpoint,
  passkey.beginPasskeyEndpoint,
  passkey.addPasskeyEndpoint,
  passkey.removePasskeyEndpoint,
  sso.ssoStatusEndpoint,
  sso.startSsoEndpoint,
  sso.ssoCallbackEndpoint,
  sso.ssoConfigEndpoint,
  sso.saveSsoConfigEndpoint,
  sso.testSsoConfigEndpoint,
  user.usersEndpoint,
  user.userOptionsEndpoint,
  user.createUserEndpoint,
  user.changeUserEndpoint,
  user.inviteUserEndpoint,
  user.deleteUserEndpoint,
  user.setUserAvatarEndpoint,
  user.removeUserAvatarEndpoint,
  session.userSessionsEndpoint,
  session.endUserSessionsEndpoint,
  session.endUserSessionEndpoint,
  apiKey.apiKeysEndpoint,
  apiKey.endApiKeyEndpoint,
  user.changeOwnProfileEndpoint,
  user.setOwnAvatarEndpoint,
  user.removeOwnAvatarEndpoint,
  session.ownSessionsEndpoint,
  session.endOwnSessionsEndpoint,
  session.endOwnSessionEndpoint,
  apiKey.ownApiKeysEndpoint,
  apiKey.createApiKeyEndpoint,
  apiKey.endOwnApiKeyEndpoint,
  user.avatarImageEndpoint,
  mail.emailConfigEndpoint,
  mail.lastEmailTestEndpoint,
  mail.saveEmailConfigEndpoint,
  mail.testEmailConfigEndpoint,
  mail.mailDeliveriesEndpoint,
  ...catalogueLists.flatMap((list) => [searchEndpoint(list), detailEndpoint(list)]),
  ...catalogueLists.map(queryReadingEndpoint),
  ...catalogueLists.map(relaxedSearchEndpoint),
  ...catalogueLists.map(searchSummaryEndpoint),
  assessmentEndpoint,
  osv.osvQueryEndpoint,
  osv.osvBatchEndpoint,
  osv.osvRecordEndpoint,
  osvFile.osvIndexFileEndpoint,
  osvFile.osvFileEndpoint,
  csaf.csafIndexFileEndpoint,
  csaf.csafFileEndpoint,
  csaf.csafAdvisoryEndpoint,
  updateinfoFileEndpoint,
  machine.machineMissingEndpoint,
  machine.machineExposureEndpoint,
  machine.recordMachinesEndpoint,
  machine.removeMachineEndpoint,
  exception.acceptMissingEndpoint,
  exception.exceptionsEndpoint,
  exception.changeExceptionEndpoint,
  exception.endExceptionEndpoint,
  note.recordNotesEndpoint,
  note.addNoteEndpoint,
  note.removeNoteEndpoint,
  note.assignEndpoint,
  note.assignmentsEndpoint,
  machine.clientMachinesEndpoint,
  machine.fleetSummaryEndpoint,
  ...catalogueLists
    .filter(({ countedBy }) => countedBy !== undefined)
    .flatMap((list) => [updateCountEndpoint(list), groupedSearchEndpoint(list)]),
  releasePackage.noticeReleasePackagesEndpoint,
  releasePackage.thirdpartyReleasePackagesEndpoint,
  languageMapEndpoint,
  searchTagsEndpoint,
  sharedIdentifier.identifierRecordsEndpoint,
  sharedIdentifier.nearestIdentifiersEndpoint,
  sharedIdentifier.sharingRecordsEndpoint,
  vulnerability.vulnerabilityEndpoint,
  vulnerability.cveMachinesEndpoint,
  listExport.exportTicketEndpoint,
  listExport.exportFileEndpoint,
  preference.preferencesEndpoint,
  preference.savePreferenceEndpoint,
  preference.saveFramePreferenceEndpoint,
  preference.resetPreferenceEndpoint,
  savedView.savedViewsEndpoint,
  savedView.createViewEndpoint,
  savedView.changeViewEndpoint,
  savedView.deleteViewEndpoint,
  alert.alertsEndpoint,
  alert.setAlertEndpoint,
  alert.endAlertEndpoint,
  alert.previewAlertEndpoint,
  atomFeed.atomFeedsEndpoint,
  atomFeed.createViewFeedEndpoint,
  atomFeed.createSourceFeedEndpoint,
  atomFeed.revokeAtomFeedEndpoint,
  atomFeed.atomFeedEndpoint,
  eventsEndpoint,
  channel.channelsEndpoint,
  channel.createChannelEndpoint,
  channel.changeChannelEndpoint,
  channel.deleteChannelEndpoint,
  channel.testChannelEndpoint,
  channel.rotateSecretEndpoint,
  channel.channelDeliveriesEndpoint,
  channel.redeliverEndpoint,
  syncSummary.syncSummaryEndpoint,
  syncSummary.saveSyncSummaryEndpoint,
  dashboard.dashboardEndpoint,
  dashboard.dashboardVisitEndpoint,
  month.monthEndpoint,
  month.monthOfSourceEndpoint,
  month.monthFileEndpoint,
  licensedClient.licensedClientEndpoint,
  licensedClient.createClientEndpoint,
  licensedClient.changeClientEndpoint,
  licensedClient.renewClientEndpoint,
  licensedClient.revokeClientEndpoint,
  licensedClient.restoreClientEndpoint,
  licensedClient.allowReactivationEndpoint,
  licensedClient.carriedKeysEndpoint,
  licensedClient.newActivationCodeEndpoint,
  licensedClient.clientExposureEndpoint,
  licensedClient.notYetFetchedEndpoint,
  licensedClient.recordNotFetchedEndpoint,
  clientProtocol.activateEndpoint,
  clientProtocol.heartbeatEndpoint,
  clientProtocol.clientChangesEndpoint,
  publishing.publishingEndpoint,
  tree.treeHeadEndpoint,
  tree.treeRootEndpoint,
  tree.treeFileEndpoint,
  checkpoint.checkpointsEndpoint,
  checkpoint.createCheckpointEndpoint,
  checkpoint.removeCheckpointEndpoint,
  checkpoint.checkpointDifferenceEndpoint,
  checkpointRule.checkpointRulesEndpoint,
  checkpointRule.createCheckpointRuleEndpoint,
  checkpointRule.changeCheckpointRuleEndpoint,
  checkpointRule.removeCheckpointRuleEndpoint,
  ring.ringsEndpoint,
  ring.createRingEndpoint,
  ring.changeRingEndpoint,
  ring.removeRingEndpoint,
  ring.ringDecisionsEndpoint,
  ring.decideEndpoint,
  ring.takeBackDecisionEndpoint,
  machineGroup.machineGroupsEndpoint,
  machineGroup.createMachineGroupEndpoint,
  machineGroup.changeMachineGroupEndpoint,
  machineGroup.removeMachineGroupEndpoint,
  machineGroup.tagMachinesEndpoint,
  groupReportEndpoint,
  reportMail.reportMailsEndpoint,
  reportMail.createReportMailEndpoint,
  reportMail.changeReportMailEndpoint,
  reportMail.removeReportMailEndpoint,
  machinePlan.plansEndpoint,
  machinePlan.createPlanEndpoint,
  machinePlan.planEndpoint,
  machinePlan.schedulePlanTaskEndpoint,
  machinePlan.removePlanEndpoint,
  machinePlan.planFileEndpoint,
  machineEnrolment.collectorEndpoint,
  machineEnrolment.reportMachineEndpoint,
  machineReport.reportMachinesEndpoint,
  machineReport.removeReportedMachineEndpoint,
  sync.sourcesEndpoint,
  syncEventsEndpoint,
  sync.startSyncEndpoint,
  sync.cancelSyncEndpoint,
  sync.isRunningEndpoint,
  sync.syncDetailsEndpoint,
  sync.linuxLastUpdatedEndpoint,
  run.fetchAuditEndpoint,
  run.runRejectionsEndpoint,
  run.runChangesEndpoint,
  sourceSettings.sourceSettingsEndpoint,
  sourceSettings.saveSourceSettingsEndpoint,
  sourceSettings.testMirrorEndpoint,
  sourceSettings.schedulePreviewEndpoint,
  quarantine.acceptQuarantineEndpoint,
  quarantine.rejectQuarantineEndpoint,
  searchMemoryEndpoint,
  settings.settingsEndpoint,
  settings.saveSettingsEndpoint,
  settings.savePasswordPolicyEndpoint,
  aboutEndpoint,
  audit.auditEndpoint,
  audit.auditActionsEndpoint,
  audit.verifyAuditEndpoint,
  audit.exportAuditEndpoint,
  audit.auditFileEndpoint,
  download.newDownloadEndpoint,
  download.downloadsEndpoint,
  download.cancelDownloadEndpoint,
  download.deleteDownloadEndpoint,
  download.downloadTicketEndpoint,
  download.downloadFileEndpoint,
  bundle.uploadBundleEndpoint,
  bundle.bundleImportsEndpoint,
  bundle.applyBundleEndpoint,
  bundle.bundleKeysEndpoint,
  bundle.trustBundleKeyEndpoint,
  bundle.distrustBundleKeyEndpoint,
  health.healthEndpoint,
  health.liveEndpoint,
  health.readyEndpoint,
];
