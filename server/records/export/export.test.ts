import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRows } from '../../testing/record-factories.ts';

const errata = getList('almalinux_patch');
const day = 24 * 3_600_000;

describeWithDatabase('exports', (open) => {
  const service = withSignInApp(open);
  let token: string;

  const write = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    writeRows(service.database, errata, rows, service.now);

  beforeEach(async () => {
    await service.database.script(
      'delete from almalinux_patch; delete from export_ticket; update list_revision set listed = 0, revision = revision + 1;',
    );
    token = await service.createToken('stan');
  });

  const ticket = (body: object) =>
    service.ask('POST', '/export', { token, body: { list: errata.key, ...body } });

  async function fetched(path: unknown) {
    const reply = await service.app.inject({ method: 'GET', url: `/api${String(path)}` });
    return { status: reply.statusCode, headers: reply.headers, text: reply.body };
  }

  async function file(body: object) {
    const { status, json } = await ticket(body);
    expect(status, JSON.stringify(json)).toBe(201);
    return {
      ...(await fetched(json['path'])),
      total: json['totalCount'],
      fileName: json['fileName'],
    };
  }

  test('writes the chosen columns in their order as CSV for a spreadsheet', async () => {
    await write([
      {
        title: 'a "quoted", title',
        severity: 'Critical',
        releaseDate: Date.UTC(2026, 0, 2, 3, 4),
        binaryPkgName: ['one', 'two'],
      },
      {
        title: '=HYPERLINK("http://example.org")',
        severity: null,
        releaseDate: null,
        binaryPkgName: null,
      },
    ]);
    const { status, headers, text, total, fileName } = await file({
      format: 'csv',
      columns: ['severity', 'title', 'releaseDate', 'binaryPkgName'],
    });
    expect(status).toBe(200);
    expect(total).toBe(2);
    expect(fileName).toBe('almalinux-patch-2026-11-21T0000Z.csv');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${String(fileName)}"`,
    });
    expect(text).toBe(
      '\uFEFFSeverity,Title,Release date,Binary packages\r\n' +
        'Critical,"a ""quoted"", title",2026-01-02T03:04:00.000Z,"one; two"\r\n' +
        ',"\'=HYPERLINK(""http://example.org"")",,\r\n',
    );
  });

  test('writes exact values by field name as JSON, and an empty array for no rows', async () => {
    await write([{ title: '=1+1', severity: 'Low', releaseDate: 0, binaryPkgName: ['one'] }]);
    const { text, headers } = await file({
      format: 'json',
      columns: ['title', 'releaseDate', 'binaryPkgName', 'severity'],
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text)).toEqual([
      {
        title: '=1+1',
        releaseDate: '1970-01-01T00:00:00.000Z',
        binaryPkgName: ['one'],
        severity: 'Low',
      },
    ]);
    const none = await file({
      format: 'json',
      columns: ['title'],
      search: { keyword: 'nothing has this' },
    });
    expect(JSON.parse(none.text)).toEqual([]);
    expect(
      (await file({ format: 'csv', columns: ['title'], search: { keyword: 'nothing has this' } }))
        .text,
    ).toBe('\uFEFFTitle\r\n');
  });

  test('writes all pages of the search, each row once and in order, rows without a value last', async () => {
    const rows = Array.from({ length: 2345 }, (_, n) => ({
      title: `${n % 2 === 0 ? 'even' : 'odd'} ${n}`,
      severity: n % 3 === 0 ? 'Critical' : 'Low',
      releaseDate: n % 7 === 0 ? null : day * (n % 50),
    }));
    await write(rows);
    const all = await file({
      format: 'json',
      columns: ['id', 'title', 'releaseDate'],
      sort: '-releaseDate',
    });
    const written = JSON.parse(all.text) as {
      id: number;
      title: string;
      releaseDate: string | null;
    }[];
    expect(all.total).toBe(2345);
    expect(new Set(written.map(({ id }) => id)).size).toBe(2345);
    const dates = written.map(({ releaseDate }) => releaseDate);
    expect(dates).toEqual(
      dates.toSorted((a, b) => (a === null ? 1 : b === null ? -1 : b.localeCompare(a))),
    );

    const filter = "lower(severity) in ('low') and lower(title) like 'odd%'";
    const some = await file({
      format: 'json',
      columns: ['title'],
      sort: 'title',
      search: { filter },
    });
    const expected = rows
      .filter(({ title, severity }) => severity === 'Low' && title.startsWith('odd'))
      .map(({ title }) => title);
    expect((JSON.parse(some.text) as { title: string }[]).map(({ title }) => title)).toEqual(
      expected.toSorted(),
    );
    expect(some.total).toBe(expected.length);
  });

  test('accepts a ticket once and for a minute', async () => {
    await write([{ title: 'one' }]);
    const { json } = await ticket({ format: 'csv', columns: ['title'] });
    expect((await fetched(json['path'])).status).toBe(200);
    expect(await fetched(json['path'])).toMatchObject({
      status: 404,
      text: expect.stringContaining('Export again.'),
    });
    const late = await ticket({ format: 'csv', columns: ['title'] });
    service.now += 60_000;
    expect((await fetched(late.json['path'])).status).toBe(404);
    expect((await fetched('/export/nothing')).status).toBe(422);
    service.now -= 60_000;
  });

  test.each([
    [{ format: 'xls', columns: ['title'] }, 'must be one of: csv, json'],
    [{ format: 'csv', columns: ['titel'] }, "has no field 'titel'"],
    [{ format: 'csv', columns: [] }, 'columns'],
    [{ format: 'csv', columns: ['title'], sort: 'title,severity' }, 'sorted by one field'],
    [{ format: 'csv', columns: ['title'], sort: 'titel' }, "Cannot sort by 'titel'"],
    [
      { format: 'csv', columns: ['title'], search: { filter: 'titel = 1' } },
      "Unknown field 'titel'",
    ],
  ])('refuses %j before the export starts', async (body, words) => {
    const { status, json } = await ticket(body);
    expect(status).toBe(422);
    expect(json['userMessage']).toContain(words);
  });
});
