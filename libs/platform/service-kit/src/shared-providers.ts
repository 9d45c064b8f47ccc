import type { InjectionToken } from '@nestjs/common';
import { ErrorFilter } from '@heliograph/errors';
import { LaneObserver } from '@heliograph/fairness';
import { EncodedBodies } from './encoded/encoded-bodies';
import { Admission } from './limits/admission';
import { EndedRequests } from './observability/ended-requests';
import { Health } from './observability/health';
import { METRICS } from './observability/metrics';
import { Tracing } from './observability/tracing';
import { ApiDescription } from './openapi/openapi';
import { ReferencePages } from './reference/reference-pages';
import { ReferenceService } from './reference/reference.service';
import { CONFIG, LIMITER, LOGGER, ROLE } from './tokens';

/** What every service provides to its modules. */
export const SHARED_PROVIDERS: InjectionToken[] = [
  ErrorFilter,
  ApiDescription,
  EncodedBodies,
  ReferencePages,
  ReferenceService,
  CONFIG,
  METRICS,
  LaneObserver,
  Admission,
  Health,
  LOGGER,
  LIMITER,
  ROLE,
  Tracing,
  EndedRequests,
];
