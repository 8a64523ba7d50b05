/** A request that is not answered as asked: its status, a code for programs, and a sentence that says what to do. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 503;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ApiError['status'],
    code: string,
    userMessage: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(userMessage);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}
