export { discardUnreadBody } from './body/discard-rest';
export { networkOf } from './http/network-of';
export {
  DEFAULT_PAGE_SIZE,
  isPageSize,
  MAX_PAGE_SIZE,
  pageOf,
  pageSizeOf,
  readCursor,
  writeCursor,
  type PageParameters,
} from './http/pagination';
export { Admission, type AdmissionKind } from './limits/admission';
export { AdmittedByService } from './limits/admitted-by-service.decorator';
export { KeyThrottlerGuard } from './limits/key-throttler.guard';
export { ACCESS, Public } from './access';
export { guardFormulas, withoutFormulaGuards } from './csv/formula-guards';
export { decodeText } from './body/decode-text';
export { Health, HealthProblem } from './observability/health';
export { createLogger, type Logger } from './observability/logger';
export { METRICS, sharedReading } from './observability/metrics';
export { EndedRequests, type RequestEnd } from './observability/ended-requests';
export { parseTraceparent, Tracing, type RequestKey, type TraceSpan } from './observability/tracing';
export { parseScheduledAt } from './parse-scheduled-at';
export { withUsedSchemes } from './openapi/complete-document';
export { composeDocument } from './openapi/compose-document';
export { ApiDescription, describeKeys } from './openapi/openapi';
export { MessagingOperation, operationOf, V1Operation, type OperationOptions } from './openapi/operation';
export type { ReadMetadata } from './openapi/describe-routes';
export { RecordDto } from './openapi/record-dto';
export { Sample } from './openapi/sample';
export { serviceConfigSchema, trustProxySetting, type Role, type ServiceConfig } from './config/service.config';
export { describeErrors, ErrorBody, KEY_ERRORS, ApiErrors, TakesIdempotencyKey, TakesKey } from './openapi/api-errors';
export { readBody } from './body/request-body';
export { FieldError } from './field-error';
export { Aliases, fieldNamesOf, namesByField } from './fields/field-names';
export { describeUnknownField } from './fields/unknown-field-errors';
export { unknownFields } from './fields/unknown-fields';
export { editDistance, nearestName } from './fields/nearest-name';
export { JSON_PIECE_BYTES, JsonPieces, withoutByteOrderMark } from './body/json-pieces';
export {
  isJsonObject,
  parseQueryString,
  parseUrlEncoded,
  readFlag,
  readJsonFields,
  singleField,
} from './body/request-fields';
export { EncodedBodies } from './encoded/encoded-bodies';
export { encodeBody, type EncodedBody } from './encoded/encode-body';
export { EncodedResponseInterceptor, type EncodedResponse } from './encoded/encoded-response.interceptor';
export { PAGE_HEADERS, pageHtml, renderPage, type Page, type PageField, type PageForm } from './html/page';
export { plainText } from './html/plain-text';
export { scriptJson } from './html/script-json';
export { ReferencePages } from './reference/reference-pages';
export { ReferenceService, type ReferenceApi } from './reference/reference.service';
export { requestIdOf } from './observability/request-id';
export { LimiterStorage } from './limits/limiter-storage';
export { decoratedMethods } from './decorated-methods';
export { Periodic } from './periodic';
export { migrationConfigSchema, runMigrations } from './process/run-migrations';
export { runService } from './process/run-service';
export { startService, type RunningService, type ServiceDefinition } from './service';
export { CONFIG, LIMITER, LOGGER, ROLE } from './tokens';
export { LOCAL_SECRETS } from './config/local-secrets';
export {
  flagSetting,
  loadConfig,
  ConfigError,
  whenValid,
  ROTATED_SECRET_FORM,
  rotatedSecretSetting,
} from './config/config';
export { productionConfigSchema } from './config/production-rules';
export { givenSettings } from './config/environment.config';
export { describeSettings, type SettingReference } from './config/describe-settings';
export { loadDeploymentSecrets } from './config/deployment-secrets';
export { acceptedBodyType } from './http/body-type';
export {
  AcceptsBody,
  AcceptsQuery,
  otherFields,
  type BodyFormats,
  type FormFields,
  type InputDefaults,
} from './http/input-formats';
export { MessageIdQuery, normalizeMessageId } from './http/message-id.query';
export { RequestValidationPipe, type RequestValidationOptions } from './http/request-validation.pipe';
export { MalformedInput } from './http/malformed-input';
export { downloadOf, HttpResult } from './http/http-result';
export { Heartbeat } from './streams/heartbeat';
export { sseEvent, STREAM_HEADERS, wantsStream } from './streams/sse';
export { StreamShares, type SharedStream } from './streams/stream-shares';
export { BodyStream, ClientAddress, RawQuery, RequestId, type IdentifiedRequest } from './http/request.decorators';
export { inTurns, Turns } from './turns/in-turns';
export { jsonInTurns } from './turns/json-in-turns';
export {
  IsInstant,
  IsOneOf,
  IsWorkspaceId,
  v1List,
  V1ListQuery,
  v1NotFound,
  v1Timestamp,
  type V1List,
} from './v1/v1-list';
export {
  assertValidRecipient,
  fieldError,
  noValidRecipient,
  rejectedTo,
  rejectionOf,
  withFields,
  type V1Fields,
} from './v1/v1-errors';
export { V1ApiErrors, V1RouteErrors } from './v1/v1-api-errors';
export { V1Request } from './v1/v1-request';
export { CutOff, isMultipart, openUpload, type FileUpload, type UploadRules } from './uploads/file-upload';
export { V1_PREFIX } from './v1/v1-prefix';
export {
  isDisplayText,
  isStorableText,
  isUrlText,
  rule,
  toStorableText,
  withoutHiddenCharacters,
  type RuleContext,
} from './http/rules';
