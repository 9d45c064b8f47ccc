export { AppError, serviceUnavailable } from './app-error';
export { isDependencyFailure } from './dependency-failure';
export { ERROR_STATUS, isErrorCode, type ErrorCode } from './error-codes';
export { ErrorFilter, toAppError, type ErrorLog } from './error-filter';
export { messagingErrorBody, type MessagingErrorBody } from './wire-shapes';
