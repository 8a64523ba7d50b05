/** The files of a CSAF provider: https://docs.oasis-open.org/csaf/csaf/v2.1/csaf-v2.1.html#distributing-csaf-documents */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

const files = {
  tag: 'Open formats',
  access: 'standard',
  machines: 'none',
  scope: 'formats',
  method: 'GET',
  reply: z.string(),
  streams: 'file',
} as const;

export const csafIndexFileEndpoint = defineEndpoint({
  ...files,
  name: 'csaf_index_file',
  summary:
    'provider-metadata.json, openpgp-key.asc, feed.json (ROLIE), index.txt or changes.csv of CSAF',
  path: '/csaf/{file}',
  params: z.object({ file: z.string().max(300) }),
});

export const csafFileEndpoint = defineEndpoint({
  ...files,
  name: 'csaf_file',
  summary:
    'A CSAF document of an advisory, withdrawn ones too, or VEX of a CVE; its SHA-256, SHA-512 or OpenPGP signature',
  path: '/csaf/{year}/{file}',
  params: z.object({
    year: z.string().max(300),
    file: z.string().max(300),
  }),
});

export const csafAdvisoryEndpoint = defineEndpoint({
  name: 'csaf_advisory',
  summary: 'The CSAF document of an advisory by its identifier, or the VEX document of a CVE',
  tag: 'Open formats',
  access: 'standard',
  machines: 'none',
  scope: 'formats',
  method: 'GET',
  path: '/csaf/advisory/{id}',
  params: z.object({
    id: z.string().max(300).describe('ALSA-2024:1517, KB5034129, DEBIAN-CVE-2024-1234'),
  }),
  reply: z.record(z.string(), z.unknown()).describe('A CSAF 2.1 document'),
});
