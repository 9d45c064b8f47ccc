export { EventLoopLoad } from './event-loop-load';
export { FairJobs, type ClaimRequest, type FairJob, type FairJobsOptions, type JobTurns } from './fair-jobs';
export { FairQueue, type LanePath, type LaneWeights } from './fair-queue';
export { FairSemaphore, type AcquireOptions, type FairSemaphoreOptions, type LaneKind } from './fair-semaphore';
export { LaneObserver, type LaneLog, type ObservedLane, type WaitingWork } from './lane-observer';
export { readRetryAfterMs } from './pacing/retry-after';
export { ThroughputBucket } from './pacing/throughput-bucket';
export { SharedLimit } from './shared-limit';
