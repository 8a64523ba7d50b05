import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import { day, describeApp, minute } from '../../identity/sign-in/testing/sign-in-app.ts';
import { writeRows } from '../../testing/record-factories.ts';

const errata = getList('almalinux_patch');

describeApp('exports', (service) => {
  const write = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    writeRows(service.database, errata, rows, service.now);

  beforeEach(() =>
    service.database.script(
      'delete from almalinux_patch; delete from export_ticket; update list_revision set listed = 0, revision = revision + 1;',
    ),
  );

  const ticket = (body: object) =>
    service.stan.post('/export', { list: errata.key, format: 'csv', columns: ['title'], ...body });
  const fetchAt = (path: unknown) => service.anyone.get(String(path));
  async function file(body: object) {
    const { path, totalCount, fileName } = await ticket(body).json;
    const { status, headers, bytes } = await fetchAt(path);
    return { status, headers, text: bytes.toString(), total: totalCount, fileName };
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
        'Critical,"a ""quoted"", title",2026-01-02,"one; two"\r\n' +
        ',"\'=HYPERLINK(""http://example.org"")",,\r\n',
    );
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
    expect([all.total, all.headers['content-type']]).toEqual([
      2345,
      'application/json; charset=utf-8',
    ]);
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
    const { path } = await ticket({}).json;
    expect(await fetchAt(path).status).toBe(200);
    expect(await fetchAt(path).refusal).toEqual([404, expect.stringContaining('Export again.')]);
    const late = await ticket({}).json;
    service.now += minute;
    expect(await fetchAt(late['path']).status).toBe(404);
    expect(await fetchAt('/export/nothing').status).toBe(422);
  });

  test('keeps a ticket when somebody sends HEAD, which is not offered', async () => {
    await write([{ title: 'one' }]);
    const { path } = await ticket({}).json;
    const url = `/api${String(path)}`;
    expect((await service.app.inject({ method: 'HEAD', url })).statusCode).toBe(404);
    expect(await fetchAt(path).status).toBe(200);
  });

  test.each([
    [{ format: 'xls' }, 'must be one of: csv, json'],
    [{ columns: ['titel'] }, "has no field 'titel'"],
    [{ columns: [] }, 'columns'],
    [{ sort: 'title,severity' }, 'sorted by one field'],
    [{ sort: 'titel' }, "Cannot sort by 'titel'"],
    [{ search: { filter: 'titel = 1' } }, "Unknown field 'titel'"],
  ])('refuses %j before the export starts', async (body, words) => {
    expect(await ticket(body).refusal).toEqual([422, expect.stringContaining(words)]);
  });
});
