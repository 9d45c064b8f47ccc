export { createTestOrganization, TEST_CREDITS, type TestOrganizationWriters } from './create-test-organization';
