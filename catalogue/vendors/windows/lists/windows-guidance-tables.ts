/** Tables of a KB's detail with the security update guide's guidance to read before an installation. */
import { choice, identifier, identifiers, link, prose, text } from '../../../definition/fields.ts';
import type { NewDetail } from '../../../definition/list-definition.ts';
import { adviceKinds } from '../guide/msrc-guidance.ts';

export const cwePage = 'https://cwe.mitre.org/data/definitions/{digits}.html';
const cves = identifiers('CVEs', {
  page: 'https://msrc.microsoft.com/update-guide/vulnerability/{}',
});

export const guidanceTables = {
  knownIssues: {
    label: 'Known issues',
    fields: {
      kbId: identifier('KB', {
        page: 'https://support.microsoft.com/help/{digits}',
        help: 'Whose article describes the issues.',
      }),
      description: prose('Issue'),
      article: link('Described in'),
      cve: cves,
    },
  },
  advice: {
    label: 'Mitigations and workarounds',
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
