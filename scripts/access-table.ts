/** docs/access.md: every route with who may call it, as the contract says. */
import type { Access, Endpoint } from '@patch/contract/base/endpoint.ts';

const who: Readonly<Record<Access, string>> = {
  public: 'Anybody',
  standard: 'Signed in',
  operator: 'Operator',
  approver: 'Approver',
  admin: 'Administrator',
  client: 'Licensed client',
};

const introduction = `# Who may call what

Generated from the contract by \`npm run docs\`; \`npm run check\` fails when it is stale, and \`server/service/access.test.ts\` makes every call as each kind of caller.

| who | credential | error without it |
|---|---|---|
| Anybody | nothing | |
| Signed in | \`Authorization: Apikey <token>\`, the token of \`POST /api/authenticate\` | 401 without one, or when it has ended |
| Operator | the same, of a user of the type Operator, Approver or Admin | 401; 403 \`not_allowed\` for other users, and for exceptions and notes that are not the operator's own |
| Approver | the same, of a user of the type Approver or Admin | 401; 403 \`not_allowed\` for other users |
| Administrator | the same, of a user of the type Admin | 401; 403 \`not_allowed\` for other users |
| A user of some groups | the same, of a user other than Admin to whom groups of machines were given | 403 \`limited_to_groups\` where the table says no; elsewhere machines of other groups do not exist |
| API key | \`Authorization: Apikey prk_…\`: what its owner may do, as far as its scopes go | 401; 403 \`scope_missing\`, or \`not_with_api_key\` where the table says no |
| Licensed client | \`Authorization: Apikey prc_…\`, the token of its activation | 401 without one; 403 when it is unknown, revoked or expired |

A person who must first change their password is refused every other call with 403 \`must_change_password\`; one who must first set up a second factor, with 403 \`must_set_up_second_factor\`. So are their API keys.
Where a session's person must prove themselves again (API keys, accounts, roles, second factors, single sign-on, the mail server, some settings, database dumps), a call is refused with 403 \`reauthentication_required\` unless they did within the last ten minutes, by signing in or by \`POST /api/me/proof\`. No API key makes such a call, with one exception: a database dump needs the scope \`backup\` beside \`manage\`.
Every call by which an administrator, an approver or an operator changes something is in the audit log, done or refused, and so is every change of a shared view; calls that are refused because of their caller are in the access log.
`;

const beside = `
## Beside the calls

| method | path | who | what it does |
|---|---|---|---|
| GET | /metrics | This machine while no token is set, \`Authorization: Bearer <METRICS_TOKEN>\`, or an API key of the scope read of a user who sees all machines | Metrics for Prometheus |
| GET | /api/openapi.json | Anybody | The calls as an OpenAPI document |
| GET | /api/reference | Anybody | The calls for people to read |
| GET | every other path | Anybody | The console, which holds nothing secret |

Metrics are open to this machine only while \`METRICS_TOKEN\` is unset, and to requests that name no proxy they came through. Behind a proxy on the same machine that sends neither \`X-Forwarded-For\` nor \`Forwarded\`, set the token.
`;

export function accessTable(all: readonly Endpoint[]): string {
  const tags = [...new Set(all.map(({ tag }) => tag))];
  return (
    introduction +
    tags
      .map((tag) =>
        section(
          tag,
          all.filter((call) => call.tag === tag),
        ),
      )
      .join('') +
    beside
  );
}

function section(tag: string, some: readonly Endpoint[]): string {
  const lines = some.map(
    (call) =>
      `| ${call.method} | /api${call.path} | ${who[call.access]} | ${keyWord(call)} | ${groupsWord(call)} | ${call.summary.replaceAll('|', '\\|')} |`,
  );
  return `\n## ${tag}\n\n| method | path | who | API key | users of some groups | what it does |\n|---|---|---|---|---|---|\n${lines.join('\n')}\n`;
}

/** Returns whether a user of some groups may make the call; empty where no user may, or only one who sees all machines. */
function groupsWord({ access, machines }: Endpoint): string {
  if (access === 'public' || access === 'client' || access === 'admin') return '';
  return machines === undefined ? 'no' : machines === 'own' ? 'own machines' : 'yes';
}

function keyWord({ access, scope }: Endpoint): string {
  if (access === 'public') return 'not needed';
  return access === 'client' || scope === undefined ? 'no' : scope;
}
