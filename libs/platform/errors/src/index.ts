export { AppError, serviceUnavailable } from './app-error';
export { isDependencyFailure } from './dependency-failure';
export { ERROR_STATUS, isErrorCode, type ErrorCode } from './error-codes';
export { answerError, ErrorFilter, ErrorReport, toAppError, type ErrorLog } from './error-filter';
export {
  accountErrorBody,
  messagingErrorBody,
  v1ErrorBody,
  type V1ErrorBody,
  type AccountErrorBody,
  type MessagingErrorBody,
} from './wire-shapes';
export { loggablePath } from './loggable-path';
