export { removeFromBroker, tapEvents, type EventTap } from './broker';
export { testServers } from './servers.config';
export { TcpProxy } from './tcp-proxy';
export { TenantFactory, unique } from './tenant-factory';
export { createTestDatabase, type TestDatabase } from './test-database';
export { startTestService, type TestService } from './test-service';
export { until } from './until';
