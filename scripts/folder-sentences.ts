/** What each folder is for, in a sentence: the table of docs/architecture.md. */
export const folderSentences: Readonly<Record<string, string>> = {
  catalogue:
    'What the product knows about patches. It knows no HTTP server, database or screen. `lists.ts` and `feeds.ts` are the registries.',
  'catalogue/clients': 'The list of licensed clients: its fields and the values they take.',
  'catalogue/definition':
    'The types that define a list: kinds of fields, operators, lists, feeds, records.',
  'catalogue/fleet':
    'The list of machines, and the parts in which inventories are stored and judged.',
  'catalogue/machines':
    'Reads a machine from the outputs of its tools, and judges which fixes it lacks.',
  'catalogue/parsers':
    'Parsers that several vendors share: XML, CVRF, JSON, RPM and apt repositories, archives.',
  'catalogue/records': 'The list of all patches, and what it takes from each list.',
  'catalogue/risk': 'What CISA, FIRST and NVD say about a CVE, and how their files are read.',
  'catalogue/schemas':
    'Mappings that several vendors share: RPM errata, dpkg advisories, severities, supersedence.',
  'catalogue/values': 'Cleans single values of vendors: words, dates, suggested identifiers.',
  'catalogue/vendors': 'One folder for each vendor: lists, feed, tests, fixtures, readme.',
  client: 'The program that runs at a customer. It fetches changes and uses the contract alone.',
  'console/src/api':
    'Calls the server, caches replies, and keeps the session, preferences and messages.',
  'console/src/clients': 'Registers and edits licensed clients.',
  'console/src/detail': 'The panel with everything about one record.',
  'console/src/fleet': 'The machines of clients: what one misses, and which miss a record.',
  'console/src/forms': 'Form fields and the rules they follow.',
  'console/src/list': 'One screen for every list: search, criteria, columns, views, pages.',
  'console/src/releases': 'The packages of a release.',
  'console/src/runs': 'Words and marks for sync runs.',
  'console/src/screens': 'The other screens, a folder each. A screen imports no other screen.',
  'console/src/shell': 'The frame around the screens: routes, sidebar, header, sign-out.',
  'console/src/summary': 'A search in numbers: facets beside its rows and a histogram of dates.',
  'console/src/theme': 'Colours, sizes and durations, light and dark.',
  'console/src/values': 'How a value of each kind is shown, typed and compared.',
  'console/src/widgets': 'Small components that every screen uses.',
  contract:
    'What server and console share: every endpoint as data, once, and OpenAPI made from them.',
  'contract/dates': 'Dates with their precision, days and time zones.',
  'contract/filter': 'The filter language: parser, checks, criteria, operators.',
  'contract/form-rules': 'The rules of form fields, checked by the console and by the server.',
  'server/fleet': 'Machines of licensed clients, and what they miss.',
  'server/identity': 'Who may do what: accounts, sessions, keys, second factors.',
  'server/identity/accounts':
    'User rows, password hashes, password rules, limits of sign-in attempts.',
  'server/identity/api-keys': 'API keys with scopes and an end.',
  'server/identity/sessions': 'Session tokens: issue, find, expire.',
  'server/identity/sign-in':
    'Sign-in, password reset, the first administrator, recovery at the terminal.',
  'server/identity/sso': 'Sign-in with an OpenID Connect identity provider.',
  'server/identity/two-factor': 'Authenticator apps, backup codes and passkeys.',
  'server/identity/users': 'Managing users, their avatars and open sessions.',
  'server/ingest': 'Fetching the catalogues of the vendors.',
  'server/ingest/mirror': 'Fills a folder with the documents of every source, for closed networks.',
  'server/ingest/sync':
    'Runs of the sources: queue, fetcher, spool, batches, change log, schedules.',
  'server/licensing': 'Licensed clients and their protocol.',
  'server/licensing/clients':
    'Registers clients, serves changes to them, warns before a licence ends.',
  'server/machines': 'Which patches a machine lacks, from its inventory.',
  'server/operations': 'Taking data out and bringing it in.',
  'server/operations/backup': 'Dumps and restores of the database.',
  'server/operations/downloads':
    'Files made in a thread: dumps, bundles, support bundles, exports of lists.',
  'server/platform': 'What every module needs: database, HTTP, secrets, settings, mail, audit.',
  'server/platform/audit': 'The audit log: entries in a hash chain, retention, verification.',
  'server/platform/config': 'Reads and checks the environment variables.',
  'server/platform/database':
    'Opens PGlite or PostgreSQL, migrates it, and writes records with their indexes.',
  'server/platform/errors': 'The errors that a caller can act on, each with a code.',
  'server/platform/file-export':
    'Writes CSV and JSON files, and keeps the tickets that fetch them.',
  'server/platform/files': 'Writes private files whole, and repairs their modes.',
  'server/platform/http':
    'The web server: registers endpoints, authenticates callers, maps errors to replies, sends events.',
  'server/platform/logging': 'Structured logs to the terminal and to rotated files.',
  'server/platform/mail': 'The mail outbox, the sender and the mail settings.',
  'server/platform/maintenance':
    'What commands at the terminal share: opening the database, printing errors.',
  'server/platform/metrics': 'Prometheus metrics of requests, process and sources.',
  'server/platform/replicas':
    'Sends reads of the catalogue to the read replicas that are new enough.',
  'server/platform/secrets': 'The secret key, sealed values and signatures.',
  'server/platform/settings': 'The settings of the installation, followed while the service runs.',
  'server/records': 'Reading the catalogue: search, details, exports.',
  'server/records/criteria':
    'What a search asks for, checked against its list, and its evaluation over rows in memory.',
  'server/records/memory': 'The fields of a list in memory, kept up by revision.',
  'server/records/details': 'One record with its detail tables and links.',
  'server/records/export': 'Exports of a search.',
  'server/records/identifiers': 'Records of other lists that share a CVE or KB.',
  'server/records/preferences': 'Preferences and saved views of each user.',
  'server/records/search': 'Search SQL, price and turn of a search, exact totals.',
  'server/records/summary': 'Facets and histograms of searches, counted in memory.',
  'server/records/vulnerabilities':
    'What is known of a CVE, and which vendor fixed it where and when.',
  'server/records/tags': 'Tags to choose from in the search bar.',
  'server/reports': 'What the product tells people by itself.',
  'server/reports/alerts': 'Alerts of saved views, and the summary mail of the sync.',
  'server/reports/dashboard': 'The numbers of the dashboard.',
  'server/service': 'Starts and stops the whole service.',
};
