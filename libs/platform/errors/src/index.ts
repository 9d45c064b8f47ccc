export { AppError, notFound, serviceUnavailable } from './app-error';
export { isDependencyFailure } from './dependency-failure';
export { ERROR_STATUS, isErrorCode, type ErrorCode } from './error-codes';
export { CALLS_PER_MINUTE, ErrorFilter, ErrorReport, toAppError } from './error-filter';
export { accountErrorBody, helpLink, messagingErrorBody, v1ErrorBody } from './wire-shapes';
export { loggablePath } from './loggable-path';
