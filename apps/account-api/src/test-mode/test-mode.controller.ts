import { Body, Controller, Get, Post } from '@nestjs/common';
import { Idempotent } from '@heliograph/idempotency';
import { V1Operation } from '@heliograph/service-kit';
import type { Write } from '@heliograph/tenancy';
import { RequireV1Permission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { V1Api } from '../developer/reference/v1-api';
import { CurrentWrite } from '../unit-of-work/current-write';
import { TestCreditsService } from './test-credits.service';
import { TestClockService } from './test-clock.service';
import { V1TestClock, V1TestClockRequest, V1TestCredits, V1TestCreditsRequest } from './test-mode.dto';

/** A note in the samples. */
const USE_TEST_KEY = '# Use a test key, such as msg_test_demoDEMOdemoDEMOdemoDEMOdemo0001.';

/** Calls that exist in test mode only. */
@V1Api('v1: test mode')
@Controller('api/v1/test')
export class TestModeController {
  constructor(
    private readonly credits: TestCreditsService,
    private readonly clock: TestClockService,
  ) {}

  @Get('clock')
  @RequireV1Permission('test:read', { boundKeys: true })
  @V1Operation({
    id: 'v1GetTestClock',
    summary: 'Get the clock of the test mode',
    description: 'Requires a test key, or the header `Heliograph-Mode: test`.',
    response: V1TestClock,
    errors: ['STATE_CONFLICT'],
    sample: { before: [USE_TEST_KEY] },
  })
  getClock(@CurrentCaller() caller: Caller): Promise<V1TestClock> {
    return this.clock.get(caller);
  }

  @Post('clock')
  @RequireV1Permission('test:write')
  @Idempotent()
  @V1Operation({
    id: 'v1AdvanceTestClock',
    summary: 'Advance the clock of the test mode',
    description:
      'Moves the times of all objects of the test mode into the past, so that what was due later is due now: scheduled messages, ' +
      'campaigns, retries, webhook deliveries, conversation windows and expiries. Requires a test key, or the header `Heliograph-Mode: test`.',
    response: V1TestClock,
    errors: ['INVALID_REQUEST', 'STATE_CONFLICT', 'PAYLOAD_TOO_LARGE'],
    sample: { body: { advance: 'PT1H' }, before: [USE_TEST_KEY] },
  })
  advanceClock(
    @CurrentCaller() caller: Caller,
    @Body() request: V1TestClockRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1TestClock> {
    return this.clock.advance(write, caller, request);
  }

  @Post('credits')
  @RequireV1Permission('test:write', { boundKeys: true })
  @Idempotent()
  @V1Operation({
    id: 'v1SetTestCredits',
    summary: 'Set a balance of a test workspace',
    description: 'Requires a test key, or the header `Heliograph-Mode: test`.',
    response: V1TestCredits,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NO_WORKSPACE', 'STATE_CONFLICT', 'PAYLOAD_TOO_LARGE'],
    sample: { body: { credit_type: 'sms', balance: 1_000 }, before: [USE_TEST_KEY] },
  })
  setCredits(
    @CurrentCaller() caller: Caller,
    @Body() request: V1TestCreditsRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1TestCredits> {
    return this.credits.set(write, caller, request);
  }
}
