import { BadRequestException, HttpException, NotFoundException, PayloadTooLargeException } from '@nestjs/common';
import { AppError, serviceUnavailable } from './app-error';
import { isDependencyFailure } from './dependency-failure';
import { ERROR_STATUS, isErrorCode, type ErrorCode } from './error-codes';
import { toAppError } from './error-filter';
import { messagingErrorBody } from './wire-shapes';

const withCode = (code: string) => Object.assign(new Error('no'), { code });
const at = (path: string, ...allowed: string[]) => ({ path, allowed: () => allowed });

describe('toAppError()', () => {
  it.each([
    ['an AppError unchanged', new AppError('INVALID_SENDER', 'no'), 400, 'INVALID_SENDER'],
    ['404 for an unknown path', new NotFoundException(), 404, 'NOT_FOUND'],
    ['413 for a body that is too large', new PayloadTooLargeException(), 413, 'PAYLOAD_TOO_LARGE'],
    ['429 for too many calls', new HttpException('slow down', 429), 429, 'RATE_LIMITED'],
    ['400 for other 4xx of the framework', new BadRequestException(), 400, 'INVALID_REQUEST'],
    ['400 for a path that cannot be decoded', new URIError(), 400, 'INVALID_REQUEST'],
    ['503 for an unavailable dependency', withCode('ECONNREFUSED'), 503, 'SERVICE_UNAVAILABLE'],
    ['500 for 5xx of the framework', new HttpException('x', 502), 500, 'INTERNAL_ERROR'],
    ['500 for a defect', new TypeError('x is not a function'), 500, 'INTERNAL_ERROR'],
    ['500 for a thrown value that is not an Error', 'text', 500, 'INTERNAL_ERROR'],
    ['500 for undefined', undefined, 500, 'INTERNAL_ERROR'],
  ])('returns %s', (_what, thrown, status, code) => {
    const error = toAppError(thrown, at('/x'));
    expect([error.status, error.code]).toEqual([status, code]);
  });

  it('returns 405 with Allow for a method that the path does not support', () => {
    const error = toAppError(new NotFoundException(), at('/sms/send', 'GET', 'POST'));
    expect([error.status, error.code, error.headers]).toEqual([405, 'METHOD_NOT_ALLOWED', { Allow: 'GET, POST' }]);
  });

  it('returns no message with internal details', () => {
    const secret = 'password authentication failed for user "app" at 10.0.0.1';
    for (const thrown of [
      new Error(secret),
      Object.assign(new Error(secret), { code: '28P01' }),
      withCode('ECONNRESET'),
    ]) {
      expect(JSON.stringify(messagingErrorBody(toAppError(thrown, at('/'))))).not.toContain('10.0.0.1');
    }
  });

  it('returns 503 with Retry-After for a failed dependency', () => {
    expect(serviceUnavailable('database').headers).toEqual({ 'Retry-After': '2' });
    expect(toAppError(withCode('57P01'), at('/')).headers['Retry-After']).toMatch(/^\d+$/);
  });

  it('returns an error whose body contains only a code and a message', () => {
    expect(messagingErrorBody(new AppError('NOT_FOUND', 'gone', { headers: { A: 'b' } }))).toEqual({
      code: 'NOT_FOUND',
      message: 'gone',
    });
  });
});

describe('isDependencyFailure()', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    '08006',
    '53300',
    '57P01',
    '57014',
    '40P01',
    '40001',
    '55P03',
    '25006',
  ])('is true for the code %s', (code) => {
    expect(isDependencyFailure(withCode(code))).toBe(true);
    expect(isDependencyFailure(new Error('outer', { cause: withCode(code) }))).toBe(true);
  });

  it.each(['timeout exceeded when trying to connect', 'Connection terminated unexpectedly', 'Query read timeout'])(
    'is true for the message "%s"',
    (message) => expect(isDependencyFailure(new Error(message))).toBe(true),
  );

  it.each(['23505', '23514', '22P02', '42703', 'ERR_ASSERTION', ''])('is false for %j', (code) => {
    expect(isDependencyFailure(withCode(code))).toBe(false);
  });

  it('is false for values that are not errors and for circular causes', () => {
    const loop = new Error('x');
    loop.cause = loop;
    for (const thrown of [null, undefined, 'ECONNREFUSED', { code: 'ECONNREFUSED' }, loop]) {
      expect(isDependencyFailure(thrown)).toBe(false);
    }
  });
});

describe('the table of error codes', () => {
  // The tables of the contract: common to the messaging APIs, SMS only, and general.
  const CONTRACT: Partial<Record<ErrorCode, number>> = {
    UNAUTHENTICATED: 401,
    FORBIDDEN: 403,
    IP_NOT_ALLOWED: 403,
    INSUFFICIENT_CREDITS: 402,
    NO_WORKSPACE: 409,
    NOT_FOUND: 404,
    INTERNAL_ERROR: 500,
    INVALID_RECIPIENT: 400,
    INVALID_SENDER: 400,
    SENDER_INACTIVE: 400,
    INVALID_TEMPLATE: 400,
    TEMPLATE_INACTIVE: 400,
    TEMPLATE_REQUIRED: 400,
    TEMPLATE_AMBIGUOUS: 400,
    SENDER_TEMPLATE_MISMATCH: 400,
    ONBOARDING_NOT_APPROVED: 400,
    DLT_SENDER_REQUIRED: 400,
    DLT_TEMPLATE_REQUIRED: 400,
    MISSING_VARIABLES: 400,
    INVALID_VARIABLES: 400,
    INVALID_SCHEDULED_AT: 400,
    SCHEDULED_AT_IN_PAST: 400,
    NOT_CANCELABLE: 409,
    INVALID_REQUEST: 400,
    PAYLOAD_TOO_LARGE: 413,
    METHOD_NOT_ALLOWED: 405,
    SERVICE_UNAVAILABLE: 503,
    RATE_LIMITED: 429,
    IDEMPOTENCY_KEY_REUSED: 409,
    IDEMPOTENCY_IN_PROGRESS: 409,
  };

  it.each(Object.entries(CONTRACT))('maps %s to %i', (code, status) => {
    expect(ERROR_STATUS[code as ErrorCode]).toBe(status);
    expect(isErrorCode(code)).toBe(true);
  });

  it.each(['', 'toString', '__proto__', 'sender_inactive', 7, null])('does not contain %j', (code) => {
    expect(isErrorCode(code)).toBe(false);
  });
});
