/** The release packages of a notice and of a third-party application: tables of a record's detail as separate calls. */
import type { DetailTable } from '@patch/catalogue/definition/list-definition.ts';
import { thirdpartyList } from '@patch/catalogue/vendors/thirdparty/thirdparty-list.ts';
import { ubuntuNoticeList } from '@patch/catalogue/vendors/ubuntu/ubuntu-notice-list.ts';
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { valueSchema } from '../base/row-schema.ts';

function tableReply(table: DetailTable) {
  const shape = Object.fromEntries(
    Object.entries(table.fields).map(([name, field]) => [name, valueSchema(field)]),
  );
  return z.object({
    objList: z.array(z.object({ id: z.number().int().describe('Row number, from 1'), ...shape })),
    totalCount: z.number().int(),
  });
}

export const noticeReleasePackagesEndpoint = defineEndpoint({
  name: 'read_notice_release_packages',
  summary: 'The release packages of a notice',
  tag: ubuntuNoticeList.label,
  method: 'GET',
  path: '/linux/linuxnotice/{noticeId}/releasepackage',
  access: 'standard',
  machines: 'none',
  scope: 'read',
  params: z.object({
    noticeId: z
      .string()
      .min(1)
      .max(100)
      .describe("The record's number or the notice's own id (USN-6663-1)"),
  }),
  reply: tableReply(ubuntuNoticeList.detail.tables.releasePackages),
});

export const thirdpartyReleasePackagesEndpoint = defineEndpoint({
  name: 'read_thirdparty_release_packages',
  summary: 'The release packages of a third-party application',
  tag: thirdpartyList.label,
  method: 'GET',
  path: '/thirdpartypatch/releasepackage/{id}',
  access: 'standard',
  machines: 'none',
  scope: 'read',
  params: z.object({ id: z.string().min(1).max(100).describe("The record's number") }),
  reply: tableReply(thirdpartyList.detail.tables.releasePackages),
});
