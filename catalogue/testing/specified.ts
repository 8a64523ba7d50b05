/**
 * Expectations of tests: keys, texts, sizes and times, copied word for word from the specification, section by section. It
 * imports nothing, so that no expectation can come from the product. It is a single file so that it can be compared with the
 * specification from top to bottom.
 */
const listed = (names: string): readonly string[] => names.split(', ');

/** CentOS, openSUSE, AlmaLinux, Rocky Linux and Oracle Linux. */
const rpm = {
  columns: listed('title, releaseDate, bulletinId, severity, binaryPkgName, category'),
  item: listed('id, title, releaseDate, bulletinId, severity, binaryPkgName, category'),
  searchable: listed('bulletinId, severity, category, title, releaseDate'),
};
/** Debian and Pardus. */
const dpkg = {
  columns: listed('title, pkgName, osVersion, bulletinId, priority, pkgAndVersion'),
  item: listed('id, title, pkgName, osVersion, bulletinId, pkgAndVersion, priority'),
  searchable: listed('title, pkgName, osVersion, bulletinId, priority, pkgAndVersion'),
};

export const specified = {
  // Section 2. Screens and routes
  prefix: '/patch-repository',
  /** Child path of each list, by the product area of section 3; `linux-patch-repository` has no area there. */
  listRoutes: {
    patch_repository: '',
    kb_repository: 'kb-base',
    linux_patch_repository: 'linux-patch-repository',
    linux_notice: 'linux-notice',
    centos_patch: 'centos-patch',
    opensuse_patch: 'opensuse-patch',
    almalinux_patch: 'almalinux-patch',
    rockylinux_patch: 'rockylinux-patch',
    thirdparty_patch: 'thirdparty-patch',
    debian_patch: 'debian-patch',
    pardus_patch: 'pardus-patch',
    macos_patch: 'macos-patch',
    oracle_linux_patch: 'oraclelinux-patch',
    patch: 'patch-list',
    floto_user: 'floto-user',
  },
  /** In the order of the specification's table. */
  childPaths: [
    '',
    'email-configuration',
    'kb-base',
    'linux-patch-repository',
    'linux-notice',
    'centos-patch',
    'opensuse-patch',
    'almalinux-patch',
    'rockylinux-patch',
    'thirdparty-patch',
    'debian-patch',
    'pardus-patch',
    'macos-patch',
    'oraclelinux-patch',
    'patch-list',
    'configuration',
    'floto-user',
  ],
  sidebarEntries: listed(
    'kb_base, linux_notice, centos_patch, opensuse_patch, almalinux_patch, rockylinux_patch, thirdparty_patch, debian_patch, pardus_patch, macos_patch, oracle_linux_patch, patch_list, floto_user, configuration',
  ),
  pages: {
    notFound: {
      heading: 'oops',
      message: 'Looks like you are lost',
      button: 'go to home',
      leadsTo: '/login',
    },
    serverError: { title: '500', heading: 'Oops!', button: 'Go To Home', leadsTo: '/login' },
    timedOut:
      "The page timed out while loading. Are you sure you're still connected to the Internet?",
  },
  loginButton: { path: '/login', parameter: 'portalLogin=true' },
  /** The sentence lists them in lower case; a label begins with a capital. */
  changePasswordFields: listed('current password, new password, confirm password'),
  changePasswordButtons: ['Update', 'Cancel'],

  // Section 3. Entities and their fields
  session: { parts: listed('user, token, loginType'), defaultLoginType: 'support-portal' },
  productAreas: listed(
    'patch_repository, kb_repository, centos_patch, opensuse_patch, almalinux_patch, rockylinux_patch, debian_patch, linux_notice, macos_patch, oracle_linux_patch, thirdparty_patch, floto_user, pardus_patch, patch',
  ),
  defaultColumns: {
    floto_user: listed(
      'clientName, licenseType, licenseExpiry, activationCode, repoUpdatedOn, registeredOn, applicationVersion',
    ),
    patch_repository: listed(
      'releaseDate, id, name, productName, paramName, component, kbId, severity, impact',
    ),
    kb_repository: listed('kbId, title, releaseDate, category, severity, productName'),
    centos_patch: rpm.columns,
    opensuse_patch: rpm.columns,
    almalinux_patch: rpm.columns,
    rockylinux_patch: rpm.columns,
    oracle_linux_patch: rpm.columns,
    thirdparty_patch: listed('uuid, name, manufacturer, description, category'),
    debian_patch: dpkg.columns,
    pardus_patch: dpkg.columns,
    macos_patch: listed('productKey, title, releaseDate, osVersion'),
    patch: listed('uuid, title, releaseDate, kbId, severity, supportUrl'),
  },
  mappedUser: listed('id, email, name, userType, avatar, password, canDelete'),
  userOption: listed('key, id, name, email'),
  changePasswordPayload: listed('oldPassword, newPassword'),
  emailConfig: listed(
    'server, port, protocol, securityType, email, password, replyToEmail, toEmailId, senderName',
  ),
  /** Beside `id`. */
  lastSyncDates: listed(
    'wsus, ubuntu, centOs, opensuse, debian, pardus, mac, oracleLinux, thirdParty, almaLinux, rockyLinux',
  ),
  /** Fields of a record, in its row or its detail. */
  items: {
    patch_repository: listed(
      'id, createdAt, updatedAt, component, productName, kbId, kbBaseId, severity, impact, title, uuid, classification, description, releaseDate, latestKb, cve, supersededBy, size, restartBehaviour, referenceLink, downloadUrl, supportUninstallation, architecture, fileDetails, kbIdToBeInstalled',
    ),
    floto_user: listed(
      'id, clientName, licenseType, licenseExpiry, activationCode, repoUpdatedOn, latestKbRequestOn, registeredOn, applicationVersion',
    ),
    kb_repository: listed(
      'id, kbId, title, releaseDate, category, severity, productName, size, architecture, restartBehaviour, supportUninstallation, cabExists, uuid',
    ),
    /** Also "source and binary package names and versions", which it does not name. */
    linux_patch_repository: listed(
      'patchId, title, releaseDate, distribution, urgency, priority, arch',
    ),
    linux_notice: listed('id, noticeId, title, affectedOs, published, releaseDate, updatedTime'),
    centos_patch: rpm.item,
    opensuse_patch: rpm.item,
    almalinux_patch: rpm.item,
    rockylinux_patch: rpm.item,
    oracle_linux_patch: rpm.item,
    debian_patch: dpkg.item,
    pardus_patch: dpkg.item,
    thirdparty_patch: listed('id, name, uuid, manufacturer, description, category'),
    macos_patch: listed(
      'id, title, productKey, releaseDate, osVersion, packages, description, version, distributionFileName, createdTime, updatedTime',
    ),
    /** "file details, architecture, superseded, restart behaviour": named as in the Windows patch above. */
    patch: listed(
      'id, uuid, title, releaseDate, bulletinId, kbId, severity, supportUrl, description, fileDetails, architecture, superseded, restartBehaviour, category, updatedAt',
    ),
  },
  auditItem: listed('id, time, patchCount, type, status'),
  auditStatus: ['success', 'failed'],
  noticeReleasePackage: listed('id, name, version, osVersion, pocket, is_source, is_visible'),
  yesOrNo: ['Yes', 'No'],
  thirdPartyReleasePackage: listed('id, name, downloadUrl, osArch, osPlatform, osVersion, version'),
  searchable: {
    floto_user: listed(
      'clientName, licenseType, activationCode, applicationVersion, licenseExpiry, repoUpdatedOn, registeredOn',
    ),
    patch_repository: listed(
      'id, name, productName, component, kbId, impact, latestKb, cve, supersedes, severity, releaseDate, updatedTime, createdTime',
    ),
    kb_repository: listed(
      'title, uuid, kbId, products, arch, restartBehaviour, cabExists, severity, classification, releaseDate',
    ),
    centos_patch: rpm.searchable,
    opensuse_patch: rpm.searchable,
    almalinux_patch: rpm.searchable,
    rockylinux_patch: rpm.searchable,
    oracle_linux_patch: rpm.searchable,
    debian_patch: dpkg.searchable,
    pardus_patch: dpkg.searchable,
    macos_patch: listed('title, productKey, osVersion, releaseDate'),
    linux_notice: listed('title, affectedOs, id, releaseDate'),
    thirdparty_patch: listed('uuid, name, manufacturer, category'),
    patch: listed('title, uuid, kbId, severity, releaseDate'),
  },
  options: {
    thirdPartyCategory: listed('COMPRESSION, BROWSER, OFFICE'),
    severity: listed('None, Low, Moderate, Important, Critical, Unspecified'),
    kbClassification: listed(
      'Critical Updates, Definition Updates, Feature Packs, Security Updates, Service Packs, Tools, Update Rollups, Updates, Upgrades, Hotfix',
    ),
  },
  environments: listed('production, staging, UAT, training, test, internal'),

  // Section 4. States and transitions
  authorization: 'Apikey',
  returnParameter: 'redirectFrom',
  moduleNameRequired: 'Module name is required in update module preference',
  cancelled: 'cancelled',
  readMoreHeight: 160,

  // Section 5. Validation rules
  rules: {
    shortText: 100,
    subject: 255,
    description: 4000,
    maxValue: 2_100_000_000,
    minValue: -2_100_000_000,
    port: 65_535,
    contactDigits: 20,
    specialCharacters: '~!@#$%^&*_-',
  },
  messages: {
    url: (field: string) => `${field} must be valid URL`,
    ip: (field: string) => `${field} must be valid IP`,
    domain: (field: string) => `${field} must be valid domain`,
    isRequired: (field: string) => `${field} is required`,
    size: (field: string, most: number) => `Size of ${field} must be less than ${most}.`,
    password: (field: string) => `${field} doesn't match the required criterias.`,
    orLess: (value: number, most: number) => `${value} must be ${most} or less`,
    orMore: (value: number, least: number) => `${value} must be ${least} or more`,
    ipRange: 'IP Range must be valid',
    noSpaces: 'may not be contain spaces',
    formInvalid: 'Form fields contain one or more errors, Please correct errors and try again.',
    formInvalidTitle: 'Error',
    keywordTooLong: 'search keyword validation',
    keywordTooLongTitle: 'error',
  },

  // Section 7. Calls
  base: '/api',
  searchPaths: [
    '/windows/kb/search',
    '/linuxpatch/search',
    '/linux/linuxnotice/search',
    '/linux/co/search',
    '/linux/opensusepatch/search',
    '/linux/almalinux/search',
    '/linux/rockylinux/search',
    '/windows/user/search',
    '/windows/thirdparty/patch/search',
    '/linux/oraclelinux/search',
    '/linux/debianpatch/search',
    '/linux/parduspatch/search',
    '/linux/macospatch/search',
    '/windows/patch/search/{category}',
  ],
  searchReply: listed('objList, totalCount'),
  searchDefaults: { offset: 0, size: 1000 },
  linuxLastUpdatedPath: '/linuxpatch/lastupdatedtime',
  passwordChanged: 'password updated successfully',
  emailConfigSaved: 'email server configuration saved',
  operatorsByType: {
    text: listed('equal, not_equal, start_with, end_with, contains'),
    list: listed('in, not_in'),
    number: listed('equal, not_equal'),
    date: listed('greater_than, less_than'),
    boolean: listed('equal, not_equal'),
  },
  relativeTimes: listed(
    'overdue, today, tomorrow, this_week, this_month, last_week, last_month, last_1_hours, last_8_hours, last_24_hours, custom',
  ),

  // Section 8. Error catalogue
  errors: {
    unreachable: 'Unable to connect with server.',
    timeout: 'Request timeout reached, Please Try again',
    done: 'The Operation has been completed.',
    failedTitle: 'Error',
    chunk: 'ChunkLoadError',
    missingModule: (name: string) => `module with name ${name} is not found`,
    areYouSure: 'Are you sure?',
    confirmButtons: ['Yes', 'No'],
    removeFile: 'You want to remove file?',
  },
  catalogueMessages: {
    connected: 'Connected Successfully.',
    connectionEstablished: 'Connection was successfully established',
    connectFailed: 'Failed to connect.',
    unableToConnect: 'Unable to connect with provided details.',
    noData: 'No Data Found.',
    fetchFailed: 'Error While Fetching Data.',
    passwordReset: 'Password has been reset successfully.',
  },

  // Section 9. Business constants and limits, with the times of sections 2, 4 and 7. Milliseconds.
  times: {
    apiTimeout: 120_000,
    chunkTimeout: 120_000,
    showsLoading: 400,
    lazyTimeout: 10_000,
    changePasswordOpens: 400,
    unauthorisedWindow: 500,
    drawerHides: 500,
    readMoreMeasures: 450,
    tagDebounce: 650,
    dropdownDebounce: 750,
    formDebounce: 200,
    widthDebounce: 100,
    toast: 3000,
    notification: 3000,
  },
  pageSizes: { crud: 25, list: 25, options: [10, 25, 50] },
  tagLength: 50,
  tagLabel: 20,
  keywordLength: 255,
  columnMinWidth: 80,
  dropdownTagMaxWidth: 150,
  drawerWidth: '45%',
  sidebar: { collapsed: 50, expanded: 170 },
  fileSizes: { kb: 1024, mb: 1_048_576, gb: 1_073_741_824 },
  fileSizeDecimals: 2,
  numberPrecision: 2,
  toasts: { atOnce: 3, top: 10 },
} as const;
