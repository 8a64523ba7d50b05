/** Repositories of errata for dnf, yum and zypper: metadata of an RPM repository without packages. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

export const updateinfoFileEndpoint = defineEndpoint({
  name: 'updateinfo_file',
  summary: 'repomd.xml of a release’s errata, or a file that it names: updateinfo.xml.gz',
  tag: 'Open formats',
  access: 'standard',
  machines: 'none',
  scope: 'formats',
  method: 'GET',
  path: '/updateinfo/{distribution}/{release}/repodata/{file}',
  params: z.object({
    distribution: z.string().max(100).describe('The ID of os-release: centos, almalinux, ol'),
    release: z.string().max(100).describe('As $releasever: 7, 9.4, 15.6'),
    file: z.string().max(200),
  }),
  reply: z.string(),
  streams: 'file',
});
