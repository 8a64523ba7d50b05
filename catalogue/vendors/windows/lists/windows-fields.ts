/** Fields and tables that the three lists share. */
import {
  choice,
  date,
  day,
  identifier,
  identifiers,
  link,
  number,
  prose,
  size,
  text,
} from '../../../definition/fields.ts';
import type { NewDetail } from '../../../definition/list-definition.ts';
import { exploitedFlag, supersededFlag } from '../../../schemas/risk-fields.ts';
import { adviceKinds } from '../guide/msrc-guidance.ts';

export const cwePage = 'https://cwe.mitre.org/data/definitions/{digits}.html';
export const kbPage = 'https://support.microsoft.com/help/{digits}';
export const cvePage = 'https://msrc.microsoft.com/update-guide/vulnerability/{}';

export const cves = identifiers('CVEs', { page: cvePage });

export const exploited = exploitedFlag(
  'Microsoft says that one of the fixed vulnerabilities is exploited, or CISA lists one as known exploited. Empty where neither says anything.',
);

/** In the lists of the offline scan file, whose records are for several products. */
export const superseded = supersededFlag(
  'By the security update guide, fixed builds and Windows Update together. Empty where it is not known, or differs between products.',
);
export const kbIdToBeInstalled = identifier('KB to be installed', { page: kbPage, sparse: true });

export const filesTable = {
  label: 'Files',
  fields: {
    name: identifier('Name'),
    size: size('Size'),
    checksum: identifier('Checksum'),
    downloadUrl: link('Download'),
  },
} as const;

/** Tables with the security update guide's guidance to read before an installation. */
export const guidanceTables = {
  knownIssues: {
    label: 'Known issues',
    readFirst: true,
    fields: {
      kbId: identifier('KB', {
        page: kbPage,
        help: 'Whose article describes the issues.',
      }),
      description: prose('Issue'),
      article: link('Described in'),
      cve: cves,
    },
  },
  advice: {
    label: 'Mitigations and workarounds',
    readFirst: true,
    fields: { kind: choice('Kind', adviceKinds), description: prose('Description'), cve: cves },
  },
  faq: {
    label: 'Questions and answers',
    fields: { question: text('Question'), answer: prose('Answer'), cve: cves },
  },
  weaknesses: {
    label: 'Weaknesses',
    fields: { cwe: identifier('CWE', { page: cwePage }), name: text('Name'), cve: cves },
  },
} as const;

export type GuidanceDetail = NewDetail<Record<never, never>, typeof guidanceTables>;

/** In all three lists: the state of a KB follows from the guide, which may be unavailable while the scan file is read. */
export const stateReadAt = date('State and risk as of', {
  lastReadOf: 'msrc',
  help: 'When the security update guide was last read. State, risk and date of the KB are those of that time.',
});

/** Facts in the details of both lists of the offline scan file. */
export const scanFacts = {
  stateReadAt,
  vendorSeverity: text("Vendor's severity", { help: 'As Windows Update writes it.' }),
  uninstallNotes: prose('How to uninstall'),
  uninstallRestartBehaviour: text('Restart after uninstalling'),
  supersededUnnamed: number('Superseding updates not in the file', {
    help: 'Updates that replace this one and that the offline scan file does not hold, so that they cannot be named.',
    sparse: true,
  }),
} as const;

export const releaseDateUses = ['Taken', 'Passed over', 'Not used'] as const;

/** Table of all dates that Microsoft's documents state for the release of a KB. */
export const releaseDatesTable = {
  label: 'Stated release dates',
  fields: {
    releaseDate: day('Date'),
    source: text('Stated by'),
    count: number('Times', {
      help: 'Updates of the offline scan file that have it, or fixes that stand in the document.',
    }),
    use: choice('Use', releaseDateUses, {
      help: 'Passed over: it lies before the date of a KB that this one replaces, or long before those of KBs with lower numbers. Not used: another date has more evidence.',
    }),
  },
} as const;
