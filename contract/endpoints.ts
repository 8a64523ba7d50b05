/** The registry of all calls, for OpenAPI and for the test that each has a route. */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import * as apiKey from './accounts/api-key-endpoints.ts';
import * as passkey from './accounts/passkey-endpoints.ts';
import * as passwordReset from './accounts/password-reset-endpoints.ts';
import * as secondFactor from './accounts/second-factor-endpoints.ts';
import * as session from './accounts/session-endpoints.ts';
import * as signIn from './accounts/sign-in-endpoints.ts';
import * as sso from './accounts/sso-endpoints.ts';
import * as twoFactor from './accounts/two-factor-endpoints.ts';
import * as user from './accounts/user-endpoints.ts';
import type { Endpoint } from './base/endpoint.ts';
import { assessmentEndpoint } from './fleet/assessment-endpoint.ts';
import * as exception from './fleet/exception-endpoints.ts';
import * as machine from './fleet/machine-endpoints.ts';
import * as machineEnrolment from './fleet/machine-enrolment-endpoints.ts';
import * as machineGroup from './fleet/machine-group-endpoints.ts';
import * as machinePlan from './fleet/machine-plan-endpoints.ts';
import * as machineReport from './fleet/machine-report-endpoints.ts';
import * as csaf from './formats/csaf-endpoints.ts';
import * as osv from './formats/osv-endpoints.ts';
import * as osvFile from './formats/osv-file-endpoints.ts';
import { updateinfoFileEndpoint } from './formats/updateinfo-endpoints.ts';
import * as checkpoint from './licensing/checkpoint-endpoints.ts';
import * as checkpointRule from './licensing/checkpoint-rule-endpoints.ts';
import * as clientProtocol from './licensing/client-protocol-endpoints.ts';
import * as licensedClient from './licensing/licensed-client-endpoints.ts';
import * as publishing from './licensing/publishing-endpoint.ts';
import * as ring from './licensing/ring-endpoints.ts';
import * as tree from './licensing/tree-endpoints.ts';
import { aboutEndpoint } from './operations/about-endpoint.ts';
import * as audit from './operations/audit-endpoints.ts';
import * as bundle from './operations/bundle-endpoints.ts';
import * as channel from './operations/channel-endpoints.ts';
import * as download from './operations/download-endpoints.ts';
import { eventsEndpoint } from './operations/event-endpoints.ts';
import * as health from './operations/health-endpoint.ts';
import * as mail from './operations/mail-endpoints.ts';
import * as preference from './operations/preference-endpoints.ts';
import * as settings from './operations/settings-endpoints.ts';
import { detailEndpoint } from './records/detail-endpoint.ts';
import * as listExport from './records/export-endpoints.ts';
import { groupedSearchEndpoint } from './records/grouped-search-endpoint.ts';
import { languageMapEndpoint } from './records/language-map-endpoint.ts';
import * as note from './records/note-endpoints.ts';
import { queryReadingEndpoint } from './records/query-reading-endpoint.ts';
import { relaxedSearchEndpoint } from './records/relaxed-search-endpoint.ts';
import * as releasePackage from './records/release-package-endpoints.ts';
import * as savedView from './records/saved-view-endpoints.ts';
import { searchEndpoint } from './records/search-endpoint.ts';
import { searchMemoryEndpoint } from './records/search-memory-endpoint.ts';
import { searchSummaryEndpoint } from './records/search-summary-endpoint.ts';
import { searchTagsEndpoint } from './records/search-tags-endpoint.ts';
import * as sharedIdentifier from './records/shared-identifier-endpoints.ts';
import { updateCountEndpoint } from './records/update-count-endpoint.ts';
import * as vulnerability from './records/vulnerability-endpoint.ts';
import * as alert from './reports/alert-endpoints.ts';
import * as atomFeed from './reports/atom-feed-endpoints.ts';
import * as dashboard from './reports/dashboard-endpoint.ts';
import { groupReportEndpoint } from './reports/group-report-endpoint.ts';
import * as month from './reports/month-endpoints.ts';
import * as reportMail from './reports/report-mail-endpoints.ts';
import * as syncSummary from './reports/sync-summary-endpoints.ts';
import * as quarantine from './sources/quarantine-endpoints.ts';
import * as run from './sources/run-endpoints.ts';
import * as sourceSettings from './sources/source-settings-endpoints.ts';
import * as sync from './sources/sync-endpoints.ts';
import { syncEventsEndpoint } from './sources/sync-events-endpoint.ts';

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
