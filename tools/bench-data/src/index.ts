// A project without imports: a load generator must not load the services with the seeds, because their memory would slow the
// measurement down.
export { benchCustomer, benchKey, userEmail, USER_PASSWORD } from './identities';
export { pick, Random, upTo } from './random';
