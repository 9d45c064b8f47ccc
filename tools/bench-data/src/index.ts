// This project imports nothing. Load generators use it instead of `harness`, which loads all services: the memory and the start
// of these modules would change the measurements.
export { benchCustomer, benchKey, userEmail, USER_PASSWORD } from './identities';
export { pick, Random, upTo } from './random';
