import type { FieldError } from './records';

/** A failed request. `status` is 0 if there was no response. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterMs: number | null = null,
    readonly fields: FieldError[] = [],
  ) {
    super(message);
  }

  /** The token is invalid or expired. */
  get isUnauthenticated(): boolean {
    return this.status === 401;
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return (
      this.status === 0 ||
      this.status === 408 ||
      this.status === 429 ||
      this.status >= 500 ||
      this.code === 'IDEMPOTENCY_IN_PROGRESS'
    );
  }
}

/** Converts any failure to an ApiError; everything that is not a response counts as no connection. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, 'NO_CONNECTION', error instanceof Error ? error.message : String(error));
}

/**
 * Reads an answer that is not 2xx. `Retry-After` is seconds or a date (RFC 9110, section 10.2.3).
 */
export async function errorOfAnswer(response: Response, now: number = Date.now()): Promise<ApiError> {
  let body: { code?: unknown; message?: unknown; fields?: unknown } = {};
  try {
    const parsed: unknown = await response.json();
    if (typeof parsed === 'object' && parsed !== null) body = parsed;
  } catch {
    // The body is not JSON, for example the error page of a proxy. The status is enough.
  }
  return new ApiError(
    response.status,
    typeof body.code === 'string' ? body.code : `HTTP_${response.status}`,
    typeof body.message === 'string' ? body.message : response.statusText,
    retryAfterMs(response.headers.get('retry-after'), now),
    Array.isArray(body.fields) ? body.fields.filter(isFieldError) : [],
  );
}

export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function isFieldError(value: unknown): value is FieldError {
  if (typeof value !== 'object' || value === null) return false;
  const { key, message } = value as Partial<FieldError>;
  return typeof key === 'string' && typeof message === 'string';
}
