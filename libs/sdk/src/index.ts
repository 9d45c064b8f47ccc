export { BaseClient, createClient } from './base-client';
export type { CallDefinition, PagingDefinition } from './call-definition';
export type { Caller } from './caller';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  HeliographError,
  InsufficientCreditsError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  WebhookVerificationError,
  type FieldProblem,
} from './errors';
export type { ServerEvent } from './event-stream';
export { FileDownload, type FileInput, type NamedFile } from './files';
export { followEvents, type FollowOptions } from './follow-events';
export * from './generated/index';
export { modeOfKey, type ClientOptions, type RequestOptions } from './options';
export { Page, PagePromise } from './page';
export { signWebhook, verifyWebhook, type VerifyOptions, type WebhookHeaders } from './verify-webhook';
export { VERSION } from './version';
