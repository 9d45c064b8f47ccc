export { ApiKey, ApiKeyUse } from './api-key.entity';
export { ApiKeysService, type ApiKeyDetails, type UsedKey } from './api-keys.service';
export { AuthModule, KeysModule } from './auth.module';
export { isWrite, refuseForeignLogin, refuseForeignOrigin } from './browser/own-origin';
export { readCookie, setCookie, type CredentialSource } from './browser/session-cookie';
export { compileAllowlist, isAllowed, parseCidr } from './ip-allowlist';
export { DeviceLogin, type DeviceLoginState } from './device-logins/device-login.entity';
export { formatUserCode, newUserCode, readUserCode } from './device-logins/user-code';
export { KeyDirectory } from './key-directory';
export { generateKey, readKey } from './key-format';
export { assertModeOfKey, MODE_HEADER, modeOf, MODES, readMode, type Mode } from './mode';
export { KeyActor } from './key-actor';
export { Caller, keyRouteFacts, RequireScope, type AuthenticatedRequest } from './key.guard';
export { KeyUses } from './key-uses';
export { authEntities, authMigrations } from './migration-set';
export type { LoggedRequest } from './request-log/logged-request';
export { REQUEST_LOG_DAYS, RequestLogRepository, type RequestFilter } from './request-log/request-log.repository';
export {
  assertRole,
  assertScope,
  isUnrestricted,
  originOf,
  type KeyPrincipal,
  type MessageOrigin,
  type OriginOf,
  type Tenant,
} from './principal';
export { KEY_ACCESS } from './database-access';
