export { FairQueue } from './fair-queue';
export { ThroughputBucket } from './throughput-bucket';
