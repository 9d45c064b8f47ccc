export { readRetryAfterMs } from './retry-after';
export { ThroughputBucket } from './throughput-bucket';
