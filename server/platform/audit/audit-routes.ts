/** Routes of the audit log. None changes or removes an entry. */

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import {
  auditActionsEndpoint,
  auditEndpoint,
  auditFileEndpoint,
  exportAuditEndpoint,
  verifyAuditEndpoint,
} from '@patch/contract/operations/audit-endpoints.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors/app-error.ts';
import { exportTypes } from '../file-export/export-text.ts';
import { addTicket, takeTicket } from '../file-export/export-ticket-store.ts';
import { requireUser } from '../http/require-user.ts';
import { FileStream, type RouteRegistrar } from '../http/route.ts';
import type { AuditAnchors } from './audit-anchor.ts';
import { auditRecord, auditText, describeAction } from './audit-file.ts';
import type { AuditKey } from './audit-hash.ts';
import { countEntries, entriesPage, existingActions } from './audit-store.ts';
import { verifyChain } from './verify-chain.ts';

const ticketTtlMs = 60_000;

export interface AuditRoutes {
  readonly database: Database;
  readonly key: AuditKey;
  readonly anchors: Pick<AuditAnchors, 'read'> | null;
  readonly clock: () => number;
}

export function auditRoutes(
  route: RouteRegistrar,
  { database, key, anchors, clock }: AuditRoutes,
): void {
  route(auditEndpoint, async ({ query: { olderThan, size, ...filter } }) => {
    const entries = await entriesPage(database, filter, olderThan ?? null, size + 1);
    const page = entries.slice(0, size);
    return {
      objList: page.map(auditRecord),
      next: entries.length > size ? (page.at(-1)?.id ?? null) : null,
      totalCount: olderThan === undefined ? await countEntries(database, filter) : null,
    };
  });

  route(auditActionsEndpoint, async () => ({
    objList: (await existingActions(database)).map((action) => ({
      action,
      summary: describeAction(action),
    })),
  }));

  route(verifyAuditEndpoint, async (request) => {
    const found = {
      ...(await verifyChain(database, key, anchors?.read() ?? [])),
      verifiedAt: clock(),
    };
    request.changed({ subject: 'the audit log', after: found });
    return found;
  });

  route(exportAuditEndpoint, async (request) => {
    const { format, filter } = request.body;
    const ticket = randomBytes(32).toString('base64url');
    const now = clock();
    const row = {
      ticketHash: sha256Hex(ticket),
      userId: requireUser(request).id,
      request: { audit: request.body },
      expiresTime: now + ticketTtlMs,
    };
    await addTicket(database, row, now);
    request.changed({ subject: 'the audit log', after: { format, filter } });
    return { path: `/audit/export/${ticket}`, fileName: toFileName(format, now) };
  });

  route(auditFileEndpoint, async ({ params: { ticket }, findSight }) => {
    const now = clock();
    const taken = await takeTicket(database, sha256Hex(ticket), now);
    const request = (taken?.request ?? null) as { readonly audit?: unknown } | null;
    const parsed = exportAuditEndpoint.body.safeParse(request?.audit);
    const present = taken && (await findSight(exportAuditEndpoint, taken.userId));
    if (!parsed.success || present === null)
      throw new AppError(
        'no_such_export',
        'This download link has been used or has expired. Export again.',
      );
    const { format, filter } = parsed.data;
    return new FileStream(
      toFileName(format, now),
      exportTypes[format],
      Readable.from(auditText(database, format, filter)),
    );
  });
}

/** Example: audit-2026-11-21T0507Z.csv */
const toFileName = (format: string, now: number) =>
  `audit-${new Date(now).toISOString().slice(0, 16).replace(':', '')}Z.${format}`;
