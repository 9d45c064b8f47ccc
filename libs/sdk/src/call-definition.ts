/** How a list is read page by page. */
export interface PagingDefinition {
  items: string;
  cursorParameter: string;
  cursorField: string;
  hasMoreField?: string;
}

/** What the client knows of an operation. Generated from the OpenAPI documents. */
export interface CallDefinition {
  name: string;
  method: string;
  path: string;
  /** Parameters that callers give by position. */
  positions: readonly string[];
  /** Where the workspace of the client is sent. */
  workspace?: 'path' | 'query' | 'body';
  /** Fields of the input that are sent in the query string. */
  query: readonly string[];
  body?: 'json' | 'form';
  /** Whether a repeated call with the same Idempotency-Key has one effect. */
  isIdempotent: boolean;
  auth: 'key' | 'session' | 'conversation' | 'none';
  result: 'none' | 'json' | 'file' | 'events';
  /** Fields of the response around the result. */
  envelope: readonly string[];
  paging?: PagingDefinition;
}

export type Input = Readonly<Record<string, unknown>>;
